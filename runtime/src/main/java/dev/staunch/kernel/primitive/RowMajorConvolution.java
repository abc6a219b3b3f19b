package dev.staunch.kernel.primitive;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import org.jspecify.annotations.Nullable;

/**
 * A convolution that computes through another one, whose result is row-major.
 *
 * @param rowMajor computes the row-major result
 * @param request the original request
 */
record RowMajorConvolution(Convolution rowMajor, Convolution.Request request)
    implements Convolution.Whole {

  @Override
  public @Nullable Fault compute(
      ExecutionContext context,
      DenseTensor input,
      DenseTensor weight,
      @Nullable DenseTensor bias,
      DenseTensor result) {
    Layout to = request.result();
    Object made =
        DenseTensor.allocate(
            context.scope(), request.dtype(), Layout.contiguous(to.shape()), context);
    if (!(made instanceof DenseTensor sums)) {
      return (Fault) made;
    }
    try (sums) {
      Fault fault = rowMajor.run(context, input, weight, bias, sums);
      if (fault != null) {
        return fault;
      }
      Layout target = new Layout(to.shape(), to.strides(), result.layout().offset() + to.offset());
      Copy copy =
          context.copy(new Copy.Request(request.dtype(), sums.layout(), request.dtype(), target));
      return copy.run(context, sums, result);
    }
  }
}
