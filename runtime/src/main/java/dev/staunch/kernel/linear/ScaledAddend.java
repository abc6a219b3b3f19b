package dev.staunch.kernel.linear;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Broadcast;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.operand.Places;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/** A tensor that a product is added to, times a number, expanded to the size of the product. */
final class ScaledAddend {
  private ScaledAddend() {}

  /**
   * Writes {@code factor * source}, expanded to the shape of {@code target}, into all of {@code
   * target}, which is contiguous. A factor of 0 writes zeros even for NaN. Both have the same
   * dtype.
   *
   * @return the fault if {@code source} does not expand to that shape, or that of a cancellation
   */
  static @Nullable Fault write(Call call, DenseTensor target, DenseTensor source, Object factor) {
    Fault misfit = misfit(source.shape(), target.shape());
    if (misfit != null) {
      return misfit;
    }
    Layout layout = Broadcast.stretch(source.layout(), target.shape());
    if (((Number) factor).doubleValue() == 0) {
      return Filling.zero(call, target);
    }
    CancellationPoll poll = new CancellationPoll(call);
    if (((Number) factor).doubleValue() == 1) {
      return Copying.copy(poll, source, layout, target, target.layout());
    }
    Places places = Places.of(layout);
    return poll.inPieces(
        target.elements(),
        (first, count) -> {
          for (long i = first; i < first + count; i++) {
            scale(source, places.at(i), target, i, (Number) factor);
          }
        });
  }

  private static void scale(
      DenseTensor source, long from, DenseTensor target, long to, Number factor) {
    DType dtype = target.dtype();
    if (dtype.isFloating()) {
      double value = Elements.asDouble(source.segment(), dtype, from);
      Elements.putDouble(target.segment(), dtype, to, value * factor.doubleValue());
    } else {
      long value = Elements.asLong(source.segment(), dtype, from);
      Elements.putLong(target.segment(), dtype, to, value * factor.longValue());
    }
  }

  /** The fault for a tensor of shape {@code source} that does not expand to {@code target}. */
  static @Nullable Fault misfit(Shape source, Shape target) {
    int missing = target.rank() - source.rank();
    boolean fits = missing >= 0;
    for (int i = 0; fits && i < source.rank(); i++) {
      fits = source.size(i) == 1 || source.size(i) == target.size(i + missing);
    }
    return fits
        ? null
        : Fault.shape("a tensor of shape " + source + " does not expand to " + target)
            .withExpected("a shape that broadcasts to " + target, source.toString());
  }
}
