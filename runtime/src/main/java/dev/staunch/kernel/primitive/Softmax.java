package dev.staunch.kernel.primitive;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import org.jspecify.annotations.Nullable;

/** Softmax along one dimension, or its logarithm, prepared for operands of one form. */
public interface Softmax {

  /**
   * What to compute. Only the shape and strides of a layout matter.
   *
   * @param input real, of dtype {@code source}
   * @param result of the same shape and a floating dtype
   * @param logarithm whether to compute the logarithm
   */
  record Request(
      DType source, Layout input, DType dtype, Layout result, int dim, boolean logarithm) {}

  /**
   * Writes all of {@code result}, which shares no memory with {@code input}.
   *
   * @return the fault of a cancellation or of too little memory; {@code result} is then undefined
   */
  @Nullable Fault run(ExecutionContext context, DenseTensor input, DenseTensor result);
}
