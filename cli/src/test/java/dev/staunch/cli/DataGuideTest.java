package dev.staunch.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.data.dataset.Dataset;
import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.Conformance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The code in the guide to data is compiled and run. */
class DataGuideTest {
  private final OffHeap memory = OffHeap.withBudget(64 << 20);
  @TempDir private Path folder;

  @AfterEach
  void nothingLeaks() {
    assertEquals(0, memory.account().bytes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"loop", "own", "skip", "substitute", "save", "restore", "shard"})
  void theExamplesOfTheGuideAreThoseThatRun(String name) throws IOException {
    Path root = Conformance.root();
    List<String> source =
        Files.readAllLines(root.resolve("cli/src/test/java/dev/staunch/cli/DataGuide.java"));
    int begin = 0;
    while (!source.get(begin).strip().equals("// " + name)) {
      begin++;
    }
    int margin = source.get(begin).indexOf("//");
    String code =
        source.subList(begin + 1, source.size()).stream()
            .takeWhile(line -> !line.strip().equals("// end"))
            .map(line -> line.isEmpty() ? line : line.substring(margin))
            .collect(Collectors.joining("\n"));
    String guide = String.join("\n", Files.readAllLines(root.resolve("docs/data.md")));
    assertTrue(guide.contains(code), "the guide lacks:\n" + code);
  }

  @Test
  void theLoopReadsThreeEpochsAndAveragesNoPadding() throws IOException {
    Path file = folder.resolve("people.csv");
    Files.writeString(file, "name,age,income,class\nx,30,10,1\ny,50,30,0\nz,100,80,1\n");
    assertEquals(50, DataGuide.loop(file, memory), 1e-4);
  }

  @Test
  void aSourceOfOnesOwnGivesItsFaultInItsPlace() {
    assertEquals(List.of("squares, 13"), DataGuide.places(Dataset.of(DataGuide.own()), memory));
  }

  @Test
  void anExampleTakesThePlaceOfOneThatCannotBeRead() {
    assertEquals(
        List.of("squares, 13"),
        DataGuide.places(DataGuide.substitute(Dataset.of(DataGuide.own())), memory));
  }

  @Test
  void theRestComesFromASavedPosition() {
    assertEquals(12, DataGuide.rest(Dataset.of(DataGuide.own()), memory));
  }

  @Test
  void aShardHasItsPart() {
    assertEquals(List.of(), DataGuide.places(DataGuide.shard(DataGuide.own(), 0, 2), memory));
    assertEquals(
        List.of("squares, 13"), DataGuide.places(DataGuide.shard(DataGuide.own(), 1, 2), memory));
  }
}
