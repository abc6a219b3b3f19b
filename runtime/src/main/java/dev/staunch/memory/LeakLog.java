package dev.staunch.memory;

import java.lang.System.Logger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Logs leaks as warnings, at most one in ten seconds; the next line says how many were left out.
 */
final class LeakLog implements Consumer<Leak> {
  private static final long PAUSE_NANOS = 10_000_000_000L;

  private final AtomicLong quietUntil = new AtomicLong(System.nanoTime());
  private final AtomicLong leftOut = new AtomicLong();
  private final long pauseNanos;
  private final Consumer<String> lines;

  LeakLog() {
    this(
        PAUSE_NANOS,
        line -> System.getLogger(LeakLog.class.getName()).log(Logger.Level.WARNING, line));
  }

  /** A log that writes at most one line per {@code pauseNanos}. */
  LeakLog(long pauseNanos, Consumer<String> lines) {
    this.pauseNanos = pauseNanos;
    this.lines = lines;
  }

  @Override
  public void accept(Leak leak) {
    long until = quietUntil.get();
    long now = System.nanoTime();
    if (now - until < 0 || !quietUntil.compareAndSet(until, now + pauseNanos)) {
      leftOut.incrementAndGet();
      return;
    }
    long more = leftOut.getAndSet(0);
    String others = more == 0 ? "" : " (" + more + " leaks before this one were not logged)";
    lines.accept("leak: " + leak.report() + others);
  }

  /** The number of leaks since the last line. */
  long leftOut() {
    return leftOut.get();
  }
}
