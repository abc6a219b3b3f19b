package dev.staunch.engine;

import dev.staunch.fault.Fault;
import dev.staunch.fault.SourceLocation;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The default handler of faults that nobody has read: one line in the log each, at most one a
 * second, with the number of those in between (F10).
 */
final class UnreadLog implements Consumer<Fault> {
  private static final System.Logger LOG = System.getLogger("dev.staunch.engine");
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final AtomicLong next = new AtomicLong(System.nanoTime());
  private final AtomicLong passedOver = new AtomicLong();
  private final long intervalNanos;
  private final Consumer<String> lines;

  UnreadLog() {
    this(INTERVAL_NANOS, line -> LOG.log(System.Logger.Level.WARNING, line));
  }

  /** One that writes at most a line per {@code intervalNanos}. */
  UnreadLog(long intervalNanos, Consumer<String> lines) {
    this.intervalNanos = intervalNanos;
    this.lines = lines;
  }

  @Override
  public void accept(Fault fault) {
    long due = next.get();
    long now = System.nanoTime();
    if (now - due < 0 || !next.compareAndSet(due, now + intervalNanos)) {
      passedOver.incrementAndGet();
      return;
    }
    SourceLocation source = fault.source();
    String operation = fault.operation();
    lines.accept(
        "a fault was never read: %s%s%s (%d more since the last line)"
            .formatted(
                fault,
                operation == null ? "" : " in " + operation,
                source == null ? "" : " at " + source.place(),
                passedOver.getAndSet(0)));
  }

  /** How many faults there were since the last line. */
  long passedOver() {
    return passedOver.get();
  }
}
