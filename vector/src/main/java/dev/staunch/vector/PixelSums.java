package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.ExecutionContext;
import org.jspecify.annotations.Nullable;

/** The sums of a convolution over images whose channels lie last. */
interface PixelSums {

  /**
   * Writes all of {@code result}.
   *
   * @param bias a row of an element for each channel, at row stride 0
   * @param finite whose element becomes false if {@code result} may be not finite where the
   *     textbook's sums are
   * @param finishing what is done to each block of the result that is there; null for nothing
   */
  @Nullable Fault run(
      ExecutionContext context,
      PixelImages image,
      Matrix bias,
      PixelImages result,
      boolean[] finite,
      @Nullable Finishing finishing);
}
