package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import dev.staunch.inference.recorded.RecordedCases;
import dev.staunch.inference.recorded.Replay;
import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.Conformance;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Damaged archives give one typed fault that says where, or the right answer (S2, S7). */
class BrokenArchivesTest {
  /** The word that the fault must name: the record, the attribute or the line of source. */
  private static final Map<String, String> FAULTS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("attr_extra", "ghost"),
              Map.entry("attr_missing", "training"),
              Map.entry("empty", "empty"),
              Map.entry("long_storage", "data/0"),
              Map.entry("no_code", "__torch__.MLP"),
              Map.entry("no_constants", "constants.pkl"),
              Map.entry("no_data_pkl", "data.pkl"),
              Map.entry("no_version", "version"),
              Map.entry("not_zip", "not_zip"),
              Map.entry("path_traversal", "evil.txt"),
              Map.entry("pickle_bad_opcode", "data.pkl"),
              Map.entry("pickle_os_system", "os.system"),
              Map.entry("short_storage", "data/0"),
              Map.entry("syntax_error", "code/__torch__.py"),
              Map.entry("truncated_tail", "cut off"),
              Map.entry("undefined_name", "undefined_variable"),
              Map.entry("unknown_op", "aten::sigmoidd"),
              Map.entry("version_999", "999"),
              Map.entry("version_text", "version"),
              Map.entry("wrong_arity", "aten::sigmoid")));

  private static final List<String> HARMLESS =
      List.of("no_debug_pkl", "deflated_all", "extra_top_dir_file", "any_list_literal");

  /** These load; each call that is right in the original fails with a fault of its own. */
  private static final Map<String, String> FAIL_WHEN_RUN =
      Map.of(
          "endless_loop", "deadline",
          "negative_alloc", "a size must not be negative",
          "dead_failing_op", "a size must not be negative");

  @TestFactory
  Stream<DynamicTest> damageThatLoadingSeesIsOneTypedFault() {
    Path folder = Conformance.torchscript().resolve("broken");
    return FAULTS.entrySet().stream()
        .map(entry ->
            DynamicTest.dynamicTest(
                entry.getKey(),
                () -> {
                  Fault fault = loadFault(folder.resolve(entry.getKey() + ".pt"));
                  String whole = fault + " " + fault.input() + " " + fault.source();
                  assertTrue(whole.contains(entry.getValue()), whole);
                }));
  }

  private static Fault loadFault(Path archive) {
    OffHeap memory = OffHeap.withBudget(64 << 20);
    try (Model model = Model.load(archive, memory)) {
      throw new AssertionError(model.name() + " loaded");
    } catch (StaunchException e) {
      assertEquals(0, memory.account().bytes());
      return e.fault();
    }
  }

  @TestFactory
  Stream<DynamicTest> harmlessDamageStillAnswersRight() {
    return HARMLESS.stream()
        .map(name ->
            DynamicTest.dynamicTest(name, () -> assertEquals(List.of(), differences(name))));
  }

  @TestFactory
  Stream<DynamicTest> damageThatOnlyRunningShowsIsAFaultOfTheCall() {
    return FAIL_WHEN_RUN.entrySet().stream()
        .map(entry ->
            DynamicTest.dynamicTest(
                entry.getKey(),
                () -> {
                  List<String> differences = differences(entry.getKey());
                  assertTrue(differences.get(0).contains(entry.getValue()), differences.toString());
                }));
  }

  private static List<String> differences(String name) throws IOException {
    Path folder = Conformance.torchscript();
    OffHeap memory = OffHeap.withBudget(64 << 20);
    try (Model model = Model.load(folder.resolve("broken").resolve(name + ".pt"), memory)) {
      RecordedCases cases = RecordedCases.read(folder.resolve("archives/mlp_bn_sigmoid.json"));
      return new Replay(model, cases, Duration.ofMillis(300)).differences();
    }
  }
}
