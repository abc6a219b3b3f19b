package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.ExecutionContext;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The sums of a convolution over one image whose channels lie last, padding included: both images
 * are row after row of pixels, from the first element of a segment on.
 */
interface PixelSums {
  /** Rows of the image with its padding. */
  int rows();

  int columns();

  /** Rows of the result; the last ones may be beyond it. */
  int resultRows();

  int resultColumns();

  /**
   * Writes all of {@code result}.
   *
   * @param finite whose element becomes false if {@code result} may be not finite where the
   *     textbook's sums are
   */
  @Nullable Fault run(
      ExecutionContext context, MemorySegment image, MemorySegment result, boolean[] finite);
}
