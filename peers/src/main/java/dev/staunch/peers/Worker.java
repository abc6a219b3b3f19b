package dev.staunch.peers;

import dev.staunch.eager.Context;
import dev.staunch.eager.ContextOptions;
import dev.staunch.engine.EngineOptions;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.operation.Schema;
import dev.staunch.operation.Trait;
import dev.staunch.type.Type;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.global.torch;

/** Runs the cases of some seeds, in a process of its own. */
public final class Worker {
  /** They are about the process or the build, or what they leave is undefined. */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "aten::set_grad_enabled",
          "aten::is_grad_enabled",
          "aten::is_pinned",
          "aten::get_autocast_dtype",
          "aten::_nnpack_available",
          "aten::empty.memory_format",
          "aten::empty_like",
          "aten::empty_strided",
          "aten::new_empty",
          "aten::new_empty_strided",
          "aten::resize_");

  /** libtorch's end its process for a wrong argument, or never return from it. */
  private static final Set<String> DEADLY =
      Set.of(
          "aten::native_batch_norm",
          "aten::_pad_packed_sequence",
          "aten::_weight_norm",
          "aten::_weight_norm_interface",
          "aten::to.prim_Device",
          "aten::__round_to_zero_floordiv.int",
          "aten::remainder.int",
          "aten::center",
          "aten::count",
          "aten::replace",
          "aten::_autocast_to_reduced_precision",
          "aten::_autocast_to_full_precision");

  private Worker() {}

  /**
   * Arguments: first seed, seed behind the last, a file for the call that is running, and which
   * operations: {@code kept}, those of {@code operations.txt}, so that a seed stays the same
   * program when the catalog grows, or a pattern of names in today's catalog. Prints a line for
   * each case that differs or that both refuse.
   */
  public static void main(String[] words) throws IOException {
    Running running = new Running(Path.of(words[2]));
    Libtorch libtorch = new Libtorch();
    torch.set_num_threads(1);
    List<CatalogEntry> operations =
        words[3].equals("kept")
            ? kept()
            : StandardOperations.catalog().operations().stream()
                .filter(each -> each.kernel() != null && each.name().matches(words[3]))
                .filter(each -> isCompared(each) && libtorch.find(each.schema()) != null)
                .toList();
    Recorded recorded = new Recorded();
    Accepted accepted = new Accepted();
    OffHeap memory = OffHeap.withBudget(1L << 30);
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    ContextOptions options =
        ContextOptions.standard().withEngine(EngineOptions.serial().withNoteSources(false));
    try (Context context = Context.open(memory, options)) {
      for (long seed = Long.parseLong(words[0]); seed < Long.parseLong(words[1]); seed++) {
        String number = seed + "\n";
        RandomCase program =
            new RandomCase(seed, context, libtorch, operations, recorded, accepted);
        try (PointerScope _ = new PointerScope()) {
          out.println(
              context.using(
                  "case", () -> line(number, program.run(call -> running.set(number + call)))));
        }
      }
    }
  }

  private static List<CatalogEntry> kept() throws IOException {
    Catalog catalog = StandardOperations.catalog();
    try (InputStream in = Worker.class.getResourceAsStream("operations.txt")) {
      String names = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return names.lines().map(name -> Objects.requireNonNull(catalog.find(name), name)).toList();
    }
  }

  private static String line(String seed, RandomCase.Outcome outcome) {
    String word =
        outcome.difference() != null
            ? "differs"
            : outcome.theirMessage().isEmpty() ? "same" : "refused";
    return String.join(
        "\t",
        word,
        seed.strip(),
        outcome.operation(),
        plain(String.valueOf(outcome.difference())),
        plain(outcome.call()));
  }

  private static String plain(String text) {
    return text.replace('\n', ' ').replace('\t', ' ');
  }

  private static boolean isCompared(CatalogEntry entry) {
    Schema schema = entry.schema();
    return entry.name().startsWith("aten::")
        && !schema.variadic()
        && !schema.variadicResults()
        && schema.parameters().stream().allMatch(each -> isCompared(each.type()))
        && schema.results().stream().allMatch(each -> isCompared(each.type()))
        && !entry.effects().drawsRandom()
        && !entry.effects().has(Trait.HAS_SIDE_EFFECTS)
        && !entry.effects().has(Trait.RESTRIDES)
        && !LEFT_OUT.contains(entry.name())
        && !DEADLY.contains(entry.name());
  }

  private static boolean isCompared(Type type) {
    return switch (type) {
      case Type.Optional optional -> isCompared(optional.element());
      case Type.ListOf list -> isCompared(list.element());
      case Type.Plain plain -> true;
      case Type.Variable variable -> true;
      default -> false;
    };
  }
}
