package dev.staunch.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.testkit.Conformance;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The code in the README is compiled and run; files that the docs name exist. */
class ReadmeTest {
  private static List<String> lines(String... path) throws Exception {
    Path file = Conformance.root();
    for (String part : path) {
      file = file.resolve(part);
    }
    return Files.readAllLines(file);
  }

  @ParameterizedTest
  @ValueSource(strings = {"quick start", "eager", "data"})
  void theQuickStartsOfTheReadmeAreThoseThatRun(String name) throws Exception {
    List<String> source =
        lines("cli", "src", "test", "java", "dev", "staunch", "cli", "QuickStart.java");
    List<String> rest = source.subList(source.indexOf("    // " + name) + 1, source.size());
    String code =
        rest.subList(0, rest.indexOf("    // end")).stream()
            .map(line -> line.isEmpty() ? line : line.substring(4))
            .collect(Collectors.joining("\n"));
    assertTrue(String.join("\n", lines("README.md")).contains(code), "README lacks:\n" + code);
  }

  @Test
  void theEagerQuickStartComputesAndCatchesTheTypedFault() {
    String said = QuickStart.eager();
    assertTrue(said.startsWith("25.0 % and, at QuickStart.java:"), said);
    assertTrue(said.contains("their sizes 4 and 7 differ"), said);
  }

  @Test
  void theExampleOfDataCatchesTheRowThatDoesNotFit(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("manual_2.csv"), "1,2,3,4\n2,3,4,5\n");
    assertEquals(
        "exception handled at manual_2.csv, row 1, byte 0:"
            + " the shape [4, 10] needs 40 values, but the row has 4",
        QuickStart.data(file));
  }

  @Test
  void theQuickStartAnswersAndCatchesTheTypedFault() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      String good = demo.requests.get(0);
      assertEquals("the first score is 0.47288904", QuickStart.run(demo.archive, good));
      String bad = good.replace("\"shape\": [4, 8]", "\"shape\": [8, 4]");
      assertTrue(QuickStart.run(demo.archive, bad).contains(" at ranker.py:"));
    }
  }

  /** A walk lists the rooms that the data enters, in order; it enters no room twice. */
  @Test
  void everyWalkNamesFilesThatExistAndEntersNoRoomTwice() throws Exception {
    Path walks = Conformance.root().resolve("docs").resolve("walks");
    List<Path> files;
    try (var found = Files.list(walks)) {
      files = found.filter(file -> file.toString().endsWith(".md")).sorted().toList();
    }
    assertTrue(files.size() >= 2, "walks: " + files);
    for (Path walk : files) {
      List<String> sources =
          Files.readAllLines(walk).stream()
              .filter(line -> line.matches("\\d+\\. `[^`]+\\.java`.*"))
              .map(line -> line.replaceFirst("\\d+\\. `([^`]+)`.*", "$1"))
              .toList();
      assertTrue(sources.size() >= 4, walk + " names " + sources);
      for (String source : sources) {
        assertTrue(Files.exists(Conformance.root().resolve(source)), walk + " names " + source);
      }
      List<String> rooms =
          sources.stream()
              .map(source -> source.replaceFirst(".*/dev/staunch/(.*)/[^/]+", "$1"))
              .toList();
      List<String> entered = new ArrayList<>();
      for (String room : rooms) {
        if (entered.isEmpty() || !entered.getLast().equals(room)) {
          assertTrue(!entered.contains(room), walk + " enters " + room + " twice");
          entered.add(room);
        }
      }
    }
  }
}
