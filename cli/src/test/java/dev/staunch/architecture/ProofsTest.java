package dev.staunch.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.architecture.SourceTree.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** docs/proofs.md names tests that exist, and at least one for each rule. */
class ProofsTest {
  private static final Pattern ROW = Pattern.compile("^\\| ([A-Z]\\d+) \\|.*\\|(.*)\\|$");
  private static final Pattern CLASS = Pattern.compile("`([A-Z][A-Za-z]+)`");
  private static final Path RUNTIME = Path.of("runtime/src/main/java");
  private static final Pattern SHARES =
      Pattern.compile(
          "\\b(volatile|synchronized|VarHandle|Atomic[A-Z]\\w+|LongAdder|Concurrent[A-Z]\\w+"
              + "|newKeySet|\\w+Lock|Semaphore|CountDownLatch|\\w+BlockingQueue)\\b");
  private static final Set<String> CLASSES =
      SourceTree.sources().stream().map(ProofsTest::className).collect(Collectors.toSet());

  private static List<String> lines = List.of();

  @BeforeAll
  static void read() throws IOException {
    lines = Files.readAllLines(SourceTree.root().resolve("docs/proofs.md"));
  }

  private static String className(Source source) {
    return source.path().getFileName().toString().replace(".java", "");
  }

  private static List<String> classesIn(String text) {
    return CLASS.matcher(text).results().map(found -> found.group(1)).toList();
  }

  @Test
  void everyClassNamedExists() {
    List<String> missing = new ArrayList<>();
    for (String line : lines) {
      classesIn(line).stream().filter(name -> !CLASSES.contains(name)).forEach(missing::add);
    }
    assertEquals(List.of(), missing);
  }

  @Test
  void everyRuleIsShownBySomething() {
    Set<String> shown = new TreeSet<>();
    for (String line : lines) {
      Matcher row = ROW.matcher(line);
      if (row.matches() && !classesIn(row.group(2)).isEmpty()) {
        shown.add(row.group(1));
      }
    }
    Set<String> rules =
        Stream.of(rules("F", 12), rules("E", 9), rules("C", 6), rules("M", 8))
            .flatMap(each -> each)
            .collect(Collectors.toCollection(TreeSet::new));
    rules.removeAll(shown);
    assertEquals(Set.of(), rules);
  }

  @Test
  void everyClassThatThreadsShareHasARaceOrAReason() {
    int begin = lines.indexOf("## Races");
    int end = lines.indexOf("## Soak");
    assertTrue(0 < begin && begin < end);
    Set<String> shared =
        SourceTree.sources().stream()
            .filter(source -> source.path().startsWith(RUNTIME) && isShared(source))
            .map(ProofsTest::className)
            .collect(Collectors.toCollection(TreeSet::new));
    assertTrue(shared.contains("WaitGraph"), "else nothing is looked at");
    classesIn(String.join(" ", lines.subList(begin, end))).forEach(shared::remove);
    assertEquals(Set.of(), shared);
  }

  private static boolean isShared(Source source) {
    return source.lines().stream()
        .map(String::strip)
        .filter(line -> !line.startsWith("import ") && !line.startsWith("*"))
        .anyMatch(line -> SHARES.matcher(line.replaceFirst("/[/*].*", "")).find());
  }

  private static Stream<String> rules(String letter, int count) {
    return IntStream.rangeClosed(1, count).mapToObj(number -> letter + number);
  }
}
