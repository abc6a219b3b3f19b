package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.primitive.ChannelNormalization;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.Pooling;
import dev.staunch.kernel.primitive.RowNormalization;
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
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares pooling, and normalisation of channels and rows, with the plain kernels. */
@ParameterizedClass
@EnumSource(names = {"FLOAT32", "FLOAT64"})
class PlanesTest {
  private static final KernelSet PLAIN = StandardOperations.plainKernels();
  private static final KernelSet KERNELS = new VectorKernels(PLAIN);

  @Parameter private DType dtype = DType.FLOAT32;

  private final Random random = new Random(8);
  private final OffHeap memory = OffHeap.of(MemoryOptions.withBudget(1L << 28));
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void closeMemory() {
    scope.close();
    memory.close();
  }

  private double allowed(double ofFloats) {
    return Elements.allowed(dtype, ofFloats);
  }

  @Test
  void windowsOfAnySizeHaveTheirGreatestElement() {
    for (int round = 0; round < 300; round++) {
      int rows = 1 + random.nextInt(20);
      int columns = 1 + random.nextInt(50);
      if (round % 2 == 0) {
        pool(window(), window(), rows, columns, 2);
      } else {
        pool(new Window(1, 1, 0, 0, 1), window(), rows, columns, 1);
      }
    }
  }

  @Test
  void windowsOfAnySizeHaveTheirMean() {
    for (int round = 0; round < 400; round++) {
      Window down = dense(window());
      Window across = dense(window());
      int rows = round % 4 == 1 ? 1 : 1 + random.nextInt(20);
      int columns = 1 + random.nextInt(50);
      int dims = round % 2 == 0 ? 2 : 1;
      Window vertical = dims == 2 ? down : new Window(1, 1, 0, 0, 1);
      pool(vertical, across, rows, columns, dims, mean(vertical, across, round));
    }
  }

  private static Window dense(Window window) {
    return new Window(window.kernel(), window.stride(), window.before(), window.after(), 1);
  }

  private static Pooling.Rule mean(Window down, Window across, int round) {
    Long divisor = round % 3 == 0 ? Long.valueOf(1 + round % 7) : null;
    return new Pooling.Rule.Mean(down, across, round % 5 < 2, divisor);
  }

  @Test
  void planesHaveTheMeansOfWindowsOfAnySize() {
    for (int round = 0; round < 300; round++) {
      int rows = 1 + random.nextInt(round % 3 == 0 ? 200 : 20);
      int columns = 1 + random.nextInt(50);
      DenseTensor x = numbers(Shape.of(3, rows, columns));
      Elements.set(x, random.nextInt(rows * columns), Double.NaN);
      int dims = round % 2 == 0 ? 2 : 1;
      int height = dims == 2 ? 1 + random.nextInt(9) : rows;
      DenseTensor found = numbers(Shape.of(3, height, 1 + random.nextInt(60)));
      DenseTensor expected = numbers(found.shape());
      Pooling.Request request =
          new Pooling.Request(
              dtype, x.layout(), found.layout(), dims, new Pooling.Rule.AdaptiveMean());
      Pooling means = KERNELS.pooling(request);
      assertEquals(
          dims == 1 || rows / height <= 64,
          means instanceof FloatPlaneMeans || means instanceof DoublePlaneMeans);
      assertNull(means.run(new Run(scope), x, found));
      assertNull(PLAIN.pooling(request).run(new Run(scope), x, expected));
      Elements.assertNear(expected, found, allowed(1e-6), request::toString);
    }
  }

  @Test
  void squaresSideBySideHaveTheirGreatestElement() {
    Window square = new Window(2, 2, 0, 0, 1);
    for (int columns = 2; columns < 80; columns++) {
      pool(square, square, 2 + columns % 5, columns, 2);
      pool(square, square, 28 + columns % 2, columns, 2);
    }
  }

  @Test
  void pixelsOfChannelsHaveTheirGreatestElementsAndMeans() {
    for (int round = 0; round < 200; round++) {
      int rows = 1 + random.nextInt(12);
      int columns = 1 + random.nextInt(12);
      int images = 1 + random.nextInt(3);
      Shape image = Shape.of(images, 16L * (1 + round % 3), rows, columns);
      Window down = window();
      Window across = window();
      Window tall = round % 4 == 1 ? dense(down) : down;
      Window wide = round % 4 == 1 ? dense(across) : across;
      int height = round % 2 == 0 ? 1 + random.nextInt(4) : tall.outputs(rows, false);
      int width = round % 2 == 0 ? 1 + random.nextInt(4) : wide.outputs(columns, true);
      if (height > 0 && width > 0 && image.elements() > image.size(1)) {
        Shape result = Shape.of(images, image.size(1), height, width);
        poolPixels(
            numbers(Layout.channelsLast(image)),
            Layout.channelsLast(result),
            round % 2 == 0
                ? new Pooling.Rule.AdaptiveMean()
                : round % 4 == 1
                    ? mean(tall, wide, round)
                    : new Pooling.Rule.Maximum(down, across));
      }
    }
  }

