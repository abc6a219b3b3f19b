package dev.staunch.vector;

import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.Random;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.stream.LongStream;

/**
 * Tensors of random sizes, layouts and numbers. What lies between the elements of a view is not a
 * number, so that a kernel that reads it shows it.
 */
final class RandomOperands {
  /** The numbers of all operands of a call. */
  enum Numbers {
    /** Between -2 and 2. */
    USUAL,
    /** Of many orders of magnitude. */
    WIDE,
    /** Few different ones, zeros of both signs among them. */
    TIES,
    /** Some are not numbers. */
    NAN,
    INFINITE,
    HUGE,
    DENORMAL
  }

  private static final long[] EDGES = {15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65};

  private final ResourceScope scope;
  private final Random random;
  private final boolean large;
  private Numbers numbers;

  RandomOperands(ResourceScope scope, Random random, Numbers numbers) {
    this.scope = scope;
    this.random = random;
    this.large = chance(6);
    this.numbers = numbers;
  }

  Numbers numbers() {
    return numbers;
  }

  /**
   * Whether sizes may be large. They are small most of the time, because new kernels are slow until
   * they are compiled.
   */
  boolean large() {
    return large;
  }

  /** True once in {@code times}. */
  boolean chance(int times) {
    return random.nextInt(times) == 0;
  }

  /** From {@code least} to {@code most}. */
  long between(long least, long most) {
    return least + random.nextInt(Math.toIntExact(most - least + 1));
  }

  @SafeVarargs
  final <T> T any(T... values) {
    return values[random.nextInt(values.length)];
  }

  /** Often small or near a multiple of a vector's length, seldom 0 or some hundreds. */
  long size() {
    return switch (random.nextInt(24)) {
      case 0 -> 0;
      case 1, 2, 3 -> 1;
      case 4, 5, 6, 7, 8, 9 -> EDGES[random.nextInt(EDGES.length)];
      case 10, 11 -> between(66, 140);
      case 12 -> between(200, 700);
      default -> between(2, 14);
    };
  }

  /** As {@link #size}, and at most {@code most}. */
  long size(long most) {
    long size = size();
    return size <= most ? size : between(1, most);
  }

  /** Sizes with a product of at most {@code most}, or a fifth of that if they are to be small. */
  long[] sizes(int rank, long most) {
    long[] sizes = new long[rank];
    long rest = large ? most : most / 5;
    for (int i = 0; i < rank; i++) {
      sizes[i] = size(Math.max(1, rest));
      rest /= Math.max(1, sizes[i]);
    }
    if (rank > 1 && chance(2)) {
      long last = sizes[rank - 1];
      sizes[rank - 1] = sizes[0];
      sizes[0] = last;
    }
    return sizes;
  }

  DType real() {
    return switch (random.nextInt(10)) {
      case 0 -> DType.FLOAT64;
      case 1 -> DType.FLOAT16;
      case 2 -> DType.BFLOAT16;
      default -> DType.FLOAT32;
    };
  }

  /** A tensor in any layout. */
  DenseTensor tensor(DType dtype, long... sizes) {
    return filled(dtype, layout(sizes), () -> dtype.isFloating() ? real(dtype) : whole(dtype));
  }

  /** A tensor of up to four dimensions, in any layout. */
  DenseTensor anyTensor(DType dtype) {
    int rank = (int) between(0, 4);
    return tensor(dtype, sizes(rank, large ? 200_000 : 5_000));
  }

  DenseTensor anyTensor() {
    return anyTensor(real());
  }

  /** Some pixels of some channels, in any layout. */
  DenseTensor image() {
    long channels = size(70);
    long most = large() ? 40 : channels > 20 ? 8 : 16;
    return tensor(
        real(), between(chance(20) ? 0 : 1, 3), channels, between(1, most), between(1, most));
  }

  /** Positive usual numbers. */
  DenseTensor positive(DType dtype, long... sizes) {
    return filled(dtype, layout(sizes), () -> Math.abs(usual()) + 0.1);
  }

  /** Numbers between 0 and 1. */
  DenseTensor shares(DType dtype, long... sizes) {
    return filled(dtype, layout(sizes), () -> random.nextFloat() * 0.9 + 0.05);
  }

  /** A tensor in any layout, of usual numbers if those of the call are of one of these kinds. */
  DenseTensor without(Set<Numbers> unwanted, DType dtype, long... sizes) {
    Numbers before = numbers;
    numbers = unwanted.contains(before) ? Numbers.USUAL : before;
    DenseTensor tensor = tensor(dtype, sizes);
    numbers = before;
    return tensor;
  }

