import dev.staunch.engine.CancelScope;
import dev.staunch.fault.FaultType;
import dev.staunch.inference.Answer;
import dev.staunch.inference.InferenceRequest;
import dev.staunch.inference.Model;
import dev.staunch.inference.ProtocolReader;
import dev.staunch.inference.WarmUp;
import dev.staunch.memory.OffHeap;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Answers requests one after the other, starting with the process, and prints how many a second it
 * answered, as a share of the peak: {@code tools/warm-curve}.
 */
class WarmCurve {
  private static final int WINDOW_MILLIS = 250;

  /** The limit for all requests after a warm-up together. */
  private static final long MOST_NANOS = Duration.ofSeconds(20).toNanos();

  public static void main(String[] arguments) throws Exception {
    Instant started = ProcessHandle.current().info().startInstant().orElseThrow();
    int seconds = Integer.parseInt(arguments[0]);
    long[] windows = new long[seconds * 1000 / WINDOW_MILLIS];
    try (Model model = Model.load(Path.of(arguments[1]), OffHeap.withDefaultBudget())) {
      List<InferenceRequest> requests = requests(model, arguments);
      if (Boolean.getBoolean("warm.up")) {
        afterWarmUp(model, requests, Duration.ofSeconds(seconds), started);
        return;
      }
      long first = -1;
      int next = 0;
      for (long now = since(started); now < seconds * 1000L; now = since(started)) {
        model.predict(requests.get(next)).orThrow();
        next = (next + 1) % requests.size();
        long answered = since(started);
        first = first < 0 ? answered : first;
        if (answered < seconds * 1000L) {
          windows[(int) (answered / WINDOW_MILLIS)]++;
        }
      }
      print(windows, first);
    }
  }

  /** The times of a service's first real requests, each with a deadline of a second. */
  private static void afterWarmUp(
      Model model, List<InferenceRequest> requests, Duration limit, Instant started) {
    WarmUp warm = model.warmUp(requests, model.defaultMethod(), limit);
    System.out.printf(
        Locale.ROOT,
        "warm after %.2f s: %,d requests, the first %.1f ms, the usual %.3f ms%s%n",
        since(started) / 1000.0,
        warm.requests(),
        warm.first().toNanos() / 1e6,
        warm.typical().toNanos() / 1e6,
        warm.settled() ? "" : "; not settled");
    long slowest = 0;
    long first = 0;
    int late = 0;
    int asked = 0;
    for (long until = System.nanoTime() + MOST_NANOS;
        asked < 100 && System.nanoTime() < until;
        asked++) {
      long before = System.nanoTime();
      CancelScope deadline = CancelScope.withDeadline(Duration.ofSeconds(1));
      Answer answer = model.predict(requests.get(asked % requests.size()), deadline);
      long took = System.nanoTime() - before;
      if (answer.failed() && answer.fault().type() == FaultType.DEADLINE_EXCEEDED) {
        late++;
      } else {
        answer.orThrow();
      }
      first = asked == 0 ? took : first;
      slowest = Math.max(slowest, took);
    }
    System.out.printf(
        Locale.ROOT,
        "the next took %.3f ms, the slowest of %d %.3f ms; %d were later than a second%n",
        first / 1e6,
        asked,
        slowest / 1e6,
        late);
  }

  private static List<InferenceRequest> requests(Model model, String[] arguments)
      throws Exception {
    if (arguments.length < 3) {
      return List.of(model.example(model.defaultMethod(), Duration.ofSeconds(20)));
    }
    ProtocolReader reader = new ProtocolReader();
    return Files.readAllLines(Path.of(arguments[2])).stream()
        .map(line -> reader.read(line).request())
        .filter(request -> request != null && !model.predict(request).failed())
        .toList();
  }

  private static long since(Instant started) {
    return Duration.between(started, Instant.now()).toMillis();
  }

  /** The peak is the median of the last half: a single fast window does not count. */
  private static void print(long[] windows, long first) {
    long[] late = Arrays.copyOfRange(windows, windows.length / 2, windows.length);
    Arrays.sort(late);
    long peak = Math.max(1, late[late.length / 2]);
    int warm = 0;
    while (warm < windows.length && windows[warm] < 0.9 * peak) {
      warm++;
    }
    System.out.printf(Locale.ROOT, "first answer after %.2f s%n", first / 1000.0);
    System.out.printf(
        Locale.ROOT,
        "90 %% of the peak, %,d requests a second, after %.2f s%n",
        peak * 1000 / WINDOW_MILLIS,
        (warm + 1) * WINDOW_MILLIS / 1000.0);
    for (int i = 0; i < windows.length && i <= 2 * warm + 4; i++) {
      int share = (int) Math.min(100, 100 * windows[i] / peak);
      System.out.printf(
          Locale.ROOT,
          "%6.2f s %3d %% %s%n",
          (i + 1) * WINDOW_MILLIS / 1000.0,
          share,
          "#".repeat(share / 2));
    }
  }
}
