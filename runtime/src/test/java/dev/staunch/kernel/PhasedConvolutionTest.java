package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Transposed convolutions, beside a sum over all pixels and elements of the kernel. */
class PhasedConvolutionTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 26);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final ResourceScope model = ResourceScope.open(memory, "model");
  private final KernelBench bench = new KernelBench(scope);
  private final Random random = new Random(20261201);

  @AfterEach
  void nothingIsHeld() {
    scope.close();
    model.close();
    assertEquals(0, memory.account().bytes());
  }

  private DenseTensor numbers(DType dtype, long... sizes) {
    DenseTensor tensor = (DenseTensor) DenseTensor.allocate(scope, dtype, Shape.of(sizes));
    for (long i = 0; i < tensor.elements(); i++) {
      Elements.putDouble(tensor.segment(), dtype, i, random.nextGaussian());
    }
    return tensor;
  }

  private DenseTensor run(String operation, @Nullable Preparation kept, Object... arguments) {
    CatalogEntry entry = Objects.requireNonNull(bench.catalog().find("aten::" + operation));
    Call call =
        kept == null
            ? new Call(bench, arguments)
            : Call.of(bench, arguments, new Preparation[] {kept});
    return assertInstanceOf(DenseTensor.class, entry.run(call));
  }

  private double[] elements(DenseTensor tensor) {
    DenseTensor dense = run("contiguous", null, tensor, 0L);
    double[] values = new double[(int) dense.elements()];
    long first = dense.layout().offset();
    Arrays.setAll(values, i -> Elements.asDouble(dense.segment(), dense.dtype(), first + i));
    return values;
  }

  private long below(int bound) {
    return random.nextInt(bound);
  }

  private static List<Long> list(long... numbers) {
    return LongStream.of(numbers).boxed().toList();
  }

  /** The arguments of a random case over one or two dimensions. */
  private Object[] arguments(DType dtype, int dims) {
    long groups = 1 + below(3);
    long[] image = new long[2 + dims];
    long[] weight = new long[2 + dims];
    long[][] numbers = new long[4][dims]; // strides, paddings, output paddings, dilations
    image[0] = 1 + below(2);
    image[1] = groups * (1 + below(4));
    weight[0] = image[1];
    weight[1] = 1 + below(4);
    for (int d = 0; d < dims; d++) {
      image[2 + d] = 1 + below(6);
      weight[2 + d] = 1 + below(7);
      numbers[0][d] = 1 + below(4);
      numbers[3][d] = 1 + below(8) / 7;
      numbers[2][d] = below((int) Math.max(numbers[0][d], numbers[3][d]));
      long whole =
          (image[2 + d] - 1) * numbers[0][d]
              + numbers[3][d] * (weight[2 + d] - 1)
              + numbers[2][d]
              + 1;
      numbers[1][d] = below((int) (whole - 1) / 2 + 1);
    }
    Object bias = random.nextBoolean() ? numbers(dtype, groups * weight[1]) : None.NONE;
    return new Object[] {
      numbers(dtype, image),
      numbers(dtype, weight),
      bias,
      list(numbers[0]),
      list(numbers[1]),
      list(numbers[2]),
      groups,
      list(numbers[3])
    };
  }

  /** What each pixel adds to each place under the kernel, in doubles. */
  private double[] sums(Object[] arguments, int dims, Shape result) {
    double[] images = elements((DenseTensor) arguments[0]);
    double[] weights = elements((DenseTensor) arguments[1]);
    long[] image = planar(((DenseTensor) arguments[0]).shape().toArray(), dims, 1);
    long[] kernel = planar(((DenseTensor) arguments[1]).shape().toArray(), dims, 1);
    long[] size = planar(result.toArray(), dims, 1);
    long[] stride = planar(numbers(arguments[3]), dims, 1);
    long[] padding = planar(numbers(arguments[4]), dims, 0);
    long[] dilation = planar(numbers(arguments[7]), dims, 1);
    double[] sums = new double[(int) result.elements()];
    if (arguments[2] instanceof DenseTensor bias) {
      double[] first = elements(bias);
      long plane = size[2] * size[3];
      Arrays.setAll(sums, i -> first[(int) (i / plane % first.length)]);
    }
    long inputs = image[1] / (long) arguments[6];
    for (int w = 0; w < weights.length; w++) {
      long kx = w % kernel[3];
      long ky = w / kernel[3] % kernel[2];
      long channel = w / (kernel[3] * kernel[2] * kernel[1]);
      long output = channel / inputs * kernel[1] + w / (kernel[3] * kernel[2]) % kernel[1];
      for (long pixel = 0; pixel < image[0] * image[2] * image[3]; pixel++) {
        long column = pixel % image[3];
        long row = pixel / image[3] % image[2];
        long n = pixel / (image[3] * image[2]);
        long x = column * stride[1] + kx * dilation[1] - padding[1];
        long y = row * stride[0] + ky * dilation[0] - padding[0];
        if (x >= 0 && x < size[3] && y >= 0 && y < size[2]) {
          long from = ((n * image[1] + channel) * image[2] + row) * image[3] + column;
          long to = ((n * size[1] + output) * size[2] + y) * size[3] + x;
          sums[(int) to] += images[(int) from] * weights[w];
        }
      }
    }
    return sums;
  }

  private static long[] numbers(Object list) {
    return ((List<?>) list).stream().mapToLong(number -> (long) number).toArray();
  }

  /** With {@code down} before the last number, for lines. */
  private static long[] planar(long[] numbers, int dims, long down) {
    int last = numbers.length - 1;
    long[] more = Arrays.copyOf(numbers, last + 2);
    more[last] = down;
    more[last + 1] = numbers[last];
    return dims == 2 ? numbers : more;
  }

  /** The same bits whether the weight is a constant, and has kept kernels, or may change. */
  @Test
  void eachWeightGivesTheSums() {
    int phased = 0;
    for (int round = 0; round < 600; round++) {
      DType dtype = round % 4 == 0 ? DType.FLOAT32 : DType.FLOAT64;
      int dims = 1 + round % 3 / 2;
      String operation = dims == 1 ? "conv_transpose1d" : "conv_transpose2d.input";
      Object[] arguments = arguments(dtype, dims);
      if (round % 5 == 0 && dims == 2) {
        arguments[0] = run("contiguous", null, arguments[0], 2L); // channels last
      }
      DenseTensor result = run(operation, null, arguments);
      assertArrayEquals(
          sums(arguments, dims, result.shape()),
          elements(result),
          dtype == DType.FLOAT32 ? 2e-5 : 1e-12,
          () -> Arrays.toString(arguments));
      FixedConstant fixed = new FixedConstant((DenseTensor) arguments[1], model);
      Preparation kept = fixed.kept();
      for (int call = 0; call < 2; call++) {
        DenseTensor again = run(operation, kept, arguments);
        assertEquals(result.layout(), again.layout());
        assertArrayEquals(elements(result), elements(again), () -> Arrays.toString(arguments));
      }
      phased += fixed.forms.isEmpty() ? 0 : 1;
    }
    assertTrue(phased > 200, phased + " cases in phases");
  }

  /** As long as it is not written, and another time afterwards. */
  @Test
  void aWeightIsRearrangedOnce() {
    Object[] arguments = {
      numbers(DType.FLOAT32, 1, 3, 5, 5),
      numbers(DType.FLOAT32, 3, 2, 4, 4),
      None.NONE,
      list(2, 2),
      list(1, 1),
      list(0, 0),
      1L,
      list(1, 1)
    };
    DenseTensor weight = (DenseTensor) arguments[1];
    FixedConstant fixed = new FixedConstant(weight, model);
    Preparation kept = fixed.kept();
    double[] first = elements(run("conv_transpose2d.input", kept, arguments));
    int forms = fixed.forms.size();
    assertTrue(forms > 1, "kernels, and whether the weight is finite");
    assertArrayEquals(first, elements(run("conv_transpose2d.input", kept, arguments)));
    assertEquals(forms, fixed.forms.size(), "nothing is made twice");
    Object[] larger = arguments.clone();
    larger[0] = numbers(DType.FLOAT32, 2, 3, 7, 9);
    run("conv_transpose2d.input", kept, larger);
    assertEquals(forms, fixed.forms.size(), "the kernels fit images of any size");

    fixed.current = false;
    weight.segment().fill((byte) 0);
    assertArrayEquals(
        new double[first.length], elements(run("conv_transpose2d.input", kept, arguments)));
  }

  /** Sums of few pixels, most of which a phase would find around the image, are made of columns. */
  @Test
  void aPixelMeetsTheWholeKernel() {
    Object[] arguments = {
      numbers(DType.FLOAT64, 3, 2, 1, 1),
      numbers(DType.FLOAT64, 2, 3, 4, 4),
      numbers(DType.FLOAT64, 3),
      list(1, 1),
      list(0, 0),
      list(0, 0),
      1L,
      list(1, 1)
    };
    FixedConstant fixed = new FixedConstant((DenseTensor) arguments[1], model);
    DenseTensor result = run("conv_transpose2d.input", fixed.kept(), arguments);
    assertArrayEquals(sums(arguments, 2, result.shape()), elements(result), 1e-12);
    assertEquals(Set.of(), fixed.forms.keySet());
  }

  /** An infinity meets the pixels under the kernel, and no zeros around the image. */
  @Test
  void anInfiniteWeightMeetsPixelsOnly() {
    Object[] arguments = {
      numbers(DType.FLOAT64, 1, 2, 4, 3),
      numbers(DType.FLOAT64, 2, 2, 3, 3),
      None.NONE,
      list(1, 1),
      list(0, 0),
      list(0, 0),
      1L,
      list(1, 1)
    };
    DenseTensor weight = (DenseTensor) arguments[1];
    Elements.putDouble(weight.segment(), DType.FLOAT64, 4, Double.POSITIVE_INFINITY);
    FixedConstant fixed = new FixedConstant(weight, model);
    for (Preparation kept : Arrays.asList(null, fixed.kept())) {
      DenseTensor result = run("conv_transpose2d.input", kept, arguments);
      assertArrayEquals(sums(arguments, 2, result.shape()), elements(result), 1e-12);
    }
  }
}