  private void poolPixels(DenseTensor x, Layout result, Pooling.Rule rule) {
    if (x.isContiguous()) {
      return;
    }
    Elements.set(x, random.nextInt((int) x.elements()), Double.NaN);
    Elements.set(x, random.nextInt((int) x.elements()), Double.NEGATIVE_INFINITY);
    DenseTensor found = numbers(result);
    DenseTensor expected = numbers(result);
    Pooling.Request request = new Pooling.Request(dtype, x.layout(), result, 2, rule);
    assertSame(
        dtype == DType.FLOAT32 ? FloatPixelPooling.class : DoublePixelPooling.class,
        KERNELS.pooling(request).getClass());
    assertNull(KERNELS.pooling(request).run(new Run(scope), x, found));
    assertNull(PLAIN.pooling(request).run(new Run(scope), x, expected));
    double tolerance = rule instanceof Pooling.Rule.Maximum ? 0 : allowed(1e-6);
    Elements.assertNear(expected, found, tolerance, request::toString);
  }

  private Window window() {
    int kernel = 1 + random.nextInt(4);
    int padding = random.nextInt(kernel / 2 + 1);
    return new Window(kernel, 1 + random.nextInt(2), padding, padding, 1 + random.nextInt(2));
  }

  private void pool(Window down, Window across, int rows, int columns, int dims) {
    pool(down, across, rows, columns, dims, new Pooling.Rule.Maximum(down, across));
  }

  private void pool(
      Window down, Window across, int rows, int columns, int dims, Pooling.Rule rule) {
    int height = dims == 2 ? down.outputs(rows, false) : rows;
    int width = across.outputs(columns, random.nextBoolean());
    if (height < 1 || width < 1) {
      return;
    }
    DenseTensor x = numbers(Shape.of(2, rows, columns));
    Elements.set(x, random.nextInt(rows * columns), Double.NaN);
    Elements.set(x, random.nextInt(rows * columns), Double.NEGATIVE_INFINITY);
    DenseTensor found = numbers(Shape.of(2, height, width));
    DenseTensor expected = numbers(Shape.of(2, height, width));
    Pooling.Request request = new Pooling.Request(dtype, x.layout(), found.layout(), dims, rule);
    assertSame(
        dtype == DType.FLOAT32 ? FloatPooling.class : DoublePooling.class,
        KERNELS.pooling(request).getClass());
    assertNull(KERNELS.pooling(request).run(new Run(scope), x, found));
    assertNull(PLAIN.pooling(request).run(new Run(scope), x, expected));
    double tolerance = rule instanceof Pooling.Rule.Maximum ? 0 : allowed(1e-6);
    Elements.assertNear(expected, found, tolerance, request::toString);
  }

  @Test
  void channelsAreNormalised() {
    for (int round = 0; round < 200; round++) {
      int pixels = round % 2 == 0 ? 1 : 1 + random.nextInt(60);
      int images = 1 + random.nextInt(4);
      int channels = 1 + random.nextInt(50);
      Shape shape = pixels == 1 ? Shape.of(images, channels) : Shape.of(images, channels, pixels);
      normalise(Layout.contiguous(shape), round % 3, round % 5, dtype);
      normalise(Layout.contiguous(shape), round % 3, round % 5, DType.FLOAT64);
    }
  }

  @Test
  void channelsThatLieLastAreNormalised() {
    for (int round = 0; round < 100; round++) {
      Shape shape = Shape.of(1 + random.nextInt(3), 1 + random.nextInt(50), 1 + round % 4, 3);
      normalise(Layout.channelsLast(shape), round % 3, round % 5, dtype);
    }
  }

