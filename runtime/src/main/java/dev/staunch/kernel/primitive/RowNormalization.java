package dev.staunch.kernel.primitive;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import org.jspecify.annotations.Nullable;

/**
 * Layer normalisation, prepared for operands of one form. A row spans the last dimensions; its mean
 * is subtracted, and the difference is divided by the square root of its variance.
 */
public interface RowNormalization {

  /**
   * What to compute. All operands have one floating dtype. Only the shape and strides of a layout
   * matter.
   *
   * @param result of the input's shape
   * @param dims how many of the last dimensions make up a row
   * @param weight a factor for each element of a row, of these dimensions; null for none
   * @param bias added after that; null for none
   * @param epsilon added to the variance
   */
  record Request(
      DType dtype,
      Layout input,
      Layout result,
      int dims,
      @Nullable Layout weight,
      @Nullable Layout bias,
      double epsilon) {}

  /**
   * Writes all of {@code result}, which shares no memory with the operands.
   *
   * @param weight null exactly if the request has none; the same holds for {@code bias}
   * @return the fault of a cancellation or of too little memory; {@code result} is then undefined
   */
  @Nullable Fault run(
      ExecutionContext context,
      DenseTensor input,
      @Nullable DenseTensor weight,
      @Nullable DenseTensor bias,
      DenseTensor result);
}
