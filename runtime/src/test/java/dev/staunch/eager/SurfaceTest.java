package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.operation.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every operator of the surface calls an operation that exists, with all its arguments. */
class SurfaceTest {
  private static final Pattern CALL =
      Pattern.compile("\\b(apply|applyInPlace|applyList|applyMany)\\(\\s*\"(aten::[^\"]+)\"");
  private final Catalog catalog = StandardOperations.catalog();

  /** A call in the source: how, of which operation, with how many arguments after its name. */
  private record CallSite(String method, String operation, int arguments) {}

  @TestFactory
  Stream<DynamicTest> everyOperatorFitsItsSchema() throws IOException {
    return sites().stream()
        .distinct()
        .map(site -> DynamicTest.dynamicTest(site.operation(), () -> check(site)));
  }

  @Test
  void theSurfaceIsWide() throws IOException {
    assertTrue(sites().stream().map(CallSite::operation).distinct().count() > 200);
  }

  private void check(CallSite site) {
    CatalogEntry definition = catalog.find(site.operation());
    assertNotNull(definition);
    assertNotNull(definition.kernel());
    Schema schema = definition.schema();
    boolean many = site.method().equals("applyMany");
    assertEquals(schema.parameters().size(), site.arguments() - (many ? 1 : 0), schema.toString());
    String result = schema.results().getFirst().type().toString();
    switch (site.method()) {
      case "apply" -> assertEquals("Tensor", result);
      case "applyInPlace" -> assertTrue(schema.mutates(), schema.toString());
      case "applyList" -> assertEquals("List[Tensor]", result);
      default -> assertTrue(schema.results().size() > 1, schema.toString());
    }
  }

  private static List<CallSite> sites() throws IOException {
    List<CallSite> sites = new ArrayList<>();
    try (Stream<Path> files = Files.walk(Path.of("src/main/java/dev/staunch/eager"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String text = Files.readString(file);
        for (Matcher call = CALL.matcher(text); call.find(); ) {
          sites.add(new CallSite(call.group(1), call.group(2), arguments(text, call.end())));
        }
      }
    }
    return sites;
  }

  /** Counts the commas up to the parenthesis that closes the call. */
  private static int arguments(String text, int from) {
    int count = 0;
    int depth = 1;
    for (int at = from; depth > 0; at++) {
      switch (text.charAt(at)) {
        case '(' -> depth++;
        case ')' -> depth--;
        case ',' -> count += depth == 1 ? 1 : 0;
        default -> {}
      }
    }
    return count;
  }
}
