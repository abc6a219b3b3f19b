package dev.staunch.memory;

import java.lang.System.Logger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Logs leaks as warnings, at most one in ten seconds; the next line says how many were left out.
 */
final class LeakLog implements Consumer<Leak> {
  private static final long PAUSE_NANOS = 10_000_000_000L;

  private final LongSupplier clock;
  private final Consumer<String> lines;
  private final AtomicLong quietUntil;
  private final AtomicLong leftOut = new AtomicLong();

  LeakLog() {
    this(
        System::nanoTime,
        line -> System.getLogger(LeakLog.class.getName()).log(Logger.Level.WARNING, line));
  }

  /**
   * With another clock and another log.
   *
   * @param clock returns nanoseconds
   * @param lines receives each line
   */
  LeakLog(LongSupplier clock, Consumer<String> lines) {
    this.clock = clock;
    this.lines = lines;
    this.quietUntil = new AtomicLong(clock.getAsLong());
  }

  @Override
  public void accept(Leak leak) {
    long until = quietUntil.get();
    long now = clock.getAsLong();
    if (now - until < 0 || !quietUntil.compareAndSet(until, now + PAUSE_NANOS)) {
      leftOut.incrementAndGet();
      return;
    }
    long more = leftOut.getAndSet(0);
    String others = more == 0 ? "" : " (" + more + " leaks before this one were not logged)";
    lines.accept("leak: " + leak.report() + others);
  }
}
