package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.ExecutionContext;
import org.jspecify.annotations.Nullable;

/** The sums of a convolution over images with channels last. */
interface PixelSums {

  /**
   * Writes all of {@code result}.
   *
   * @param bias one row with an element for each channel, at row stride 0
   * @param finite its element becomes false if {@code result} may not be finite where the
   *     textbook's sums are
   * @param finishing what to do with each completed block of the result; null for nothing
   */
  @Nullable Fault run(
      ExecutionContext context,
      PixelImages image,
      Matrix bias,
      PixelImages result,
      boolean[] finite,
      @Nullable Finishing finishing);
}
