package dev.staunch.bench.kernel;

import dev.staunch.eager.Context;
import dev.staunch.eager.ContextOptions;
import dev.staunch.eager.Tensor;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.DType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Times the operations of a list, each computed on the calling thread; prints the best run of each,
 * in microseconds.
 */
public final class BreadthTimes {
  private static final long SIDE = 1024;
  private static final long CHANNELS_LAST = 2;
  private static final Duration WARM_UP = Duration.ofMinutes(1);

  private BreadthTimes() {}

  /**
   * Takes the list's file, {@code plain} or {@code vector}, whether the run is a quick one, and the
   * seconds for warming up and for measuring each operation.
   */
  public static void main(String[] arguments) {
    boolean quick = Boolean.parseBoolean(arguments[2]);
    double warm = Double.parseDouble(arguments[3]);
    double measured = Double.parseDouble(arguments[4]);
    Catalog catalog = StandardOperations.catalog();
    ContextOptions options =
        ContextOptions.standard()
            .withLargeElements(Long.MAX_VALUE)
            .withCatalog(
                arguments[1].equals("plain")
                    ? catalog.with(StandardOperations.plainKernels())
                    : warm(catalog));
    try (OffHeap memory = OffHeap.withDefaultBudget();
        Context context = Context.open(memory, options)) {
      Map<String, Tensor> operands = operands(context);
      Map<String, Runnable> runs = new LinkedHashMap<>();
      for (BreadthCase each : BreadthCase.read(Path.of(arguments[0]))) {
        if (each.quick() || !quick) {
          runs.put(each.name(), each.in(context, operands));
        }
      }
      runs.values().forEach(it -> best(it, warm)); // shared loops have now run for all of them
      runs.forEach((name, it) -> System.out.println(name + "=" + best(it, measured)));
    }
  }

  /** Waits until the kernels on vectors serve; by then their loops are compiled. */
  private static Catalog warm(Catalog catalog) {
    long end = System.nanoTime() + WARM_UP.toNanos();
    catalog.kernels().warmUp();
    while (!catalog.kernels().isWarm() && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(10_000_000);
    }
    return catalog;
  }

  private static Map<String, Tensor> operands(Context context) {
    Tensor x = context.uniform(-2, 2, SIDE, SIDE);
    Tensor h = x.to(DType.BFLOAT16);
    Tensor n = context.randint(-100, 100, SIDE, SIDE);
    Tensor w = context.uniform(-2, 2, 8, 32, 64, 64);
    return Map.ofEntries(
        Map.entry("x", x),
        Map.entry("y", context.uniform(-2, 2, SIDE, SIDE)),
        Map.entry("p", context.uniform(0.1, 4, SIDE, SIDE)),
        Map.entry("q", context.rand(SIDE, SIDE)),
        Map.entry("d", x.to(DType.FLOAT64)),
        Map.entry("h", h),
        Map.entry("n", n),
        Map.entry("j", n.to(DType.INT32)),
        Map.entry("b", n.to(DType.INT8)),
        Map.entry("a", n.to(DType.UINT8)),
        Map.entry("c", context.apply("aten::complex", x, context.rand(SIDE, SIDE))),
        Map.entry("s", context.rand(16, 65536)),
        Map.entry("m", context.rand(SIDE, SIDE).gt(0.5)),
        Map.entry("i", context.randint(0, SIDE, SIDE, SIDE)),
        Map.entry("r", context.randint(0, SIDE, SIDE)),
        Map.entry("v", context.rand(SIDE)),
        Map.entry("w", w),
        Map.entry("l", context.apply("aten::contiguous", w, CHANNELS_LAST)),
        Map.entry("o", context.uniform(-2, 2, 1, 16, 16, 64, 64)),
        Map.entry("k", context.uniform(-2, 2, 16, 16, 3, 3, 3)),
        Map.entry("g", context.uniform(-1, 1, 8, 64, 64, 2)),
        Map.entry("u", x.view(-1)),
        Map.entry("e", x.view(-1, 16)),
        Map.entry("t", x.t()));
  }

  /** The shortest run within some seconds, in microseconds; takes at least three runs. */
  private static double best(Runnable run, double seconds) {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    long shortest = Long.MAX_VALUE;
    for (int runs = 0; runs < 3 || System.nanoTime() < end; runs++) {
      long start = System.nanoTime();
      run.run();
      shortest = Math.min(shortest, System.nanoTime() - start);
    }
    return shortest / 1e3;
  }
}
