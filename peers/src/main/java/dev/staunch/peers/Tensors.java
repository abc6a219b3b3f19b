package dev.staunch.peers;

import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.Random;

/** Random tensors: of any dtype, sizes, layout and kind of numbers. */
final class Tensors {
  private static final DType[] DTYPES = {
    DType.FLOAT32,
    DType.FLOAT32,
    DType.FLOAT32,
    DType.FLOAT32,
    DType.FLOAT64,
    DType.INT64,
    DType.INT64,
    DType.INT32,
    DType.BOOL,
    DType.FLOAT16,
    DType.BFLOAT16,
    DType.INT8,
    DType.UINT8,
    DType.INT16,
    DType.COMPLEX64,
    DType.COMPLEX128
  };
  private static final double[] SPECIAL = {
    0,
    -0.0,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    1e30,
    -1e30,
    1e-30,
    0.5,
    1.5,
    2.5,
    -0.5,
    1,
    -1,
    65504,
    3e38,
    20,
    -20,
    100,
    -100
  };
  private static final double[] WHOLE_SPECIAL = {
    0, 127, 128, 255, 256, -128, -129, 32767, -32768, 2147483647.0, -2147483648.0, 9e18, -9.3e18, 1
  };

  private final Random random;

  Tensors(Random random) {
    this.random = random;
  }

  DType dtype() {
    return DTYPES[random.nextInt(DTYPES.length)];
  }

  long[] sizes() {
    int[] ranks = {0, 1, 1, 2, 2, 2, 3, 3, 4, 5};
    return sizes(ranks[random.nextInt(ranks.length)]);
  }

  long[] sizes(int rank) {
    long[] sizes = new long[rank];
    Arrays.setAll(sizes, i -> random.nextInt(30) == 0 ? 0 : 1 + random.nextInt(rank > 3 ? 4 : 6));
    return sizes;
  }

  TwinSpec any(DType dtype, long... sizes) {
    Layout layout = layout(sizes);
    return new TwinSpec(dtype, layout, numbers(dtype, TwinSpec.extent(layout)));
  }

  /** Tensors of indices, most of them below {@code limit}. */
  TwinSpec indices(long limit, long... sizes) {
    Layout layout = layout(sizes);
    double[] numbers = new double[TwinSpec.extent(layout)];
    boolean negative = random.nextInt(5) == 0;
    boolean out = random.nextInt(12) == 0;
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = random.nextLong(negative ? -limit : 0, limit + (out ? 2 : 0));
    }
    return new TwinSpec(random.nextInt(6) == 0 ? DType.INT32 : DType.INT64, layout, numbers);
  }

  /** The same elements laid out in another way. */
  TwinSpec relaid(TwinSpec spec) {
    if (random.nextInt(3) > 0) {
      return spec;
    }
    Layout layout = layout(spec.layout().shape().toArray());
    double[] elements = new double[TwinSpec.extent(layout)];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = spec.elements().length == 0 ? 0 : spec.elements()[i % spec.elements().length];
    }
    return new TwinSpec(spec.dtype(), layout, elements);
  }

  /** Rows, columns, with gaps and offsets, or repeated. */
  Layout layout(long... sizes) {
    Shape shape = Shape.of(sizes);
    long[] strides = shape.contiguousStrides();
    return switch (random.nextInt(12)) {
      case 0 -> new Layout(shape, permuted(sizes), 0);
      case 1 -> new Layout(shape, permuted(sizes), 2);
      case 2 -> new Layout(shape, strides, 3);
      case 3 -> new Layout(shape, Arrays.stream(strides).map(it -> 2 * it).toArray(), 1);
      case 4 -> new Layout(shape, repeated(strides), 0);
      default -> new Layout(shape, strides, 0);
    };
  }

  private long[] repeated(long[] strides) {
    if (strides.length > 0) {
      strides[random.nextInt(strides.length)] = 0;
    }
    return strides;
  }

  private long[] permuted(long[] sizes) {
    int[] order = new int[sizes.length];
    Arrays.setAll(order, i -> i);
    for (int i = order.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int kept = order[i];
      order[i] = order[j];
      order[j] = kept;
    }
    long[] strides = new long[sizes.length];
    long step = 1;
    for (int d : order) {
      strides[d] = step;
      step *= Math.max(1, sizes[d]);
    }
    return strides;
  }

  double[] numbers(DType dtype, int count) {
    double[] numbers = new double[count];
    int kind = random.nextInt(10);
    for (int i = 0; i < count; i++) {
      numbers[i] =
          dtype.isFloating() || dtype.kind() == DType.Kind.COMPLEX ? real(kind) : whole(kind);
    }
    return numbers;
  }

  private double real(int kind) {
    return switch (kind) {
      case 0, 1 -> random.nextInt(-8, 9) / 2.0;
      case 2 -> random.nextInt(3) == 0 ? special() : random.nextGaussian();
      case 3 -> Math.abs(random.nextGaussian());
      case 4 -> random.nextDouble();
      default -> random.nextGaussian() * 2;
    };
  }

  private double whole(int kind) {
    return switch (kind) {
      case 2 -> WHOLE_SPECIAL[random.nextInt(WHOLE_SPECIAL.length)];
      case 3, 4, 5 -> random.nextInt(7);
      default -> random.nextInt(-6, 7);
    };
  }

  double special() {
    return SPECIAL[random.nextInt(SPECIAL.length)];
  }
}
