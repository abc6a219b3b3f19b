package dev.staunch.kernel.primitive;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import org.jspecify.annotations.Nullable;

/** Pooling over the last one or two dimensions, prepared for operands of one form. */
public interface Pooling {

  /** What a window becomes. */
  sealed interface Rule {
    /** Its greatest element, NaN included; negative infinity if it covers padding alone. */
    record Maximum(Window vertical, Window horizontal) implements Rule {}

    /**
     * Its sum over a divisor.
     *
     * @param countPadding whether elements of the padding count
     * @param divisor takes the place of the number of elements; null for that
     */
    record Mean(Window vertical, Window horizontal, boolean countPadding, @Nullable Long divisor)
        implements Rule {}

    /** The mean of windows that divide the plane as evenly as they can. */
    record AdaptiveMean() implements Rule {}
  }

  /**
   * What is to be computed. Of layouts only shape and strides matter.
   *
   * @param input [*, H, W], or [*, W] for one dimension; of a floating dtype
   * @param result [*, H', W'] or [*, W'], row-major; or of four dimensions, channels last
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
