package dev.staunch.kernel.primitive;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import org.jspecify.annotations.Nullable;

/**
 * Layer normalisation, prepared for operands of one form: each row, which the last dimensions make
 * up, less its mean and over the root of its variance.
 */
public interface RowNormalization {

  /**
   * What is to be computed. All operands have one floating dtype. Of layouts only shape and strides
   * matter.
   *
   * @param result of the input's shape
   * @param dims how many of the last dimensions make up a row
   * @param weight a factor for each element of a row, of these dimensions; null for none
   * @param bias what is added then; null for nothing
   * @param epsilon is added to the variance
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
   * @param weight as the request has one; so with {@code bias}
   * @return the fault of a cancellation or of too little memory; {@code result} is then undefined
   */
  @Nullable Fault run(
      ExecutionContext context,
      DenseTensor input,
      @Nullable DenseTensor weight,
      @Nullable DenseTensor bias,
      DenseTensor result);
}
