package dev.staunch.data;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import java.util.function.Consumer;

/**
 * How far a {@link Prefetcher} reads ahead. Immutable; created at the edge.
 *
 * @param batches the most batches that wait to be taken
 * @param bytes the most bytes that wait. The next batch is read only if one as large as the last
 *     would still fit, or if none is waiting. A batch larger than this limit therefore passes
 *     alone, and no more than this limit plus one batch is ever held.
 * @param reports receives each fault that nobody else sees: one that was skipped or that nobody
 *     took, a batch or source that fails to close, a producer that does not stop. Called on any
 *     thread, including one that is closing the prefetcher, and should not block; whatever it
 *     throws is ignored.
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

  /** Eight batches, 256 MiB, and one log line for each report, but at most one per second. */
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
