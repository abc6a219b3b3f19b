package dev.staunch.data;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import java.util.function.Consumer;

/**
 * How far a {@link Prefetcher} reads ahead; immutable, made at the edge.
 *
 * @param batches the most batches that wait
 * @param bytes the most bytes that wait. The next batch is asked for only if one as large as the
 *     last would still fit, or if none waits; so one that is larger passes alone, and no more than
 *     this and one batch is ever held.
 * @param reports told of each fault that nobody else hears of: one that was passed over or that
 *     nobody took, a batch or source that fails to close, a producer that does not stop. Called on
 *     any thread, a closing one too, and should not block; what it throws is dropped.
 */
public record PrefetchOptions(int batches, long bytes, Consumer<Fault> reports) {
  private static final int BATCHES = 8;
  private static final long BYTES = 256L << 20;

  public PrefetchOptions {
    if (batches < 1 || bytes < 1) {
      throw new IllegalArgumentException(
          Message.of(
              "a prefetcher needs room for at least one batch and one byte, got %d and %d",
              batches, bytes));
    }
  }

  /** Eight batches, 256 MiB, a line in the log for each report, but one a second at the most. */
  public static PrefetchOptions defaults() {
    return new PrefetchOptions(BATCHES, BYTES, new ReportLog());
  }

  public PrefetchOptions withBatches(int most) {
    return new PrefetchOptions(most, bytes, reports);
  }

  public PrefetchOptions withBytes(long most) {
    return new PrefetchOptions(batches, most, reports);
  }

  public PrefetchOptions withReports(Consumer<Fault> listener) {
    return new PrefetchOptions(batches, bytes, listener);
  }
}
