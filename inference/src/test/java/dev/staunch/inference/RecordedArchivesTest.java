package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.execute.RunOptions;
import dev.staunch.fault.FaultType;
import dev.staunch.inference.recorded.RecordedCases;
import dev.staunch.inference.recorded.Replay;
import dev.staunch.kernel.Reachable;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import dev.staunch.testkit.Conformance;
import dev.staunch.torchscript.Gap;
import dev.staunch.torchscript.TorchScriptModule;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Archives that PyTorch saved answer as PyTorch did (S1), and free all their memory (M4). */
class RecordedArchivesTest {
  /**
   * The {@code __getstate__} of this archive changes what it saves, so a second save gives another
   * model.
   */
  private static final String CHANGED_BY_SAVING = "getstate_setstate";

  private static final String UNSUPPORTED = FaultType.UNSUPPORTED.word() + ": ";

  @TestFactory
  Stream<DynamicTest> archivesAnswerAsRecorded() throws IOException {
    Path folder = Conformance.torchscript();
    List<DynamicTest> tests = new ArrayList<>();
    for (String producer : List.of("archives", "resaved", "java", "families")) {
      Path cases = folder.resolve(producer.equals("resaved") ? "archives" : producer);
      for (Path archive : archives(folder.resolve(producer))) {
        String name = archive.getFileName().toString().replace(".pt", "");
        boolean changed = producer.equals("resaved") && name.equals(CHANGED_BY_SAVING);
        if (!changed) {
          String shown = producer + "/" + name;
          tests.add(
              DynamicTest.dynamicTest(
                  shown, () -> assertEquals(List.of(), replay(archive, cases))));
        }
      }
    }
    return tests.stream();
  }

  private static List<Path> archives(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".pt")).sorted().toList();
    }
  }

  /** libtorch 1.13 answers 8 for ones; the archive that was saved only once answers 4. */
  @Test
  void aModelThatSavingChangedAnswersAsItWasSavedLast() {
    OffHeap memory = OffHeap.withBudget(1 << 20);
    Path archive = Conformance.torchscript().resolve("resaved").resolve(CHANGED_BY_SAVING + ".pt");
    try (Model model = Model.load(archive, memory)) {
      InferenceRequest ones = InferenceRequest.of(null).input("x", Shape.of(3), 1, 1, 1f);
      assertArrayEquals(new float[] {8, 8, 8}, model.predict(ones).orThrow().output().floats());
    }
    assertEquals(0, memory.account().bytes());
  }

  private static List<String> replay(Path archive, Path cases) throws IOException {
    OffHeap memory = OffHeap.withBudget(1L << 30);
    try (Model model = Model.load(archive, memory)) {
      assertEquals(reachable(model), model.bytes(), "bytes held after loading");
      RecordedCases recorded = RecordedCases.read(cases.resolve(model.name() + ".json"));
      Replay replay = new Replay(model, recorded, Duration.ofSeconds(60));
      List<String> differences = replay.differences();
      long used = model.bytes(); // weights are packed, and those that calls write copied, only once
      callAgain(model, recorded, replay);
      assertVerdict(model, recorded, differences);
      assertEquals(used, model.bytes(), "bytes held after the calls");
      return differences;
    } finally {
      assertEquals(0, memory.account().bytes());
      assertEquals(0, memory.mappedBytes());
    }
  }

  /** Bytes of all that calls can reach: what only loading needed is released by then. */
  private static long reachable(Model model) {
    TorchScriptModule module = model.module();
    return Reachable.of(List.of(module.root(), module.constantValues())).state().stream()
        .mapToLong(each -> each instanceof Storage storage ? storage.byteSize() : 0)
        .sum();
  }

  /** A method that is reported to write no state writes none. */
  private static void callAgain(Model model, RecordedCases recorded, Replay replay) {
    for (int i = 0; i < recorded.size(); i++) {
      String method = recorded.method(i);
      boolean gradients = recorded.gradEnabled(i);
      WatchedState watched = new WatchedState(model);
      try (ResourceScope scope = ResourceScope.open(model.memory(), "again")) {
        RunOptions options = RunOptions.in(scope).withGradEnabled(gradients);
        model.call(method, replay.arguments(i, scope), options.withStateGuard(watched));
      }
      if (!model.stateUse(method).state()) {
        assertEquals(List.of(), watched.written(), () -> method + " wrote state");
      }
    }
  }

  /** A call that ran was predicted to run, and for an unsupported call a gap was reported. */
  private static void assertVerdict(Model model, RecordedCases recorded, List<String> differences) {
    for (int i = 0; i < recorded.size(); i++) {
      String call = "call " + i + " of ";
      boolean failed =
          differences.stream()
              .anyMatch(each -> each.startsWith(call) && each.contains(UNSUPPORTED));
      List<Gap> gaps = model.module().gaps(recorded.method(i), StandardOperations.catalog());
      boolean runs = gaps.stream().allMatch(Gap::passable);
      assertTrue(failed ? !gaps.isEmpty() : runs, () -> gaps + " but " + differences);
    }
  }
}
