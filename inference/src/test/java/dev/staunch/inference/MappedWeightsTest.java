package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.inference.recorded.RecordedCases;
import dev.staunch.inference.recorded.Replay;
import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.Conformance;
import dev.staunch.torchscript.LoadOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * On request, weights stay in the mapped file until they are written. Changes to the file are then
 * noticed, and cause nothing worse than faults (M8).
 */
class MappedWeightsTest {
  @TempDir Path folder;
  private final OffHeap memory = OffHeap.withBudget(1L << 20);

  /** A separate copy of the archive, whose file the test may change. */
  private Path archive(String name) throws IOException {
    Path archives = Conformance.torchscript().resolve("archives");
    return Files.copy(archives.resolve(name + ".pt"), folder.resolve(name + ".pt"));
  }

  private static Model load(Path archive, OffHeap memory) {
    return Model.load(archive, memory, LoadOptions.standard().withMappedWeights());
  }

  private static List<String> replay(Model model, String name) throws IOException {
    Path cases = Conformance.torchscript().resolve("archives").resolve(name + ".json");
    return new Replay(model, RecordedCases.read(cases), Duration.ofSeconds(60)).differences();
  }

  @Test
  void m8AModelLargerThanTheBudgetLoadsAndAnswersForItsWeightsAreMapped() throws IOException {
    Path archive = archive("wide_deep");
    OffHeap small = OffHeap.withBudget(Files.size(archive) / 2);
    try (Model model = load(archive, small)) {
      assertEquals(Files.size(archive), small.mappedBytes());
      assertEquals(0, model.bytes());
      assertTrue(model.mappedBytes() > 0);
      assertTrue(model.mappedBytes() <= small.mappedBytes());
      assertEquals(List.of(), replay(model, "wide_deep"));
      assertEquals(0, model.bytes());
    }
    assertEquals(0, small.mappedBytes());
  }

  @Test
  void m8AWeightThatIsWrittenBecomesACopyAndTheFileAndOtherModelsStayAsTheyWere()
      throws IOException {
    Path archive = archive("mlp_bn_train");
    byte[] before = Files.readAllBytes(archive);
    try (Model trained = load(archive, memory);
        Model other = load(archive, memory)) {
      long mapped = trained.mappedBytes();
      assertEquals(List.of(), replay(trained, "mlp_bn_train"));
      assertTrue(trained.bytes() > 0, "the statistics were written");
      assertTrue(trained.bytes() < before.length, "and nothing else");
      assertEquals(mapped, trained.mappedBytes() + trained.bytes());
      assertEquals(mapped, other.mappedBytes());
      assertEquals(0, other.bytes());
      assertEquals(
          List.of(), replay(other, "mlp_bn_train"), "it starts from the file's statistics");
    }
    assertArrayEquals(before, Files.readAllBytes(archive));
    assertEquals(0, memory.account().bytes());
    assertEquals(0, memory.mappedBytes());
  }

  @Test
  void m8TheFileMayBeReplacedOrDeletedWhileTheModelIsInUse() throws IOException {
    Path archive = archive("wide_deep");
    try (Model model = load(archive, memory)) {
      Files.move(
          Files.write(folder.resolve("other"), new byte[100]),
          archive,
          StandardCopyOption.REPLACE_EXISTING);
      assertEquals(List.of(), replay(model, "wide_deep"));
      Files.delete(archive);
      assertFalse(Files.exists(archive));
      assertEquals(List.of(), replay(model, "wide_deep"));
    }
    assertEquals(0, memory.mappedBytes());
  }

  @Test
  void m8AFileThatIsCutShortUnderTheModelGivesFaultsAndEndsNothing() throws IOException {
    Path archive = archive("wide_deep");
    try (Model model = load(archive, memory)) {
      assertEquals(List.of(), replay(model, "wide_deep"));
      Files.write(archive, new byte[] {1, 2, 3});
      List<String> differences = replay(model, "wide_deep");
      assertFalse(differences.isEmpty());
      differences.forEach(difference ->
          assertTrue(
              difference.contains("a mapped file could not be read")
                  || difference.contains("was changed in place"),
              difference));
    }
    assertEquals(0, memory.account().bytes());
    assertEquals(0, memory.mappedBytes());
  }

  @Test
  void m8AFileThatIsOverwrittenInPlaceIsNoticedWithinASecondAndIsAFaultUntilAReload()
      throws IOException {
    Path archive = archive("wide_deep");
    byte[] same = Files.readAllBytes(archive);
    try (Model model = load(archive, memory)) {
      assertEquals(List.of(), replay(model, "wide_deep"));
      Files.write(archive, same);
      Files.setLastModifiedTime(archive, FileTime.fromMillis(1));
      List<String> differences = List.of();
      while (differences.isEmpty()) { // about a second
        differences = replay(model, "wide_deep");
      }
      differences = replay(model, "wide_deep");
      assertTrue(differences.getFirst().contains("was changed in place"), differences.getFirst());
      assertTrue(differences.getFirst().contains("data_format"), differences.getFirst());
      try (Model again = load(archive, memory)) {
        assertEquals(List.of(), replay(again, "wide_deep"));
      }
    }
  }
}
