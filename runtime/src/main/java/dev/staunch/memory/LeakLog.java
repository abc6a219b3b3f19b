package dev.staunch.memory;

import java.lang.System.Logger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Logs leaks as warnings, at most one in ten seconds; the next one says how many were left out. */
final class LeakLog implements Consumer<Leak> {
  private static final long PAUSE_NANOS = 10_000_000_000L;

  private final AtomicLong quietUntil = new AtomicLong(System.nanoTime());
  private final AtomicLong leftOut = new AtomicLong();

  @Override
  public void accept(Leak leak) {
    long until = quietUntil.get();
    long now = System.nanoTime();
    if (now - until < 0 || !quietUntil.compareAndSet(until, now + PAUSE_NANOS)) {
      leftOut.incrementAndGet();
      return;
    }
    long more = leftOut.getAndSet(0);
    String others = more == 0 ? "" : " (" + more + " leaks before this one were not logged)";
    System.getLogger(LeakLog.class.getName())
        .log(Logger.Level.WARNING, "leak: " + leak.report() + others);
  }
}
