package dev.staunch.kernel.primitive;

import dev.staunch.fault.Fault;
import org.jspecify.annotations.Nullable;

/**
 * An operation to apply to each element of a result, such as an activation. The primitive that
 * computes the result applies it to each finished block while the block is still in cache. It
 * cannot fail.
 */
@FunctionalInterface
public interface Epilogue {
  /**
   * Finishes adjacent elements of the result that have been computed. Each element is finished
   * once; after that, nothing reads or writes it before the primitive returns. Threads may finish
   * different elements at once.
   *
   * @param from the index of the first one, in elements from the start of the result
   */
  void finish(long from, long count);

  /** Finishes a whole result without gaps, polling for cancellation in between. */
  default @Nullable Fault finishAll(ExecutionContext context, long count) {
    long piece = 1 << 16;
    if (count > 0 && count <= piece) {
      finish(0, count); // without the lambda, so that a small model need not link it
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
