package dev.staunch.bench.model;

import dev.staunch.inference.Model;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Shows how a service becomes fast, with one request after another. Without a warm-up, prints the
 * milliseconds from the start of the process until the rate has first been 90 % of the peak. With
 * one, prints the milliseconds until it has ended, and those of the second request after it and of
 * a usual one.
 */
public final class ModelWarming {
  private static final int WINDOW_MILLIS = 100;
  private static final int USUAL = 10_000;
  private static final Duration WARM_UP = Duration.ofSeconds(20);

  private ModelWarming() {}

  /**
   * Takes the folder of the archives, a row, the start of the process in epoch milliseconds, and
   * for how many seconds of the process to send requests; 0 for a warm-up.
   */
  public static void main(String[] arguments) {
    ModelRow row = ModelRow.of(arguments[1]);
    long started = Long.parseLong(arguments[2]);
    int seconds = Integer.parseInt(arguments[3]);
    OffHeap memory = OffHeap.withDefaultBudget();
    try (Model model = Model.load(Path.of(arguments[0], row.model() + ".pt"), memory);
        ResourceScope scope = ResourceScope.open(memory, "bench")) {
      List<Object> inputs = row.inputs(scope);
      if (seconds > 0) {
        System.out.println("ninety=" + ninety(model, scope, inputs, started, seconds));
        return;
      }
      model.warmUp(WARM_UP);
      System.out.println("warm=" + (System.currentTimeMillis() - started));
      ModelStart.call(model, scope, inputs);
      System.out.println("second=" + ModelStart.call(model, scope, inputs));
      double[] times = new double[USUAL];
      Arrays.setAll(times, i -> ModelStart.call(model, scope, inputs));
      Arrays.sort(times);
      System.out.println("usual=" + times[USUAL / 2]);
    }
  }

  /** The peak is the median of the last third of the windows. */
  private static long ninety(
      Model model, ResourceScope scope, List<Object> inputs, long started, int seconds) {
    int[] windows = new int[seconds * 1000 / WINDOW_MILLIS];
    for (int at = 0; at < windows.length; ) {
      ModelStart.call(model, scope, inputs);
      at = (int) ((System.currentTimeMillis() - started) / WINDOW_MILLIS);
      if (at < windows.length) {
        windows[at]++;
      }
    }
    int[] late = Arrays.copyOfRange(windows, windows.length * 2 / 3, windows.length);
    Arrays.sort(late);
    double enough = 0.9 * late[late.length / 2];
    int at = 0;
    while (windows[at] < enough) {
      at++;
    }
    return (at + 1L) * WINDOW_MILLIS;
  }
}
