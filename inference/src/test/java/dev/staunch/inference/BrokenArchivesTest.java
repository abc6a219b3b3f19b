package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import dev.staunch.inference.recorded.RecordedCases;
import dev.staunch.inference.recorded.Replay;
import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.Conformance;
import dev.staunch.testkit.DamagedArchive;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.ThrowingConsumer;
import org.junit.jupiter.api.io.TempDir;

/** A damaged archive gives one typed fault that names the place, or the right answer (S2, S7). */
class BrokenArchivesTest {
  private static final String CODE = "code/__torch__.py";
  private static final String RETURN = "    return _0\n";
  private static final String NEGATIVE = "    big = torch.zeros([-5])\n";

  /** Damage to an archive, and the word that identifies its outcome. */
  private record Damage(String name, String word, UnaryOperator<DamagedArchive> work) {}

  private static Damage of(String name, String word, UnaryOperator<DamagedArchive> work) {
    return new Damage(name, word, work);
  }

  /** Damage to the code: replaces {@code old}. */
  private static Damage code(String name, String word, String old, String replaced) {
    return of(name, word, archive -> archive.replacing(CODE, old, replaced));
  }

  /** The word must occur in the fault: the record, the attribute or the line of source. */
  private static final List<Damage> FAULTS =
      List.of(
          of("no_code", "__torch__.MLP", archive -> archive.without(CODE)),
          of("no_constants", "constants.pkl", archive -> archive.without("constants.pkl")),
          of("no_data_pkl", "data.pkl", archive -> archive.without("data.pkl")),
          of("no_version", "version", archive -> archive.without("version")),
          of("version_999", "999", archive -> archive.replacing("version", "3", "999")),
          of("version_text", "version", archive -> archive.replacing("version", "3", "abc")),
          of("short_storage", "data/0", archive -> archive.resized("data/0", 16)),
          of("long_storage", "data/0", archive -> archive.resized("data/0", 2112)),
          of(
              "path_traversal",
              "evil.txt",
              archive -> archive.endingWith("extra/../../../evil.txt", "x")),
          of(
              "pickle_bad_opcode",
              "data.pkl",
              archive ->
                  archive.replacing("data.pkl", "}(X\b\0\0\0training", "}\u00feX\b\0\0\0training")),
          of(
              "pickle_os_system",
              "os.system",
              archive -> archive.replacing("data.pkl", "c__torch__\nMLP\n", "cos\nsystem\n")),
          code(
              "attr_extra",
              "ghost",
              "  training : bool\n",
              "  training : bool\n  ghost : Tensor\n"),
          code("attr_missing", "training", "  training : bool\n", ""),
          code("syntax_error", CODE, "(self: ", "(self,,: "),
          code("undefined_name", "undefined_variable", RETURN, "    return undefined_variable\n"),
          code("unknown_op", "aten::sigmoidd", "torch.sigmoid(", "torch.sigmoidd("),
          code("wrong_arity", "aten::sigmoid", "torch.sigmoid(", "torch.sigmoid(3, "));

  /** These archives still answer as recorded. */
  private static final List<Damage> HARMLESS =
      List.of(
          of("no_debug_pkl", "", archive -> archive.without(".debug_pkl")),
          of("deflated_all", "", DamagedArchive::deflated),
          of("extra_top_dir_file", "", archive -> archive.startingWith("other/readme.txt", "hi")),
          code("any_list_literal", "", RETURN, "    qq : Any = [1, 2]\n" + RETURN));

  /** These archives load. Each call that succeeds in the original fails with its own fault. */
  private static final List<Damage> FAIL_WHEN_RUN =
      List.of(
          code(
              "endless_loop",
              "deadline",
              RETURN,
              """
                  k = 0
                  while torch.ge(k, 0):
                    k = torch.add(k, 1)
                  return torch.add(_0, k)
              """),
          code(
              "negative_alloc",
              "a size must not be negative",
              RETURN,
              NEGATIVE + "    return torch.add(_0, torch.sum(big))\n"),
          code("dead_failing_op", "a size must not be negative", RETURN, NEGATIVE + RETURN));

  private static final Duration SOON = Duration.ofMillis(300);
  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir private Path folder = Path.of("");

  private static Path archives() {
    return Conformance.torchscript().resolve("archives");
  }

  private static Path sound() {
    return archives().resolve("mlp_bn_sigmoid.pt");
  }

  private Path written(String name, byte[] archive) throws IOException {
    return Files.write(folder.resolve(name + ".pt"), archive);
  }

  private Path damaged(Damage damage) throws IOException {
    return written(damage.name(), damage.work().apply(DamagedArchive.of(sound())).bytes());
  }

  private static Stream<DynamicTest> each(List<Damage> damages, ThrowingConsumer<Damage> test) {
    return damages.stream()
        .map(damage -> DynamicTest.dynamicTest(damage.name(), () -> test.accept(damage)));
  }

  private static void assertNames(String word, Fault fault) {
    String whole = fault + " " + fault.input() + " " + fault.source();
    assertTrue(whole.contains(word), whole);
  }

  @TestFactory
  Stream<DynamicTest> damageThatLoadingSeesIsOneTypedFault() {
    return each(FAULTS, damage -> assertNames(damage.word(), loadFault(damaged(damage))));
  }

  @Test
  void whatIsNoWholeArchiveIsOneTypedFault() throws IOException {
    byte[] sound = Files.readAllBytes(sound());
    byte[] text = "hello world".repeat(100).getBytes(StandardCharsets.US_ASCII);
    assertNames("empty", loadFault(written("nothing", new byte[0])));
    assertNames("not_zip", loadFault(written("not_zip", text)));
    assertNames("cut off", loadFault(written("tail", Arrays.copyOf(sound, sound.length - 10))));
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
    return each(HARMLESS, damage -> assertEquals(List.of(), differences(damage)));
  }

  @TestFactory
  Stream<DynamicTest> damageThatOnlyRunningShowsIsAFaultOfTheCall() {
    return each(
        FAIL_WHEN_RUN,
        damage -> {
          List<String> differences = differences(damage);
          assertTrue(differences.get(0).contains(damage.word()), differences.toString());
        });
  }

  private List<String> differences(Damage damage) throws IOException {
    OffHeap memory = OffHeap.withBudget(64 << 20);
    try (Model model = Model.load(damaged(damage), memory)) {
      RecordedCases cases = RecordedCases.read(archives().resolve("mlp_bn_sigmoid.json"));
      Duration limit = damage.word().equals("deadline") ? SOON : LONG;
      return new Replay(model, cases, limit).differences();
    }
  }
}
