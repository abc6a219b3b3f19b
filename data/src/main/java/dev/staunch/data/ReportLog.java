package dev.staunch.data;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Logs one line for each report, at most one per second, with the number of reports in between. */
final class ReportLog implements Consumer<Fault> {
  private static final System.Logger LOG = System.getLogger("dev.staunch.data");
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final AtomicLong next = new AtomicLong(System.nanoTime());
  private final AtomicLong passedOver = new AtomicLong();

  @Override
  public void accept(Fault fault) {
    long due = next.get();
    long now = System.nanoTime();
    if (now - due < 0 || !next.compareAndSet(due, now + INTERVAL_NANOS)) {
      passedOver.incrementAndGet();
      return;
    }
    LOG.log(
        System.Logger.Level.WARNING,
        Message.of(
            "%s: %s (%d more since the last line)",
            fault.path().isEmpty() ? "data" : fault.path().getFirst().function(),
            fault,
            passedOver.getAndSet(0)));
  }
}
