package dev.staunch.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.staunch.architecture.SourceTree.Source;
import java.io.File;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Rules that only the source text can show. */
class SourceRulesTest {
  private static final int LONGEST_FILE = 500;
  private static final int SHORTEST_PACKAGE_INFO = 8;
  private static final int LONGEST_PACKAGE_INFO = 40;
  private static final Path ENGINE = Path.of("runtime/src/main/java/dev/staunch/engine");
  private static final Pattern CATCHES_THROWABLE =
      Pattern.compile("catch\\s*\\([^)]*\\bThrowable\\b");

  private static final Pattern JAVADOC = Pattern.compile("(?s)/\\*\\*.*?\\*/");
  private static final Pattern RULE = Pattern.compile("\\b[FECMSDP][0-9]{1,2}\\b");

  private static final List<Source> SOURCES = SourceTree.sources();

  @Test
  void thereAreSources() {
    assertFalse(SOURCES.isEmpty());
  }

  @Test
  void onlyTheEngineCatchesEveryThrowable() {
    assertNone(source ->
        source.isMain()
            && !source.path().startsWith(ENGINE)
            && CATCHES_THROWABLE.matcher(source.text()).find());
  }

  @Test
  void noFileIsTooLongToReadInOneSitting() {
    assertNone(source -> source.lines().size() > LONGEST_FILE);
  }

  @Test
  void everyPackageSaysWhatItIsFor() {
    Map<Path, Boolean> described = new HashMap<>();
    for (Source source : SOURCES) {
      String name = source.path().getFileName().toString();
      if (source.isMain() && !name.equals("module-info.java")) {
        described.merge(
            source.path().getParent(), name.equals("package-info.java"), Boolean::logicalOr);
      }
    }
    described.values().removeIf(has -> has);
    assertEquals(new TreeSet<Path>(), new TreeSet<>(described.keySet()));
  }

  @Test
  void aPackageDescriptionIsNeitherAStubNorAnEssay() {
    assertNone(source ->
        source.path().endsWith("package-info.java")
            && (source.lines().size() < SHORTEST_PACKAGE_INFO
                || source.lines().size() > LONGEST_PACKAGE_INFO));
  }

  /** Javadoc for users states the meaning; the codes are for readers who look the rules up. */
  @Test
  void theJavadocOfExportedTypesSaysWhatRulesMeanInPlaceOfTheirCodes() {
    Map<Path, String> exported = new HashMap<>();
    for (Source source : SOURCES) {
      if (source.isMain() && source.path().endsWith("module-info.java")) {
        exported.put(source.path().getParent(), source.text());
      }
    }
    assertFalse(exported.isEmpty());
    assertNone(source -> isExported(source, exported) && namesRule(source));
  }

  /** Whether this is a public type or a package description in a package exported to everybody. */
  private static boolean isExported(Source source, Map<Path, String> descriptors) {
    return descriptors.entrySet().stream()
        .anyMatch(module ->
            source.path().startsWith(module.getKey())
                && module.getValue().contains("exports " + packageIn(source, module.getKey()) + ";")
                && (source.path().endsWith("package-info.java")
                    || source.lines().stream().anyMatch(line -> line.startsWith("public "))));
  }

  private static String packageIn(Source source, Path root) {
    return root.relativize(source.path()).getParent() == null
        ? ""
        : root.relativize(source.path().getParent()).toString().replace(File.separatorChar, '.');
  }

  private static boolean namesRule(Source source) {
    return JAVADOC
        .matcher(source.text())
        .results()
        .anyMatch(found -> RULE.matcher(found.group()).find());
  }

  private static void assertNone(Predicate<Source> offends) {
    assertEquals(List.of(), SOURCES.stream().filter(offends).map(Source::path).toList());
  }
}
