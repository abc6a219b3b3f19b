package dev.staunch.eager;

import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A tensor to be made, the same wherever it is made: its elements row by row, and their layout.
 *
 * @param reals the elements of a floating dtype, or null
 * @param integers the elements of another dtype, or null; with neither they follow from the
 *     position
 */
record TensorSpec(
    DType dtype,
    long[] sizes,
    double @Nullable [] reals,
    long @Nullable [] integers,
    Spread spread) {
  private static final long GAP = 1;
  private static final int PERIOD = 23;

  /** The arrangement of elements in their storage. */
  enum Spread {
    /** Row by row, without gaps. */
    PLAIN,
    /** Column by column. */
    REVERSED,
    /** Row by row, after other elements. */
    SHIFTED,
    /** Every second position, after other elements. */
    STEPPED;

    static Spread any(Random random) {
      return random.nextInt(3) > 0 ? PLAIN : values()[random.nextInt(4)];
    }
  }

  /** A tensor whose elements are small numbers that follow from their positions. */
  static TensorSpec numbered(DType dtype, Spread spread, long... sizes) {
    return new TensorSpec(dtype, sizes, null, null, spread);
  }

  TensorSpec spread(Spread other) {
    return new TensorSpec(dtype, sizes, reals, integers, other);
  }

  Shape shape() {
    return Shape.of(sizes);
  }

  Layout layout() {
    long[] strides = shape().contiguousStrides();
    return switch (spread) {
      case PLAIN -> new Layout(shape(), strides, 0);
      case REVERSED -> new Layout(shape(), reversed(), 0);
      case SHIFTED -> new Layout(shape(), strides, 3);
      case STEPPED -> new Layout(shape(), Arrays.stream(strides).map(it -> 2 * it).toArray(), 1);
    };
  }

  private long[] reversed() {
    long[] strides = new long[sizes.length];
    long step = 1;
    for (int i = 0; i < sizes.length; i++) {
      strides[i] = step;
      step *= Math.max(1, sizes[i]);
    }
    return strides;
  }

  /** The tensor, or the fault of its allocation. */
  Object build(ResourceScope scope) {
    Layout layout = layout();
    Object made = DenseTensor.allocate(scope, dtype, Shape.of(layout.extent()));
    if (!(made instanceof DenseTensor flat)) {
      return made;
    }
    fill(flat.segment(), flat.elements(), layout);
    if (spread == Spread.PLAIN && sizes.length == 1) {
      return flat;
    }
    Object view = flat.view(scope, layout);
    flat.close();
    return view;
  }

  private void fill(MemorySegment segment, long extent, Layout layout) {
    if (spread != Spread.PLAIN) {
      for (long i = 0; i < extent; i++) {
        put(segment, i, GAP, GAP);
      }
    }
    long count = shape().elements();
    if (count > PERIOD && reals == null && integers == null && layout.isContiguous()) {
      put(segment, layout, PERIOD);
      long start = layout.offset() * dtype.bytes();
      repeat(segment.asSlice(start, count * dtype.bytes()), (long) PERIOD * dtype.bytes());
    } else {
      put(segment, layout, count);
    }
  }

  /** Fills {@code bytes} with repetitions of its first {@code period} bytes. */
  private static void repeat(MemorySegment bytes, long period) {
    for (long done = period; done < bytes.byteSize(); done *= 2) {
      long more = Math.min(done, bytes.byteSize() - done);
      MemorySegment.copy(bytes, 0, bytes, done, more);
    }
  }

  private void put(MemorySegment segment, Layout layout, long count) {
    long[] positions = layout.isContiguous() ? new long[0] : Elements.positions(layout);
    for (int i = 0; i < count; i++) {
      long at = layout.isContiguous() ? layout.offset() + i : positions[i];
      long number = i % PERIOD;
      put(
          segment,
          at,
          reals == null ? number / 4.0 - 2 : reals[i],
          integers == null ? number % 5 : integers[i]);
    }
  }

  private void put(MemorySegment segment, long at, double real, long integer) {
    switch (dtype.kind()) {
      case FLOATING -> Elements.putDouble(segment, dtype, at, real);
      case COMPLEX -> {
        DType part = dtype == DType.COMPLEX64 ? DType.FLOAT32 : DType.FLOAT64;
        Elements.putDouble(segment, part, 2 * at, real);
        Elements.putDouble(segment, part, 2 * at + 1, -real);
      }
      case BOOL -> Elements.putLong(segment, dtype, at, integer == 0 ? 0 : 1);
      case INTEGRAL -> Elements.putLong(segment, dtype, at, integer);
    }
  }

  @Override
  public String toString() {
    String values =
        reals != null
            ? Arrays.toString(reals)
            : integers != null ? Arrays.toString(integers) : "numbered";
    String shown = values.length() < 120 ? values : values.substring(0, 120) + "...";
    return dtype + Arrays.toString(sizes) + " " + spread + " " + shown;
  }
}