  /** A tensor in any layout, without NaN and infinities. */
  DenseTensor finite(DType dtype, long... sizes) {
    return without(Set.of(Numbers.NAN, Numbers.INFINITE), dtype, sizes);
  }

  /** Integers from 0 to {@code bound}, exclusive. */
  DenseTensor indices(long bound, long... sizes) {
    return filled(DType.INT64, layout(sizes), () -> between(0, Math.max(0, bound - 1)));
  }

  /** Where bags of {@code count} elements begin: the first at 0, and some may be empty. */
  DenseTensor starts(long count, long bags) {
    LongStream others = LongStream.generate(() -> between(0, count)).limit(bags - 1).sorted();
    PrimitiveIterator.OfLong all = LongStream.concat(LongStream.of(0), others).iterator();
    return filled(DType.INT64, Layout.contiguous(Shape.of(bags)), all::nextLong);
  }

  private Layout layout(long... sizes) {
    Shape shape = Shape.of(sizes);
    if (chance(2)) {
      return Layout.contiguous(shape);
    }
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < sizes.length; i++) {
      order.add(i);
    }
    if (sizes.length > 2 && chance(2)) {
      Collections.rotate(order.subList(1, sizes.length), -1);
    } else if (!chance(3)) {
      Collections.shuffle(order, random);
    }
    long[] strides = new long[sizes.length];
    long step = chance(5) ? 2 : 1;
    for (int i = sizes.length - 1; i >= 0; i--) {
      strides[order.get(i)] = step;
      step *= Math.max(1, sizes[order.get(i)]) + (chance(6) ? between(1, 3) : 0);
    }
    if (sizes.length > 0 && chance(8)) {
      strides[random.nextInt(sizes.length)] = 0;
    }
    return new Layout(shape, strides, chance(2) ? 0 : between(1, 17));
  }

  private DenseTensor filled(DType dtype, Layout layout, DoubleSupplier next) {
    Object made = DenseTensor.allocate(scope, dtype, Shape.of(layout.extent()));
    DenseTensor flat = (DenseTensor) made;
    for (long i = 0; i < flat.elements(); i++) {
      put(flat, i, dtype.isFloating() ? Double.NaN : 99);
    }
    for (long at : Elements.positions(layout)) {
      put(flat, at, next.getAsDouble());
    }
    return (DenseTensor) flat.view(scope, layout);
  }

  private static void put(DenseTensor tensor, long at, double value) {
    if (tensor.dtype().isFloating()) {
      Elements.putDouble(tensor.segment(), tensor.dtype(), at, value);
    } else {
      Elements.putLong(tensor.segment(), tensor.dtype(), at, (long) value);
    }
  }

  private double whole(DType dtype) {
    return switch (dtype) {
      case BOOL -> between(0, 1);
      case UINT8 -> between(0, 255);
      case INT8 -> between(-128, 127);
      default -> numbers == Numbers.HUGE ? huge(dtype) : between(-128, 127);
    };
  }

  /** An integer whose sums and products wrap around. */
  private double huge(DType dtype) {
    return (random.nextFloat() * 2 - 1) * Math.pow(2, dtype.bytes() * 8 - 1);
  }

  private double usual() {
    return random.nextFloat() * 4 - 2;
  }

  private double real(DType dtype) {
    double usual = usual();
    return switch (numbers) {
      case USUAL -> usual;
      case WIDE -> usual * Math.pow(10, random.nextInt(6) - 3);
      case TIES -> any(-0.0, 0.0, 1.0, -1.0, 2.0, 0.5);
      case NAN -> chance(20) ? Double.NaN : usual;
      case INFINITE -> chance(30) ? any(1, -1) * Double.POSITIVE_INFINITY : usual;
      case HUGE -> chance(20) ? usual * (dtype == DType.FLOAT16 ? 3e4 : 1e30) : usual;
      case DENORMAL -> chance(3) ? usual * denormal(dtype) : usual;
    };
  }

  /** Times a number near 1, this is below the smallest one of full precision. */
  private static double denormal(DType dtype) {
    return switch (dtype) {
      case FLOAT64 -> 1e-309;
      case FLOAT16 -> 1e-5;
      default -> 1e-39;
    };
  }

  /** The shape, strides and offset of each tensor. */
  static String describe(DenseTensor tensor) {
    Layout layout = tensor.layout();
    return tensor.dtype()
        + Arrays.toString(shape(tensor))
        + (layout.isContiguous() && layout.offset() == 0
            ? ""
            : " strides " + Arrays.toString(layout.strides()) + " from " + layout.offset());
  }

  static long[] shape(DenseTensor tensor) {
    return LongStream.range(0, tensor.rank()).map(i -> tensor.shape().size((int) i)).toArray();
  }
}
