package dev.staunch.kernel.neural;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Preparation;
import dev.staunch.kernel.primitive.Pooling;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/**
 * A pooling with checked arguments and a prepared primitive, to run again on an input of the same
 * form.
 *
 * @param image the layout of the result; null for row-major order
 */
record PreparedPooling(
    KnownArguments arguments,
    Call.Order order,
    Shape result,
    @Nullable Layout image,
    Pooling primitive) {

  /** Prepares a call whose arguments are valid, and keeps the result for the next call. */
  static PreparedPooling of(Call call, Shape result, int dims, Pooling.Rule rule) {
    Layout image = dims == 2 ? call.imageLayout(result) : null;
    Layout laid = image == null ? Layout.contiguous(result) : image;
    Pooling.Request request = new Pooling.Request(call.dtype(0), call.layout(0), laid, dims, rule);
    PreparedPooling fresh =
        new PreparedPooling(
            KnownArguments.of(call, 1),
            call.resultOrder(),
            result,
            image,
            call.environment().kernels().pooling(request));
    Preparation preparation = call.preparation();
    if (preparation != null) {
      preparation.keep(0, fresh);
    }
    return fresh;
  }

  /** What an earlier call kept, if it fits this one; else null. */
  static @Nullable PreparedPooling known(Call call) {
    Preparation preparation = call.preparation();
    if (preparation != null) {
      for (Object each : preparation.at(0)) {
        if (each instanceof PreparedPooling known && known.fits(call)) {
          return known;
        }
      }
    }
    return null;
  }

  private boolean fits(Call call) {
    return order == call.resultOrder() && arguments.fit(call);
  }

  /** The result for operands that fit, as a new tensor; or a fault. */
  Object run(Call call) {
    Object made =
        image == null
            ? call.allocate(call.dtype(0), result)
            : DenseTensor.allocate(call.scope(), call.dtype(0), image, call.environment());
    return made instanceof DenseTensor target
        ? CancellationPoll.finished(
            target, primitive.run(call.environment(), call.tensor(0), target))
        : made;
  }
}
