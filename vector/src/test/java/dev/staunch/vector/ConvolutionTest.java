package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.Window;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Compares convolutions with the textbook sums, in double. */
class ConvolutionTest {
  private static final KernelSet KERNELS = new VectorKernels(StandardOperations.plainKernels());

  private final Random random = new Random(11);
  private final OffHeap memory = OffHeap.of(MemoryOptions.withBudget(1L << 30));
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void closeMemory() {
    scope.close();
    memory.close();
  }

  @Test
  void windowsOfAnyKindSlideOverImagesOfAnyLayout() {
    for (int round = 0; round < 300; round++) {
      check(size(2), size(3), size(6), size(20), 1 + random.nextInt(40), window(), window());
    }
  }

  @Test
  void aKernelOfOnePixelIsAProduct() {
    Window point = new Window(1, 1, 0, 0, 1);
    for (int round = 0; round < 60; round++) {
      check(size(2), size(2), size(40), size(30), 1 + random.nextInt(20), point, point);
    }
  }

  @Test
  void eachChannelMayHaveAKernelOfItsOwn() {
    for (int round = 0; round < 60; round++) {
      check(size(2), 1 + random.nextInt(20), 1, 1, 1 + random.nextInt(40), window(), window());
    }
  }

  @Test
  void aKernelOfThreeByThreeSlidesOverAChannelOfItsOwn() {
    for (int round = 0; round < 200; round++) {
      int stride = size(2);
      Window down = new Window(3, stride, random.nextInt(3), random.nextInt(4), 1);
      Window across = new Window(3, stride, random.nextInt(3), random.nextInt(4), 1);
      check(size(2), size(9), 1, 1, size(40), down, across);
    }
  }

  @Test
  void aChannelMeetsNothingOfItsNeighbours() {
    for (int stride = 1; stride <= 2; stride++) {
      Window three = new Window(3, stride, 1, 1, 1);
      Layout image = Layout.contiguous(Shape.of(1, 3, 6, 6));
      Layout weight = Layout.contiguous(Shape.of(3, 1, 3, 3));
      int side = 6 / stride;
      Layout result = Layout.contiguous(Shape.of(1, 3, side, side));
      DenseTensor x = tensor(DType.FLOAT32, image.extent());
      for (int i = 0; i < 36; i++) {
        Elements.set(x, i, Double.NaN);
        Elements.set(x, 72 + i, Double.POSITIVE_INFINITY);
      }
      DenseTensor y = tensor(DType.FLOAT32, result.extent());
      var request =
          new Convolution.Request(
              DType.FLOAT32, image, weight, null, result, three, three, 3, null);
      Convolution convolution = KERNELS.convolution(request);
      assertInstanceOf(FloatDepthwise.class, convolution);
      DenseTensor w = tensor(DType.FLOAT32, weight.extent());
      assertNull(convolution.run(new Run(scope), x, w, null, y));
      for (int i = 0; i < side * side; i++) {
        assertTrue(Double.isFinite(Elements.get(y, side * side + i)), "at " + i);
      }
    }
  }

  @Test
  void convolutionsOfSeveralBlocksAndPiecesAreWhole() {
    Window three = new Window(3, 1, 1, 1, 1);
    check(1, 1, 70, 260, 20, three, three);
    check(1, 1, 24, 24, 60, three, three);
    check(2, 2, 40, 30, 9, three, three);
  }

  @Test
  void filtersLieSideBySideWhereRowsAreShort() {
    for (int round = 0; round < 200; round++) {
      int filters = 8 * size(6);
      check(size(3), size(2), size(8), filters, 1 + size(20), 4 + size(14), window(), window());
    }
  }

  @Test
  void bandsOfAnImageAreJoined() {
    Window seven = new Window(7, 2, 3, 3, 1);
    Window three = new Window(3, 1, 1, 1, 1);
    check(1, 1, 3, 20, 90, 110, seven, seven);
    check(2, 1, 20, 5, 70, 37, three, three);
    check(1, 1, 50, 3, 21, 200, three, three);
  }

  @Test
  void piecesMayRunInAnyOrder() {
    for (int columns : new int[] {3, 7, 9, 15, 17, 37}) {
      Layout image = Layout.contiguous(Shape.of(3, 30, 300, columns));
      Layout weight = Layout.contiguous(Shape.of(23, 30, 3, 3));
      Layout result = Layout.contiguous(Shape.of(3, 23, 300, columns));
      Window three = new Window(3, 1, 1, 1, 1);
      var request =
          new Convolution.Request(
              DType.FLOAT32, image, weight, null, result, three, three, 1, null);
      DenseTensor x = tensor(DType.FLOAT32, image.extent());
      DenseTensor w = tensor(DType.FLOAT32, weight.extent());
      DenseTensor forwards = tensor(DType.FLOAT32, result.extent());
      DenseTensor backwards = tensor(DType.FLOAT32, result.extent());
      Convolution convolution = KERNELS.convolution(request);
      assertNull(convolution.run(new Run(scope), x, w, null, forwards));
      assertNull(convolution.run(new LastFirst(scope), x, w, null, backwards));
      assertEquals(-1, forwards.segment().mismatch(backwards.segment()));
    }
  }

  /** Runs pieces in reverse order, as several threads might. */
  private record LastFirst(ResourceScope scope) implements ExecutionContext {
    @Override
    public @Nullable Fault cancelled() {
      return null;
    }

    @Override
    public @Nullable Fault parallel(long range, long grain, Piece work) {
      for (long first = (range - 1) / grain * grain; first >= 0; first -= grain) {
        assertNull(work.run(first, Math.min(range, first + grain)));
      }
      return null;
    }
  }

