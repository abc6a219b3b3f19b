package dev.staunch.engine;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.SourceLocation;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The default handler of unread faults: logs one line for each, at most one a second, with the
 * number of those in between (F10).
 */
final class UnreadLog implements Consumer<Fault> {
  private static final System.Logger LOG = System.getLogger("dev.staunch.engine");
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier clock;
  private final Consumer<String> lines;
  private final AtomicLong next;
  private final AtomicLong passedOver = new AtomicLong();

  UnreadLog() {
    this(System::nanoTime, UnreadLog::log);
  }

  /**
   * With another clock and another log.
   *
   * @param clock returns nanoseconds
   * @param lines receives each line
   */
  UnreadLog(LongSupplier clock, Consumer<String> lines) {
    this.clock = clock;
    this.lines = lines;
    this.next = new AtomicLong(clock.getAsLong());
  }

  /** Writes to the log of the engine. */
  static void log(String line) {
    LOG.log(System.Logger.Level.WARNING, line);
  }

  @Override
  public void accept(Fault fault) {
    long due = next.get();
    long now = clock.getAsLong();
    if (now - due < 0 || !next.compareAndSet(due, now + INTERVAL_NANOS)) {
      passedOver.incrementAndGet();
      return;
    }
    SourceLocation source = fault.source();
    String operation = fault.operation();
    lines.accept(
        Message.of(
            "a fault was never read: %s%s%s (%d more since the last line)",
            fault,
            operation == null ? "" : " in " + operation,
            source == null ? "" : " at " + source.place(),
            passedOver.getAndSet(0)));
  }
}
