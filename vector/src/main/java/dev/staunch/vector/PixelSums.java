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

  /** Whether a result that is not finite is what the textbook's sums are. */
  boolean isExact();

  /** Writes all of {@code result}. */
  @Nullable Fault run(ExecutionContext context, MemorySegment image, MemorySegment result);
}
