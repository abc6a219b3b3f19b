package dev.staunch.bench.ours;

import dev.staunch.eager.Context;
import dev.staunch.eager.ContextOptions;
import dev.staunch.eager.Tensor;
import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import java.util.Map;

/** 200 rounds of 200 operations that all fail, at the same time, on four workers. */
final class ConcurrentFaults {
  /** How many faults one run has to report. */
  static final int EXPECTED = 200 * 200;

  private static final int ROUNDS = 200;
  private static final int OPERATIONS = 200;
  private static final int WORKERS = 4;

  private ConcurrentFaults() {}

  static Map<String, Double> measure() {
    ContextOptions options =
        ContextOptions.standard().withEngine(EngineOptions.threaded(WORKERS)).withLargeElements(1);
    try (Context context = Context.open(OffHeap.withDefaultBudget(), options)) {
      Tensor table = context.ones(4);
      Tensor bad = context.tensor(new long[] {9, 9});
      context.waitAll();
      long before = context.bytes();
      int thrown = 0;
      int reported = 0;
      for (int round = 0; round < ROUNDS; round++) {
        Tensor[] failed = new Tensor[OPERATIONS];
        for (int i = 0; i < OPERATIONS; i++) {
          failed[i] = table.indexSelect(0, bad);
        }
        thrown += throwsAtBarrier(context) ? 1 : 0;
        for (Tensor each : failed) {
          reported += each.fault() == null ? 0 : 1;
          each.close();
        }
      }
      return Map.of(
          "barriersThrown", (double) thrown,
          "reported", (double) reported,
          "expected", (double) EXPECTED,
          "bytesAbove", (double) context.bytes() - before);
    }
  }

  private static boolean throwsAtBarrier(Context context) {
    try {
      context.waitAll();
      return false;
    } catch (StaunchException expected) {
      return true;
    }
  }
}
