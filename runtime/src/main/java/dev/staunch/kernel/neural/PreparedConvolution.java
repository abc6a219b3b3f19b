package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Preparation;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/**
 * A convolution with checked arguments and a prepared primitive, to run again on operands of the
 * same form.
 *
 * @param arguments the arguments that it was made for
 * @param order the order that the call requested for its result
 * @param image the layout of the result; null for row-major order
 * @param version the kernel set's when the order of the result was chosen
 */
record PreparedConvolution(
    KnownArguments arguments,
    Call.Order order,
    int version,
    Convolution.Request request,
    Convolution primitive,
    Shape result,
    @Nullable Layout image) {
  private static final int TENSORS = 3;

  /**
   * Prepares a call whose arguments are valid.
   *
   * @param version the kernel set's when the order of the result was chosen
   */
  static PreparedConvolution of(
      Call call, int version, Convolution.Request request, Shape result, @Nullable Layout image) {
    Call.Order order = call.resultOrder();
    return new PreparedConvolution(
        KnownArguments.of(call, TENSORS),
        order,
        version,
        request,
        call.environment().kernels().convolution(request),
        result,
        image);
  }

  /** What an earlier call kept, if it fits this one; else null. */
  static @Nullable PreparedConvolution known(Call call) {
    Preparation preparation = call.preparation();
    if (preparation != null) {
      for (Object each : preparation.at(0)) {
        if (each instanceof PreparedConvolution known && known.fits(call)) {
          return known;
        }
      }
    }
    return null;
  }

  private boolean fits(Call call) {
    return order == call.resultOrder()
        && (order != Call.Order.ANY || version == call.environment().kernels().version())
        && Constant.isValidFor(request.constant(), call.tensor(1))
        && arguments.fit(call);
  }

  /** The result for operands that fit, as a new tensor; or a fault. */
  Object run(Call call) {
    Object made =
        image == null
            ? call.allocate(request.dtype(), result)
            : DenseTensor.allocate(call.scope(), request.dtype(), image, call.environment());
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    Fault fault =
        primitive.run(
            call.environment(),
            call.tensor(0),
            call.tensor(1),
            call.optionalTensor(2),
            target,
            call.epilogue(target));
    return CancellationPoll.finished(target, fault);
  }
}