  @Test
  void aCancellationEndsAConvolution() {
    Window three = new Window(3, 1, 1, 1, 1);
    Layout image = Layout.contiguous(Shape.of(1, 16, 32, 32));
    Layout weight = Layout.contiguous(Shape.of(16, 16, 3, 3));
    var request =
        new Convolution.Request(DType.FLOAT32, image, weight, null, image, three, three, 1, null);
    DenseTensor x = tensor(DType.FLOAT32, image.extent());
    DenseTensor w = tensor(DType.FLOAT32, weight.extent());
    DenseTensor result = tensor(DType.FLOAT32, image.extent());
    long before = memory.account().bytes();
    Fault stop = Fault.of(FaultType.CANCELLED, "enough");
    assertSame(stop, KERNELS.convolution(request).run(new Run(scope, stop), x, w, null, result));
    assertEquals(before, memory.account().bytes());
  }

  private int size(int most) {
    return 1 + random.nextInt(most);
  }

  private Window window() {
    return new Window(
        size(4), size(3), random.nextInt(3), random.nextInt(3), random.nextInt(3) == 0 ? 2 : 1);
  }

  private void check(
      int images, int groups, int inputs, int outputs, int side, Window down, Window across) {
    check(images, groups, inputs, outputs, side, 1 + random.nextInt(40), down, across);
  }

  private void check(
      int images,
      int groups,
      int inputs,
      int outputs,
      int rows,
      int columns,
      Window down,
      Window across) {
    int height = down.outputs(rows, false);
    int width = across.outputs(columns, false);
    if (height <= 0 || width <= 0) {
      return;
    }
    DType dtype = random.nextInt(4) == 0 ? DType.FLOAT64 : DType.FLOAT32;
    long channels = (long) groups * inputs;
    long filters = (long) groups * outputs;
    Layout image = image(Shape.of(images, channels, rows, columns));
    Layout weight = Layout.contiguous(Shape.of(filters, inputs, down.kernel(), across.kernel()));
    Layout bias = random.nextBoolean() ? Layout.contiguous(Shape.of(filters)) : null;
    Shape made = Shape.of(images, filters, height, width);
    boolean last = random.nextInt(3) == 0;
    Layout result = last ? Layout.channelsLast(made) : Layout.contiguous(made);
    DenseTensor x = tensor(dtype, image.extent());
    DenseTensor w = tensor(dtype, weight.extent());
    DenseTensor b = bias == null ? null : tensor(dtype, bias.extent());
    DenseTensor y = tensor(dtype, result.extent());
    Run run = new Run(scope);
    Constant constant = random.nextBoolean() ? run.constant(w) : null;
    var request =
        new Convolution.Request(dtype, image, weight, bias, result, down, across, groups, constant);
    Convolution convolution = KERNELS.convolution(request);
    if (result.isContiguous()) {
      assertTrue(convolution.getClass().getPackageName().endsWith("vector"));
    }
    assertNull(convolution.run(run, x, w, b, y));
    double error = (dtype == DType.FLOAT32 ? 1e-6 : 1e-15) * 40;
    double[] expected = new double[(int) result.shape().elements()];
    double[] found = new double[expected.length];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = b == null ? 0 : Elements.get(b, i / ((long) height * width) % filters);
      expected[i] += sum(request, x, w, i);
      found[i] = Elements.get(y, place(result, i));
    }
    assertArrayEquals(expected, found, error, request::toString);
  }

  /** The storage position of the element with a row-major number. */
  private static long place(Layout layout, long number) {
    long at = layout.offset();
    long rest = number;
    for (int d = 3; d >= 0; d--) {
      at += rest % layout.shape().size(d) * layout.stride(d);
      rest /= layout.shape().size(d);
    }
    return at;
  }

  private static double sum(Convolution.Request request, DenseTensor x, DenseTensor w, long i) {
    Shape out = request.result().shape();
    long column = i % out.size(3);
    long row = i / out.size(3) % out.size(2);
    long channel = i / (out.size(3) * out.size(2)) % out.size(1);
    long image = i / (out.size(3) * out.size(2) * out.size(1));
    Layout in = request.input();
    Shape kernel = request.weight().shape();
    long group = channel / (out.size(1) / request.groups());
    double sum = 0;
    for (long k = 0; k < kernel.size(1) * kernel.size(2) * kernel.size(3); k++) {
      int across = (int) (k % kernel.size(3));
      int down = (int) (k / kernel.size(3) % kernel.size(2));
      long from = group * kernel.size(1) + k / (kernel.size(3) * kernel.size(2));
      long y = request.vertical().at((int) row, down);
      long z = request.horizontal().at((int) column, across);
      if (y >= 0 && y < in.shape().size(2) && z >= 0 && z < in.shape().size(3)) {
        long at =
            in.offset()
                + image * in.stride(0)
                + from * in.stride(1)
                + y * in.stride(2)
                + z * in.stride(3);
        long taps = kernel.size(1) * kernel.size(2) * kernel.size(3);
        sum += Elements.get(x, at) * Elements.get(w, channel * taps + k);
      }
    }
    return sum;
  }

  /** A row-major layout, one with gaps, or one with channels last. */
  private Layout image(Shape shape) {
    long channels = shape.size(1);
    long rows = shape.size(2);
    long columns = shape.size(3);
    long gap = random.nextInt(2);
    long[] strides =
        random.nextInt(4) == 0
            ? new long[] {channels * rows * columns, 1, columns * channels, channels}
            : new long[] {
              channels * (rows * (columns + gap)), rows * (columns + gap), columns + gap, 1
            };
    return new Layout(shape, strides, random.nextInt(4));
  }

  private DenseTensor tensor(DType dtype, long elements) {
    return Elements.random(scope, dtype, elements, random);
  }
}
