package dev.staunch.kernel.plain;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import org.jspecify.annotations.Nullable;

/** Convolutions in plain Java; operands that are not row-major are copied first. */
record PlainConvolution(Request request) implements Convolution.Whole {

  @Override
  public @Nullable Fault compute(
      ExecutionContext context,
      DenseTensor input,
      DenseTensor weight,
      @Nullable DenseTensor bias,
      DenseTensor result) {
    if (result.elements() == 0) {
      return null;
    }
    CancellationPoll poll = new CancellationPoll(context);
    try (Temporaries made = new Temporaries()) {
      Object values = rowMajor(context, poll, made, input, request.input());
      Object filters = rowMajor(context, poll, made, weight, request.weight());
      if (!(values instanceof DenseTensor left)) {
        return (Fault) values;
      }
      return filters instanceof DenseTensor right
          ? new ConvolvedBands(context, request, left, right, bias, result).run()
          : (Fault) filters;
    }
  }

  /** A tensor whose elements, from its first on, are those of a layout; or a fault. */
  private static Object rowMajor(
      ExecutionContext context,
      CancellationPoll poll,
      Temporaries made,
      DenseTensor given,
      Layout seen) {
    if (seen.isContiguous() && seen.offset() == 0) {
      return given;
    }
    Object copy =
        made.note(
            DenseTensor.allocate(
                context.scope(), given.dtype(), Layout.contiguous(seen.shape()), context));
    if (!(copy instanceof DenseTensor target)) {
      return copy;
    }
    long offset = given.layout().offset() + seen.offset();
    Layout from = new Layout(seen.shape(), seen.strides(), offset);
    Fault stop = Copying.copy(poll, given, from, target, target.layout());
    return stop == null ? target : stop;
  }
}
