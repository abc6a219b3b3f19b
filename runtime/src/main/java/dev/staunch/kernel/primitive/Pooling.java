package dev.staunch.kernel.primitive;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import org.jspecify.annotations.Nullable;

/** Pooling over the last one or two dimensions, prepared for operands of one form. */
public interface Pooling {

  /** How a window of elements becomes one element. */
  sealed interface Rule {
    /**
     * The greatest element, or NaN if there is one; negative infinity if the window covers only
     * padding.
     */
    record Maximum(Window vertical, Window horizontal) implements Rule {}

    /**
     * The sum divided by a divisor.
     *
     * @param countPadding whether elements of the padding count
     * @param divisor used instead of the number of elements; null to use that number
     */
    record Mean(Window vertical, Window horizontal, boolean countPadding, @Nullable Long divisor)
        implements Rule {

      /** By what the sum of the window at this place of a plane is divided. */
      public long divisor(int row, int column, int height, int width) {
        return divisor != null
            ? divisor
            : (long) counted(vertical, row, height) * counted(horizontal, column, width);
      }

      /**
       * How many of {@code size} elements, and of those of the padding, a position of the window
       * counts; 1 if it covers only padding, whose sum is 0.
       */
      public int counted(Window window, int position, int size) {
        int start = window.at(position, 0);
        int first = Math.max(0, start);
        int end = Math.min(start + window.kernel(), size);
        if (end <= first) {
          return 1;
        }
        return countPadding
            ? Math.min(start + window.kernel(), size + window.after()) - start
            : end - first;
      }
    }

    /** The mean over windows that divide the plane as evenly as possible. */
    record AdaptiveMean() implements Rule {}
  }

  /**
   * What to compute. Only the shape and strides of a layout matter.
   *
   * @param input [*, H, W], or [*, W] for one dimension; of a floating dtype
   * @param result [*, H', W'] or [*, W'], row-major; with four dimensions also channels last
   * @param dims 1 or 2
   */
  record Request(DType dtype, Layout input, Layout result, int dims, Rule rule) {}

  /**
   * Writes all of {@code result}, which shares no memory with {@code input}.
   *
   * @return the fault of a cancellation; {@code result} is then undefined
   */
  @Nullable Fault run(ExecutionContext context, DenseTensor input, DenseTensor result);
}