  private void normalise(Layout layout, int scaled, int shifted, DType statistics) {
    int channels = (int) layout.shape().size(1);
    DenseTensor x = numbers(layout);
    DenseTensor weight = scaled == 0 ? null : numbers(Shape.of(channels));
    DenseTensor bias = shifted == 0 ? null : numbers(Shape.of(channels));
    DenseTensor mean = numbers(statistics, Layout.contiguous(Shape.of(channels)));
    DenseTensor variance = numbers(statistics, Layout.contiguous(Shape.of(channels)));
    for (int i = 0; i < channels; i++) {
      Elements.set(variance, i, 0.1 + random.nextDouble());
    }
    DenseTensor found = numbers(layout);
    DenseTensor expected = numbers(layout);
    ChannelNormalization.Request request =
        new ChannelNormalization.Request(
            dtype,
            x.layout(),
            found.layout(),
            layout(weight),
            layout(bias),
            statistics,
            mean.layout(),
            variance.layout(),
            1e-5);
    ChannelNormalization fast = KERNELS.channelNormalization(request);
    assertSame(
        dtype == DType.FLOAT32 ? FloatChannelNormalization.class : DoubleChannelNormalization.class,
        fast.getClass());
    Run run = new Run(scope);
    assertNull(fast.run(run, x, weight, bias, mean, variance, found));
    assertNull(
        PLAIN.channelNormalization(request).run(run, x, weight, bias, mean, variance, expected));
    Elements.assertNear(expected, found, allowed(1e-5), request::toString);
  }

  @Test
  void rowsAreNormalised() {
    for (int round = 0; round < 200; round++) {
      normaliseRows(1 + random.nextInt(5), 2 + random.nextInt(100), round % 2 == 0, round % 3 == 0);
    }
  }

  @Test
  void aLongRowIsNormalisedAsExactlyAsAShortOne() {
    int width = dtype == DType.FLOAT32 ? 1 << 21 : 1 << 16; // the plain set adds up in doubles
    normaliseRows(1, width, false, false, 5e-6);
  }

  private void normaliseRows(int rows, int width, boolean scaled, boolean shifted) {
    normaliseRows(rows, width, scaled, shifted, 2e-4);
  }

  private void normaliseRows(
      int rows, int width, boolean scaled, boolean shifted, double ofFloats) {
    Shape shape = Shape.of(rows, width);
    DenseTensor x = numbers(shape);
    for (long i = 0; i < x.elements(); i += 4) {
      Elements.set(x, i, Elements.get(x, i) * 7);
    }
    DenseTensor weight = scaled ? numbers(Shape.of(width)) : null;
    DenseTensor bias = shifted ? numbers(Shape.of(width)) : null;
    DenseTensor found = numbers(shape);
    DenseTensor expected = numbers(shape);
    RowNormalization.Request request =
        new RowNormalization.Request(
            dtype, x.layout(), found.layout(), 1, layout(weight), layout(bias), 1e-5);
    RowNormalization fast = KERNELS.rowNormalization(request);
    assertSame(
        dtype == DType.FLOAT32 ? FloatRowNormalization.class : DoubleRowNormalization.class,
        fast.getClass());
    assertNull(fast.run(new Run(scope), x, weight, bias, found));
    assertNull(PLAIN.rowNormalization(request).run(new Run(scope), x, weight, bias, expected));
    double within = allowed(ofFloats);
    Elements.assertNear(expected, found, within, request::toString);
  }

  private static @Nullable Layout layout(@Nullable DenseTensor tensor) {
    return tensor == null ? null : tensor.layout();
  }

  @Test
  void aCancelledPoolingIsNoResult() {
    Fault stop = Fault.of(FaultType.CANCELLED, "enough");
    Layout layout = Layout.contiguous(Shape.of(4, 8, 8));
    Window one = new Window(1, 1, 0, 0, 1);
    Pooling.Request request =
        new Pooling.Request(dtype, layout, layout, 2, new Pooling.Rule.Maximum(one, one));
    DenseTensor x = numbers(layout.shape());
    assertSame(
        stop, KERNELS.pooling(request).run(new Run(scope, stop), x, numbers(layout.shape())));
  }

  private DenseTensor numbers(Shape shape) {
    return numbers(Layout.contiguous(shape));
  }

  private DenseTensor numbers(Layout layout) {
    return numbers(dtype, layout);
  }

  private DenseTensor numbers(DType dtype, Layout layout) {
    DenseTensor tensor = (DenseTensor) DenseTensor.allocate(scope, dtype, layout);
    for (long i = 0; i < tensor.elements(); i++) {
      Elements.set(tensor, i, random.nextDouble() - 0.5);
    }
    return tensor;
  }
}
