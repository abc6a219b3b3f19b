package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.inference.recorded.RecordedCases;
import dev.staunch.inference.recorded.Replay;
import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.Conformance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Archives that PyTorch saved answer as PyTorch did (S1), and give all their memory back (M4). */
class RecordedArchivesTest {
  private static final List<String> SUPPORTED =
      List.of(
          "mlp_bn_sigmoid",
          "mlp_bn_sigmoid_traced",
          "mlp_bn_train",
          "nn_rank_no_grad",
          "wide_deep",
          "dlrm",
          "lenet",
          "activation_zoo",
          "dtypes",
          "indexing",
          "storages",
          "control_flow",
          "arith",
          "errors",
          "grad_modes",
          "gru_packed",
          "lstm_classifier",
          "lstm_loop",
          "nn_transformer_encoder",
          "tv_vit",
          "edited_raise_rezipped");

  /**
   * Its {@code __getstate__} changes what it saves, so that saving it once more is another model.
   */
  private static final String CHANGED_BY_SAVING = "getstate_setstate";

  @Test
  void anArchiveThatRestoresItselfAnswersAsRecorded() throws IOException {
    Path folder = Conformance.torchscript().resolve("archives");
    assertEquals(List.of(), replay(folder.resolve(CHANGED_BY_SAVING + ".pt"), folder));
  }

  @TestFactory
  Stream<DynamicTest> supportedArchivesAnswerAsRecorded() {
    Path folder = Conformance.torchscript();
    return Stream.of("archives", "resaved")
        .flatMap(producer ->
            SUPPORTED.stream()
                .map(name ->
                    DynamicTest.dynamicTest(
                        producer + "/" + name,
                        () ->
                            assertEquals(
                                List.of(),
                                replay(
                                    folder.resolve(producer).resolve(name + ".pt"),
                                    folder.resolve("archives"))))));
  }

  /** What comes out of small archives of the families that people export. */
  @TestFactory
  Stream<DynamicTest> archivesOfAllFamiliesAnswerAsRecorded() throws IOException {
    Path folder = Conformance.torchscript().resolve("families");
    List<Path> archives;
    try (Stream<Path> files = Files.list(folder)) {
      archives = files.filter(file -> file.toString().endsWith(".pt")).sorted().toList();
    }
    return archives.stream()
        .map(archive -> {
          String name = archive.getFileName().toString().replace(".pt", "");
          return DynamicTest.dynamicTest(
              name, () -> assertEquals(List.of(), replay(archive, folder)));
        });
  }

  /** Whatever else lies there may lack a kernel, but never answers wrongly or breaks a promise. */
  @TestFactory
  Stream<DynamicTest> otherArchivesNeverAnswerWrongly() throws IOException {
    Path folder = Conformance.torchscript().resolve("archives");
    List<Path> archives;
    try (Stream<Path> files = Files.list(folder)) {
      archives = files.filter(file -> file.toString().endsWith(".pt")).sorted().toList();
    }
    return archives.stream()
        .map(archive ->
            DynamicTest.dynamicTest(
                archive.getFileName().toString(), () -> assertHonest(archive, folder)));
  }

  private static void assertHonest(Path archive, Path cases) throws IOException {
    try {
      for (String difference : replay(archive, cases)) {
        assertTrue(
            difference.contains("unsupported: ") || difference.contains("request: "), difference);
      }
    } catch (StaunchException e) {
      FaultType type = e.fault().type();
      assertTrue(type != FaultType.INTERNAL, e.fault().toString());
    }
  }

  private static List<String> replay(Path archive, Path cases) throws IOException {
    OffHeap memory = OffHeap.withBudget(1L << 30);
    try (Model model = Model.load(archive, memory)) {
      RecordedCases recorded = RecordedCases.read(cases.resolve(model.name() + ".json"));
      List<String> differences = new Replay(model, recorded, Duration.ofSeconds(60)).differences();
      long used = model.bytes(); // weights are packed, and those that calls write copied, once
      new Replay(model, recorded, Duration.ofSeconds(60)).differences();
      assertTrue(model.bytes() <= used, () -> model.bytes() + " bytes held, not " + used);
      return differences;
    } finally {
      assertEquals(0, memory.account().bytes());
      assertEquals(0, memory.mappedBytes());
    }
  }
}
