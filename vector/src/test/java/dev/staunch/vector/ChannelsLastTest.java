package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.primitive.Convolution;
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
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Convolutions of many channels beside the plain kernels, of each an image and a weight. */
class ChannelsLastTest {
  private static final KernelSet PLAIN = StandardOperations.plainKernels();
  private static final KernelSet KERNELS = new VectorKernels(PLAIN);
  private static final Window THREE = new Window(3, 1, 1, 1, 1);

  private final Random random = new Random(23);
  private final OffHeap memory = OffHeap.of(MemoryOptions.withBudget(1L << 30));
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void closeMemory() {
    scope.close();
    memory.close();
  }

  /** Operands of a convolution, and what the plain kernels make of them. */
  private final class Case {
    final Convolution.Request request;
    final DenseTensor x;
    final DenseTensor weight;
    final DenseTensor bias;
    final DenseTensor result;
    final DenseTensor expected;

    Case(Shape image, int outputs, Window down, Window across) {
      int rows = down.outputs((int) image.size(2), false);
      int columns = across.outputs((int) image.size(3), false);
      Shape kernel = Shape.of(outputs, image.size(1), down.kernel(), across.kernel());
      Layout layout = new Layout(image, Layout.contiguous(image).strides(), 3);
      this.x = Elements.random(scope, DType.FLOAT32, layout.extent() + 3, random);
      this.weight = Elements.random(scope, DType.FLOAT32, kernel.elements(), random);
      this.bias = Elements.random(scope, DType.FLOAT32, outputs, random);
      Layout result = Layout.contiguous(Shape.of(image.size(0), outputs, rows, columns));
      this.result = Elements.random(scope, DType.FLOAT32, result.extent(), random);
      this.expected = Elements.random(scope, DType.FLOAT32, result.extent(), random);
      this.request =
          new Convolution.Request(
              DType.FLOAT32,
              layout,
              Layout.contiguous(kernel),
              Layout.contiguous(Shape.of(outputs)),
              result,
              down,
              across,
              1,
              new Run(scope).constant(weight));
    }

    void set(long element, float value) {
      x.segment().setAtIndex(ValueLayout.JAVA_FLOAT, 3 + element, value);
    }

    /** Compares both, to a millionth of the greatest element. */
    void check() {
      Convolution convolution = KERNELS.convolution(request);
      assertInstanceOf(FloatChannelsLast.class, convolution);
      Run run = new Run(scope);
      assertNull(convolution.run(run, x, weight, bias, result));
      assertNull(PLAIN.convolution(request).run(run, x, weight, bias, expected));
      double greatest = 0;
      for (long i = 0; i < result.elements(); i++) {
        double element = Math.abs(Elements.get(expected, i));
        greatest = element < Double.POSITIVE_INFINITY ? Math.max(greatest, element) : greatest;
      }
      double error = 1e-6 * greatest;
      for (long i = 0; i < result.elements(); i++) {
        assertEquals(Elements.get(expected, i), Elements.get(result, i), error, "element " + i);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1,32,16,7,7", "2,48,32,8,5", "1,64,80,1,1", "1,512,16,4,3", "1,32,32,30,27"})
  void threeByThreeElementsGiveTwoByTwoPixelsAtOnce(
      int images, int channels, int outputs, int rows, int columns) {
    Case each = new Case(Shape.of(images, channels, rows, columns), outputs, THREE, THREE);
    each.check();
  }

  @Test
  void paddingMayDifferOnEachSide() {
    Window down = new Window(3, 1, 0, 3, 1);
    Window across = new Window(3, 1, 2, 0, 1);
    new Case(Shape.of(1, 32, 9, 10), 32, down, across).check();
  }

  @ParameterizedTest
  @CsvSource({
    "14,13,3,2,1,1",
    "5,5,1,2,0,1",
    "5,5,1,1,0,1",
    "14,13,2,3,1,1",
    "14,13,3,1,2,2",
    "14,13,5,1,2,1",
    "14,13,4,3,0,1"
  })
  void aWindowOfAnyKindSlidesOverASmallImage(
      int rows, int columns, int kernel, int stride, int padding, int dilation) {
    Window window = new Window(kernel, stride, padding, padding, dilation);
    Window other = new Window(kernel, 1, padding, 0, dilation);
    new Case(Shape.of(2, 48, rows, columns), 80, window, other).check();
  }

  @Test
  void whatIsNotFiniteReachesOnlyThePixelsThatMeetIt() {
    for (float value : new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.MAX_VALUE}) {
      Case each = new Case(Shape.of(1, 32, 12, 12), 32, THREE, THREE);
      each.set(5 * 144 + 40, value);
      each.check();
    }
  }

  @Test
  void aCancellationLeavesNoMemoryBehind() {
    Fault stop = Fault.of(FaultType.CANCELLED, "enough");
    for (int stride = 1; stride <= 2; stride++) {
      Window window = new Window(3, stride, 1, 1, 1);
      Case each = new Case(Shape.of(1, 32, 12, 12), 32, window, window);
      Convolution convolution = KERNELS.convolution(each.request);
      long before = memory.account().bytes();
      assertSame(
          stop, convolution.run(new Run(scope, stop), each.x, each.weight, each.bias, each.result));
      assertEquals(before, memory.account().bytes());
    }
  }

  @Test
  void aWeightThatMayChangeIsMultipliedInPanels() {
    Case each = new Case(Shape.of(1, 64, 12, 12), 32, THREE, THREE);
    Convolution.Request same = each.request;
    var changing =
        new Convolution.Request(
            same.dtype(),
            same.input(),
            same.weight(),
            same.bias(),
            same.result(),
            same.vertical(),
            same.horizontal(),
            1,
            null);
    assertTrue(KERNELS.convolution(changing) instanceof FloatConvolution);
  }
}
