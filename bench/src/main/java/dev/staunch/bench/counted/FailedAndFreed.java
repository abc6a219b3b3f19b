package dev.staunch.bench.counted;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * 400 tensors of 4 MiB that fail after they were written, and are freed without being read. A
 * hundred more precede them, so that memory taken by the JVM during warm-up does not count.
 */
public final class FailedAndFreed {
  private static final int TENSORS = 400;
  private static final int WARM_UP = 100;
  private static final int SIDE = 1024;

  private FailedAndFreed() {}

  /** Prints {@code name=value} lines. */
  public static void main(String[] arguments) {
    measure().forEach((name, value) -> System.out.println(name + "=" + value));
  }

  private static Map<String, Double> measure() {
    OffHeap memory = OffHeap.withDefaultBudget();
    try (Context context = Context.open(memory)) {
      failAndFree(context, WARM_UP);
      long held = context.bytes();
      long resident = ResidentMemory.bytes();
      failAndFree(context, TENSORS);
      Map<String, Double> figures = new LinkedHashMap<>();
      figures.put("faults", (double) context.faults());
      figures.put("bytesAbove", (double) context.bytes() - held);
      figures.put("residentMiB", (ResidentMemory.bytes() - resident) / 1024.0 / 1024.0);
      return figures;
    }
  }

  private static void failAndFree(Context context, int count) {
    for (int i = 0; i < count; i++) {
      Tensor tensor = context.ones(SIDE, SIDE);
      tensor.value();
      tensor.normal_(0, -1);
      tensor.close();
    }
    settle(context);
  }

  private static void settle(Context context) {
    try {
      context.waitAll();
    } catch (StaunchException expected) {
      // The faults that nobody read.
    }
  }
}
