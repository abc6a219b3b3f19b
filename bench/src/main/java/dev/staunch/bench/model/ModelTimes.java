package dev.staunch.bench.model;

import dev.staunch.bench.kernel.Roofline;
import dev.staunch.execute.RunOptions;
import dev.staunch.inference.Model;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.lang.foreign.ValueLayout;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Times a model: loading, the first call, the second, and, once it is warm, the median of one
 * caller in microseconds, or the {@code rate} of several callers in requests a second. The JVM's
 * options decide which kernels run. {@code sum} is the sum of all elements of the result; it shows
 * whether two runs computed the same. Given a roofline, {@code gflop} is what the request has to
 * compute, and {@code least} the microseconds that one processor needs for that at least.
 */
public final class ModelTimes {
  private static final int MOST = 20_000;
  private static final int LEAST = 5;

  /** The compilers count as idle if they take less than this in a second. */
  private static final long RESTING_MILLIS = 50;

  private static final long SETTLING_NANOS = 30_000_000_000L;

  private ModelTimes() {}

  /**
   * Takes the folder of the archives, a row, the seconds for warming up and for measuring, the
   * number of calling threads, and perhaps the machine's {@link Roofline}.
   */
  public static void main(String[] arguments) throws InterruptedException {
    ModelRow row = ModelRow.of(arguments[1]);
    OffHeap memory = OffHeap.withDefaultBudget();
    long start = System.nanoTime();
    Path archive = Path.of(arguments[0], row.model() + ".pt");
    try (Model model = Model.load(archive, memory);
        ResourceScope scope = ResourceScope.open(memory, "bench")) {
      print("load", (System.nanoTime() - start) / 1e3);
      List<Object> inputs = row.inputs(scope);
      print("first", call(model, scope, inputs));
      print("second", call(model, scope, inputs));
      long before = System.nanoTime();
      becomeWarm(model, scope, inputs);
      print("warm", (System.nanoTime() - before) / 1e3);
      double warmUp = Double.parseDouble(arguments[2]);
      double seconds = Double.parseDouble(arguments[3]);
      int callers = Integer.parseInt(arguments[4]);
      if (callers > 1) {
        rate(callers, warmUp, model, scope, inputs);
        settle(callers, model, scope, inputs);
        print("rate", rate(callers, seconds, model, scope, inputs));
      } else {
        repeat(warmUp, LEAST, model, scope, inputs);
        settle(1, model, scope, inputs);
        Times all = repeat(seconds, LEAST, model, scope, inputs);
        double[] times = all.last();
        print("mean", all.mean());
        print("median", times[times.length / 2]);
        print("p10", times[times.length / 10]);
        print("p99", times[times.length * 99 / 100]);
      }
      print("sum", sum(model, scope, inputs));
      if (arguments.length > 5) {
        ModelWork work = work(model, scope, inputs, Roofline.parse(arguments[5]));
        print("gflop", 2e-9 * work.multiplyAdds());
        print("least", work.nanos() / 1e3);
      }
    }
  }

  /** Calls the model until the final kernels serve, for a minute at most. */
  private static void becomeWarm(Model model, ResourceScope scope, List<Object> inputs) {
    KernelSet kernels = StandardOperations.catalog().kernels();
    kernels.warmUp();
    long end = System.nanoTime() + 60_000_000_000L;
    do {
      call(model, scope, inputs);
    } while (!kernels.isWarm() && System.nanoTime() - end < 0);
  }

  /**
   * Sends requests until the compilers are idle, for half a minute at most: if callers take all
   * processors, compilation comes late.
   */
  private static void settle(int callers, Model model, ResourceScope scope, List<Object> inputs)
      throws InterruptedException {
    long end = System.nanoTime() + SETTLING_NANOS;
    long before;
    do {
      before = compiledMillis();
      rate(callers, 1, model, scope, inputs);
    } while (compiledMillis() - before >= RESTING_MILLIS && System.nanoTime() - end < 0);
  }

  private static long compiledMillis() {
    CompilationMXBean compilation = ManagementFactory.getCompilationMXBean();
    return compilation == null ? 0 : compilation.getTotalCompilationTime();
  }

  private static void print(String name, double value) {
    System.out.println(name + "=" + value);
  }

  /**
   * @param last the times of the last calls, sorted
   * @param mean the mean of all calls, including the time between them: the inverse of their rate
   */
  private record Times(double[] last, double mean) {}

  /** Calls the model for some seconds and at least {@code least} times. */
  private static Times repeat(
      double seconds, int least, Model model, ResourceScope scope, List<Object> inputs) {
    double[] times = new double[MOST];
    long start = System.nanoTime();
    long end = start + (long) (seconds * 1e9);
    int count = 0;
    while (count < least || System.nanoTime() < end) {
      times[count % MOST] = call(model, scope, inputs);
      count++;
    }
    double mean = (System.nanoTime() - start) / 1e3 / count;
    double[] last = Arrays.copyOf(times, Math.min(count, MOST));
    Arrays.sort(last);
    return new Times(last, mean);
  }

  /** Requests a second of {@code callers} threads, which all call for some seconds. */
  private static double rate(
      int callers, double seconds, Model model, ResourceScope scope, List<Object> inputs)
      throws InterruptedException {
    LongAdder count = new LongAdder();
    long start = System.nanoTime();
    long end = start + (long) (seconds * 1e9);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      Thread thread =
          new Thread(
              () -> {
                while (System.nanoTime() < end) {
                  call(model, scope, inputs);
                  count.increment();
                }
              },
              "caller-" + i);
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return count.sum() * 1e9 / (System.nanoTime() - start);
  }

  /** The duration of a call, including the release of its results. */
  private static double call(Model model, ResourceScope scope, List<Object> inputs) {
    long start = System.nanoTime();
    try (ResourceScope own = scope.child("request")) {
      checked(model.call("forward", inputs, RunOptions.in(own)));
    }
    return (System.nanoTime() - start) / 1e3;
  }

  /** What the operations of a request have to compute. */
  private static ModelWork work(
      Model model, ResourceScope scope, List<Object> inputs, Roofline roofline) {
    ModelWork work = new ModelWork(StandardOperations.catalog(), roofline);
    try (ResourceScope own = scope.child("request")) {
      checked(model.call("forward", inputs, RunOptions.in(own).withInterceptor(work)));
    }
    return work;
  }

  private static double sum(Model model, ResourceScope scope, List<Object> inputs) {
    try (ResourceScope own = scope.child("request")) {
      DenseTensor result = checked(model.call("forward", inputs, RunOptions.in(own)));
      double sum = 0;
      for (long i = 0; i < result.elements(); i++) {
        // Each element has its own weight: the elements of a softmax add up to 1 whatever they are.
        float element = result.segment().getAtIndex(ValueLayout.JAVA_FLOAT, i);
        sum += element * (1 + i % 7);
      }
      return sum;
    }
  }

  private static DenseTensor checked(Object result) {
    if (result instanceof DenseTensor tensor) {
      return tensor;
    }
    throw new IllegalStateException("the model gave " + result);
  }
}
