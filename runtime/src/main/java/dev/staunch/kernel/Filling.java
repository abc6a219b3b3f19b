package dev.staunch.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Gives new tensors their first content, and moves runs of elements to and from arrays. */
final class Filling {
  private Filling() {}

  static void zero(DenseTensor target) {
    target.segment().fill((byte) 0);
  }

  /** The {@link Shape} of these sizes, or a fault if it has more elements than a long counts. */
  static Object shape(long... sizes) {
    try {
      return Shape.of(sizes);
    } catch (ArithmeticException e) {
      String text = "a tensor of shape " + Arrays.toString(sizes) + " exceeds the address space";
      return Fault.of(FaultType.OUT_OF_MEMORY, text).withCause(e);
    }
  }

  /** A new tensor of zeros, or a fault. */
  static Object zeros(Call call, DType dtype, Shape shape) {
    Object made = call.allocate(dtype, shape);
    if (made instanceof DenseTensor tensor) {
      zero(tensor);
    }
    return made;
  }

  /**
   * Writes {@code factor * source}, expanded to the shape of {@code target}, into all of {@code
   * target}, which is contiguous; a factor of 0 writes zeros even for NaN. Both have one dtype.
   *
   * @return the fault if {@code source} does not expand to that shape
   */
  static @Nullable Fault expand(DenseTensor target, DenseTensor source, Object factor) {
    Layout layout = expanded(source.layout(), target.shape());
    if (layout == null) {
      return doesNotExpand(source.shape(), target.shape());
    }
    if (((Number) factor).doubleValue() == 0) {
      zero(target);
      return null;
    }
    int rank = layout.shape().rank();
    if (target.elements() == 0) {
      return null;
    }
    int width = rank == 0 ? 1 : Math.toIntExact(layout.shape().size(rank - 1));
    long stride = rank == 0 ? 1 : layout.stride(rank - 1);
    long[] starts = rowStarts(layout);
    for (int row = 0; row < starts.length; row++) {
      expandRow(target, (long) row * width, source, starts[row], stride, width, (Number) factor);
    }
    return null;
  }

  private static void expandRow(
      DenseTensor target,
      long to,
      DenseTensor source,
      long from,
      long stride,
      int width,
      Number factor) {
    DType dtype = target.dtype();
    if (stride == 1 && factor.doubleValue() == 1) {
      MemorySegment.copy(
          source.segment(),
          from * dtype.bytes(),
          target.segment(),
          to * dtype.bytes(),
          (long) width * dtype.bytes());
      return;
    }
    for (int i = 0; i < width; i++) {
      if (dtype.isFloating()) {
        double value = Elements.asDouble(source.segment(), dtype, from + i * stride);
        Elements.putDouble(target.segment(), dtype, to + i, value * factor.doubleValue());
      } else {
        long value = Elements.asLong(source.segment(), dtype, from + i * stride);
        Elements.putLong(target.segment(), dtype, to + i, value * factor.longValue());
      }
    }
  }

  /** Where each row (run along the last dimension) of a layout starts, in row-major order. */
  static long[] rowStarts(Layout layout) {
    int rank = layout.shape().rank();
    if (rank < 2) {
      return new long[] {layout.offset()};
    }
    long[] sizes = Arrays.copyOf(layout.shape().toArray(), rank - 1);
    long[] strides = Arrays.copyOf(layout.strides(), rank - 1);
    return Elements.positions(new Layout(Shape.of(sizes), strides, layout.offset()));
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

  /** A contiguous copy's worth of a tensor's elements as doubles, row-major; any real dtype. */
  static double[] read(DenseTensor tensor) {
    double[] values = new double[Math.toIntExact(tensor.elements())];
    if (values.length == 0) {
      return values;
    }
    Layout layout = tensor.layout();
    int rank = layout.shape().rank();
    int width = rank == 0 ? 1 : Math.toIntExact(layout.shape().size(rank - 1));
    long stride = rank == 0 ? 1 : layout.stride(rank - 1);
    int to = 0;
    for (long start : rowStarts(layout)) {
      read(tensor.segment(), tensor.dtype(), start, stride, values, to, width);
      to += width;
    }
    return values;
  }

  private static void read(
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

  /** Writes {@code values} over all of a tensor, whatever its layout. */
  static void write(DenseTensor tensor, double[] values) {
    if (!tensor.isContiguous()) {
      long[] positions = Elements.positions(tensor.layout());
      for (int i = 0; i < positions.length; i++) {
        Elements.putDouble(tensor.segment(), tensor.dtype(), positions[i], values[i]);
      }
      return;
    }
    long start = tensor.layout().offset();
    MemorySegment into = tensor.segment();
    switch (tensor.dtype()) {
      case FLOAT32 -> {
        for (int i = 0; i < values.length; i++) {
          into.setAtIndex(JAVA_FLOAT, start + i, (float) values[i]);
        }
      }
      case FLOAT64 ->
          MemorySegment.copy(values, 0, into, JAVA_DOUBLE, start * Double.BYTES, values.length);
      default -> {
        for (int i = 0; i < values.length; i++) {
          Elements.putDouble(into, tensor.dtype(), start + i, values[i]);
        }
      }
    }
  }

  /** A new tensor with these values, or a fault. */
  static Object of(Call call, DType dtype, Shape shape, double[] values) {
    Object made = call.allocate(dtype, shape);
    if (made instanceof DenseTensor tensor) {
      write(tensor, values);
    }
    return made;
  }

  /** A new row-major tensor with the elements of another, or a fault. */
  static Object copy(Call call, DenseTensor source) {
    Object made = call.allocate(source.dtype(), source.shape());
    if (made instanceof DenseTensor target) {
      copyRows(source, target);
    }
    return made;
  }

  private static void copyRows(DenseTensor source, DenseTensor target) {
    if (source.elements() == 0) {
      return;
    }
    int bytes = source.dtype().bytes();
    if (source.isContiguous()) {
      MemorySegment.copy(
          source.segment(),
          source.layout().offset() * bytes,
          target.segment(),
          0,
          source.elements() * bytes);
      return;
    }
    long[] positions = Elements.positions(source.layout());
    for (int i = 0; i < positions.length; i++) {
      for (int k = 0; k < bytes; k++) {
        byte value = source.segment().get(JAVA_BYTE, positions[i] * bytes + k);
        target.segment().set(JAVA_BYTE, (long) i * bytes + k, value);
      }
    }
  }
}
