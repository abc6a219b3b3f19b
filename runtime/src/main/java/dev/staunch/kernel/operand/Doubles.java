package dev.staunch.kernel.operand;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;

/**
 * A tensor's elements as doubles in row-major order, for kernels that need random access to them.
 */
public final class Doubles {
  private Doubles() {}

  /** All elements; after a cancellation that {@code poll} has seen, the remaining ones are zero. */
  public static double[] of(CancellationPoll poll, DenseTensor tensor) {
    return of(poll, tensor, tensor.layout());
  }

  /**
   * As {@link #of(CancellationPoll, DenseTensor)}, for the elements of {@code tensor} in another
   * layout.
   */
  public static double[] of(CancellationPoll poll, DenseTensor tensor, Layout layout) {
    double[] values = new double[Shape.asInt(layout.shape().elements())];
    Places places = Places.of(layout);
    for (int i = 0; i < values.length && poll.mayContinue(1); i++) {
      values[i] = Elements.asDouble(tensor.segment(), tensor.dtype(), places.at(i));
    }
    return values;
  }

  /** A new tensor with these elements, rounded to {@code dtype}; or a fault. */
  public static Object tensor(Call call, DType dtype, Shape shape, double[] values) {
    Object made = call.allocate(dtype, shape);
    if (made instanceof DenseTensor tensor) {
      store(tensor, values);
    }
    return made;
  }

  /** Writes all elements of a tensor, whatever its strides, rounded to its dtype. */
  public static void store(DenseTensor target, double[] values) {
    Places places = Places.of(target.layout());
    for (int i = 0; i < values.length; i++) {
      Elements.putDouble(target.segment(), target.dtype(), places.at(i), values[i]);
    }
  }
}
