package dev.staunch.inference;

import dev.staunch.engine.CancelScope;
import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.primitive.KernelSet;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How a model warmed up: {@link Model#warmUp}.
 *
 * @param requests how many requests were answered
 * @param total the total time
 * @param first how long the first request took
 * @param typical how long a request took at the end: the median of the last requests measured
 * @param settled whether times had stopped falling, the JVM's compilers had little left to do, and
 *     the kernels were {@linkplain dev.staunch.kernel.primitive.KernelSet#isWarm warm}; false if
 *     the limit came first
 */
public record WarmUp(
    long requests, Duration total, Duration first, Duration typical, boolean settled) {
  private static final long WINDOW_NANOS = 100_000_000;
  private static final int WINDOW_REQUESTS = 5;

  /** The warm-up ends after this many consecutive windows that are no faster. */
  private static final int PATIENCE = 5;

  /** A window whose median is at least this fraction of the best is no faster. */
  private static final double NOTABLE = 0.95;

  /**
   * A window can only count towards the end if compilation took at most one part in this many of
   * it.
   */
  private static final long QUIET = 5;

  /**
   * Has {@code answer} answer {@code requests} round-robin until times have settled, the limit is
   * reached, or it gives a request up because it takes too long.
   *
   * @param answer returns whether it answered the request
   * @param compiledMillis how long the JVM has spent compiling so far
   * @param isWarm whether the code that computes now is the code that will compute from now on
   */
  static WarmUp of(
      List<InferenceRequest> requests,
      Duration limit,
      Predicate<InferenceRequest> answer,
      LongSupplier nanoTime,
      LongSupplier compiledMillis,
      BooleanSupplier isWarm) {
    long start = nanoTime.getAsLong();
    long end = limit.toNanos();
    long first = -1;
    long median = 0;
    long best = Long.MAX_VALUE;
    int waited = 0;
    int next = 0;
    long count = 0;
    long now = 0;
    boolean answered = true;
    while (answered && now < end && waited < PATIENCE) {
      long[] times = new long[64];
      int seen = 0;
      long opened = now;
      long compiled = compiledMillis.getAsLong();
      while (answered && now < end && (now - opened < WINDOW_NANOS || seen < WINDOW_REQUESTS)) {
        answered = answer.test(requests.get(next));
        next = (next + 1) % requests.size();
        long after = nanoTime.getAsLong() - start;
        if (answered) {
          times[seen++ % times.length] = after - now;
          first = first < 0 ? after - now : first;
          count++;
        }
        now = after;
      }
      median = seen == 0 ? median : median(Arrays.copyOf(times, Math.min(seen, times.length)));
      long compiling = Duration.ofMillis(compiledMillis.getAsLong() - compiled).toNanos();
      boolean isQuiet = isWarm.getAsBoolean() && compiling * QUIET <= now - opened;
      waited = isQuiet && median >= best * NOTABLE ? waited + 1 : 0;
      best = Math.min(best, median);
    }
    return new WarmUp(
        count,
        Duration.ofNanos(now),
        Duration.ofNanos(Math.max(0, first)),
        Duration.ofNanos(median),
        answered && waited == PATIENCE);
  }

  /**
   * As {@link Model#warmUp(List, String, Duration)} says.
   *
   * @param rehearsal answers a request; returns its fault, or null
   * @param cancel stops a request that takes too long
   */
  static WarmUp of(
      List<InferenceRequest> requests,
      Duration limit,
      Function<InferenceRequest, @Nullable Fault> rehearsal,
      CancelScope cancel,
      KernelSet kernels) {
    kernels.warmUp();
    AtomicLong answered = new AtomicLong();
    return of(
        atLeastOne(requests),
        limit,
        request -> {
          Fault fault = rehearsal.apply(request);
          if (fault == null) {
            answered.incrementAndGet();
            return true;
          }
          if (answered.get() > 0 && cancel.check() != null) {
            return false;
          }
          throw (cancel.check() == null ? fault : late(fault)).toException();
        },
        System::nanoTime,
        WarmUp::compiledMillis,
        kernels::isWarm);
  }

  /** The fault for a first request that took too long. */
  private static Fault late(Fault fault) {
    String text = "the first request of the warm-up had no answer in twice its limit: ";
    return fault.withMessage(text + fault.message());
  }

  /** How long this JVM has spent compiling, or 0 if it does not report that. */
  private static long compiledMillis() {
    CompilationMXBean compilation = ManagementFactory.getCompilationMXBean();
    return compilation != null && compilation.isCompilationTimeMonitoringSupported()
        ? compilation.getTotalCompilationTime()
        : 0;
  }

  private static long median(long[] times) {
    Arrays.sort(times);
    return times.length == 0 ? 0 : times[times.length / 2];
  }

  /**
   * @throws StaunchException if there is nothing to warm up with
   */
  private static List<InferenceRequest> atLeastOne(List<InferenceRequest> requests) {
    if (requests.isEmpty()) {
      throw JsonWords.wrong("there is no request to warm up with").toException();
    }
    return List.copyOf(requests);
  }
}
