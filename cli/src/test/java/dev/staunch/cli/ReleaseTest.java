package dev.staunch.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.testkit.Conformance;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The version is defined in one place, and all other places follow it. */
class ReleaseTest {
  private static String text(String file) throws Exception {
    return Files.readString(Conformance.root().resolve(file));
  }

  private static String revision() throws Exception {
    Matcher number = Pattern.compile("<revision>([^<]+)</revision>").matcher(text("pom.xml"));
    assertTrue(number.find());
    return number.group(1);
  }

  @Test
  void theCommandsSayTheVersionOfTheBuild() throws Exception {
    assertEquals("staunch " + revision(), new Version().getVersion()[0]);
  }

  @Test
  void everyVersionToPasteIsThatOfTheBuild() throws Exception {
    Pattern pasted =
        Pattern.compile("<staunch.version>([^<]+)<|dev\\.staunch:staunch-[a-z]+:([0-9][^\"')]*)");
    for (String guide : List.of("README.md", "docs/service.md")) {
      Matcher found = pasted.matcher(text(guide));
      assertTrue(found.find(), guide + " has nothing to paste");
      do {
        String number = found.group(1) == null ? found.group(2) : found.group(1);
        assertEquals(revision(), number, guide);
      } while (found.find());
    }
  }

  @Test
  void theChangelogTellsWhatThisVersionIs() throws Exception {
    assertTrue(text("CHANGELOG.md").contains("## [" + revision() + "]"));
  }

  /**
   * The BOM names everything that a user may depend on: all modules that export packages or provide
   * services.
   */
  @Test
  void theBomNamesEveryModuleThatExportsPackages() throws Exception {
    TreeSet<String> modules = new TreeSet<>();
    try (Stream<Path> folders = Files.list(Conformance.root())) {
      for (Path folder : folders.toList()) {
        Path descriptor = folder.resolve("src/main/java/module-info.java");
        String text = Files.exists(descriptor) ? Files.readString(descriptor) : "";
        if (text.contains("  exports ") || text.contains("  provides ")) {
          modules.add("staunch-" + folder.getFileName());
        }
      }
    }
    assertFalse(modules.isEmpty());
    assertEquals(modules, ofTheBom());
  }

  private static Set<String> ofTheBom() throws Exception {
    TreeSet<String> named = new TreeSet<>();
    Matcher artifact =
        Pattern.compile("<artifactId>([^<]+)</artifactId>\\s+<version>\\$\\{project\\.version}")
            .matcher(text("bom/pom.xml"));
    while (artifact.find()) {
      named.add(artifact.group(1));
    }
    return named;
  }

  @Test
  void whatThePagesDependOnWithoutAVersionIsInTheBom() throws Exception {
    for (String page : List.of("README.md", "docs/service.md", "examples/spring/pom.xml")) {
      Matcher found =
          Pattern.compile("<artifactId>(staunch-[a-z]+)<|dev\\.staunch:(staunch-[a-z]+)\"")
              .matcher(text(page));
      TreeSet<String> wanted = new TreeSet<>();
      while (found.find()) {
        wanted.add(found.group(1) == null ? found.group(2) : found.group(1));
      }
      wanted.remove("staunch-bom");
      assertFalse(wanted.isEmpty(), page + " depends on nothing");
      assertTrue(ofTheBom().containsAll(wanted), page + " depends on " + wanted);
    }
  }
}
