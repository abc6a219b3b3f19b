package dev.staunch.kernel.loop;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.operand.Places;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Gives new tensors their first content, and moves runs of elements to and from arrays. */
public final class Filling {
  private Filling() {}

  /** Zeroes a new tensor; the fault of a cancellation, or null. */
  public static @Nullable Fault zero(Call call, DenseTensor target) {
    return new Lookout(call).zero(target.segment());
  }

  /** The {@link Shape} of these sizes, or a fault if it has more elements than a long counts. */
  public static Object shape(long... sizes) {
    try {
      return Shape.of(sizes);
    } catch (ArithmeticException e) {
      String text = "a tensor of shape " + Arrays.toString(sizes) + " exceeds the address space";
      return Fault.of(FaultType.OUT_OF_MEMORY, text).withCause(e);
    }
  }

  /** A new tensor of zeros, or a fault. */
  public static Object zeros(Call call, DType dtype, Shape shape) {
    Object made = call.allocate(dtype, shape);
    return made instanceof DenseTensor tensor ? Lookout.finished(tensor, zero(call, tensor)) : made;
  }

  /**
   * Writes {@code factor * source}, expanded to the shape of {@code target}, into all of {@code
   * target}, which is contiguous; a factor of 0 writes zeros even for NaN. Both have one dtype.
   *
   * @return the fault if {@code source} does not expand to that shape, or of a cancellation
   */
  public static @Nullable Fault expand(
      Call call, DenseTensor target, DenseTensor source, Object factor) {
    Layout layout = expanded(source.layout(), target.shape());
    if (layout == null) {
      return doesNotExpand(source.shape(), target.shape());
    }
    if (((Number) factor).doubleValue() == 0) {
      return zero(call, target);
    }
    Lookout lookout = new Lookout(call);
    if (((Number) factor).doubleValue() == 1) {
      return Copying.copy(lookout, source, layout, target, target.layout());
    }
    Places places = Places.of(layout);
    return lookout.inPieces(
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

  private static @Nullable Layout expanded(Layout layout, Shape target) {
    int missing = target.rank() - layout.shape().rank();
    if (missing < 0) {
      return null;
    }
    long[] strides = new long[target.rank()];
    for (int i = 0; i < layout.shape().rank(); i++) {
      long size = layout.shape().size(i);
      if (size != 1 && size != target.size(i + missing)) {
        return null;
      }
      strides[i + missing] = size == 1 ? 0 : layout.stride(i);
    }
    return new Layout(target, strides, layout.offset());
  }

  private static Fault doesNotExpand(Shape source, Shape target) {
    return Fault.shape("a tensor of shape " + source + " does not expand to " + target)
        .withExpected("a shape that broadcasts to " + target, source.toString());
  }

  /**
   * A contiguous copy's worth of a tensor's elements as doubles, row-major; any real dtype. Of no
   * use if {@code lookout} has seen a cancellation.
   */
  public static double[] read(Lookout lookout, DenseTensor tensor) {
    double[] values = new double[Math.toIntExact(tensor.elements())];
    read(lookout, tensor, Places.of(tensor.layout()), 0, values);
    return values;
  }

  /** Reads as many elements as {@code into} is long, from the {@code first} on. */
  public static void read(
      Lookout lookout, DenseTensor tensor, Places places, long first, double[] into) {
    for (int to = 0; to < into.length; ) {
      long row = Math.min(places.leftInRow(first + to), Lookout.STRIDE / 4);
      int count = (int) Math.min(row, into.length - to);
      long at = places.at(first + to);
      read(tensor.segment(), tensor.dtype(), at, places.step(), into, to, count);
      to += count;
      if (!lookout.goesOn(count)) {
        return;
      }
    }
  }

  /** Reads elements that lie {@code stride} apart into a part of an array. */
  public static void read(
      MemorySegment from, DType dtype, long at, long stride, double[] into, int to, int count) {
    if (dtype == DType.FLOAT32) {
      for (int i = 0; i < count; i++) {
        into[to + i] = from.getAtIndex(JAVA_FLOAT, at + i * stride);
      }
    } else {
      for (int i = 0; i < count; i++) {
        into[to + i] = Elements.asDouble(from, dtype, at + i * stride);
      }
    }
  }

  /** The elements of an integral tensor, row-major; as {@link #read(Lookout, DenseTensor)}. */
  static long[] longs(Lookout lookout, DenseTensor tensor) {
    long[] values = new long[Math.toIntExact(tensor.elements())];
    Places places = Places.of(tensor.layout());
    lookout.inPieces(
        values.length,
        (first, count) -> {
          for (int i = (int) first; i < first + count; i++) {
            values[i] = Elements.asLong(tensor.segment(), tensor.dtype(), places.at(i));
          }
        });
    return values;
  }

  /** The storage positions of a layout's elements; as {@link #read(Lookout, DenseTensor)}. */
  static long[] positions(Lookout lookout, Layout layout) {
    long[] positions = new long[Math.toIntExact(layout.shape().elements())];
    Places places = Places.of(layout);
    lookout.inPieces(
        positions.length,
        (first, count) -> {
          for (int i = (int) first; i < first + count; i++) {
            positions[i] = places.at(i);
          }
        });
    return positions;
  }

  /** A new tensor with these values; or a fault, also of a cancellation. */
  public static Object of(Call call, DType dtype, Shape shape, double[] values) {
    Object made = call.allocate(dtype, shape);
    if (!(made instanceof DenseTensor tensor)) {
      return made;
    }
    Fault stop =
        new Lookout(call)
            .inPieces(
                values.length,
                (first, count) -> {
                  for (int i = (int) first; i < first + count; i++) {
                    Elements.putDouble(tensor.segment(), dtype, i, values[i]);
                  }
                });
    return Lookout.finished(tensor, stop);
  }
}
