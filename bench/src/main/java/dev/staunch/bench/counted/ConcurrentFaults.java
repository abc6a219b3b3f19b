package dev.staunch.bench.counted;

import dev.staunch.eager.Context;
import dev.staunch.eager.ContextOptions;
import dev.staunch.eager.Tensor;
import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** 200 rounds of 200 operations that all fail at the same time, on four workers. */
public final class ConcurrentFaults {
  /** The number of faults that one run has to report. */
  public static final int EXPECTED = 200 * 200;

  private static final int ROUNDS = 200;
  private static final int OPERATIONS = 200;
  private static final int WORKERS = 4;

  private ConcurrentFaults() {}

  /** Prints {@code name=value} lines. */
  public static void main(String[] arguments) {
    measure().forEach((name, value) -> System.out.println(name + "=" + value));
  }

  private static Map<String, Double> measure() {
    ContextOptions options =
        ContextOptions.standard().withEngine(EngineOptions.threaded(WORKERS)).withLargeElements(1);
    try (Context context = Context.open(OffHeap.withDefaultBudget(), options)) {
      Tensor table = context.ones(4);
      Tensor bad = context.tensor(new long[] {9, 9});
      context.waitAll();
      int whole = 0;
      int reported = 0;
      int typed = 0;
      for (int round = 0; round < ROUNDS; round++) {
        Tensor[] failed = new Tensor[OPERATIONS];
        for (int i = 0; i < OPERATIONS; i++) {
          failed[i] = table.indexSelect(0, bad);
        }
        whole += isWhole(barrier(context)) ? 1 : 0;
        for (Tensor each : failed) {
          Fault fault = each.fault();
          reported += fault == null ? 0 : 1;
          typed += fault != null && fault.type() == FaultType.INDEX ? 1 : 0;
          each.close();
        }
      }
      return Map.of(
          "wholeBarriers", (double) whole,
          "reported", (double) reported,
          "typed", (double) typed,
          "expected", (double) EXPECTED);
    }
  }

  private static @Nullable Fault barrier(Context context) {
    try {
      context.waitAll();
      return null;
    } catch (StaunchException expected) {
      return expected.fault();
    }
  }

  /** Whether a barrier threw one fault, with all others suppressed, and each has the right type. */
  private static boolean isWhole(@Nullable Fault thrown) {
    return thrown != null
        && thrown.type() == FaultType.INDEX
        && thrown.suppressed().size() == OPERATIONS - 1
        && thrown.suppressed().stream().allMatch(each -> each.type() == FaultType.INDEX);
  }
}
