package dev.staunch.kernel.primitive;

import dev.staunch.fault.Fault;
import org.jspecify.annotations.Nullable;

/**
 * What is still done to each element of a result, such as an activation: by the primitive that
 * computes the result, as soon as a block of it is there and still near. It cannot fail.
 */
@FunctionalInterface
public interface Epilogue {
  /**
   * Finishes elements of the result that lie side by side and have been computed. Each element is
   * finished once, after which nobody reads or writes it before the primitive returns. Threads may
   * finish different elements at once.
   *
   * @param from the first one's place, in elements behind the result's first
   */
  void finish(long from, long count);

  /** Finishes a whole result without gaps, with looks for cancellation in between. */
  default @Nullable Fault finishAll(ExecutionContext context, long count) {
    long piece = 1 << 16;
    if (count > 0 && count <= piece) {
      finish(0, count); // without the lambda: a small model need not link it
      return null;
    }
    return context.parallel(
        count,
        piece,
        (first, end) -> {
          finish(first, end - first);
          return end < count ? context.cancelled() : null;
        });
  }
}
