package dev.staunch.kernel.primitive;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import org.jspecify.annotations.Nullable;

/**
 * Normalisation of channels with given statistics, prepared for operands of one form: {@code (input
 * - mean) / sqrt(variance + epsilon) * weight + bias}.
 */
public interface ChannelNormalization {

  /**
   * What to compute. Only the shape and strides of a layout matter. Each parameter has one element
   * per channel.
   *
   * @param input [N, C, *], of a floating dtype; not empty
   * @param result of the same shape and dtype, row-major or channels last
   * @param weight of the same dtype; null for ones
   * @param bias of the same dtype; null for zeros
   * @param statistics the dtype of mean and variance: the same or float64
   */
  record Request(
      DType dtype,
      Layout input,
      Layout result,
      @Nullable Layout weight,
      @Nullable Layout bias,
      DType statistics,
      Layout mean,
      Layout variance,
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
      DenseTensor mean,
      DenseTensor variance,
      DenseTensor result);
}
