package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
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
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import jdk.incubator.vector.FloatVector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares convolutions of many channels with the plain kernels, on random images and weights. */
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

  /** The operands of a convolution and the result of the plain kernels. */
  private final class Case {
    final Convolution.Request request;
    final DenseTensor x;
    final DenseTensor weight;
    final DenseTensor bias;
    final DenseTensor result;
    final DenseTensor expected;

    Case(Shape image, int outputs, Window down, Window across) {
      this(image, outputs, down, across, false, false);
    }

    /**
     * @param last whether the image is stored channels last
     * @param lastOfResult whether the result is stored channels last
     */
    Case(Shape image, int outputs, Window down, Window across, boolean last, boolean lastOfResult) {
      this(image, outputs, down, across, 1, last, lastOfResult);
    }

    Case(
        Shape image,
        int outputs,
        Window down,
        Window across,
        int groups,
        boolean last,
        boolean lastOfResult) {
      int rows = down.outputs((int) image.size(2), false);
      int columns = across.outputs((int) image.size(3), false);
      Shape kernel = Shape.of(outputs, image.size(1) / groups, down.kernel(), across.kernel());
      Layout lies = last ? Layout.channelsLast(image) : Layout.contiguous(image);
      Layout layout = new Layout(image, lies.strides(), 3);
      this.x = Elements.random(scope, DType.FLOAT32, layout.extent() + 3, random);
      this.weight = Elements.random(scope, DType.FLOAT32, kernel.elements(), random);
      this.bias = Elements.random(scope, DType.FLOAT32, outputs, random);
      Shape made = Shape.of(image.size(0), outputs, rows, columns);
      Layout result = lastOfResult ? Layout.channelsLast(made) : Layout.contiguous(made);
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
              groups,
              random.nextInt(3) == 0 && groups > 1 ? null : new Run(scope).constant(weight));
    }

    void set(long element, float value) {
      x.segment().setAtIndex(ValueLayout.JAVA_FLOAT, 3 + element, value);
    }

    /** As {@link #compare}; also checks that the convolution multiplies pixels. */
    void check() {
      assertInstanceOf(FloatChannelsLast.class, KERNELS.convolution(request));
      compare();
    }

    /** Compares both results, with a tolerance of a millionth of the greatest element. */
    void compare() {
      compare(1e-6);
    }

    /**
     * @param tolerance as a part of the greatest element
     */
    void compare(double tolerance) {
      Convolution convolution = KERNELS.convolution(request);
      Run run = new Run(scope);
      assertNull(convolution.run(run, x, weight, bias, result));
      assertNull(PLAIN.convolution(request).run(run, x, weight, bias, expected));
      double[] wanted = Elements.all(expected);
      double greatest = 0;
      for (double signed : wanted) {
        double element = Math.abs(signed);
        greatest = element < Double.POSITIVE_INFINITY ? Math.max(greatest, element) : greatest;
      }
      assertArrayEquals(wanted, Elements.all(result), tolerance * greatest, request::toString);
    }
  }

  /**
   * Channels that fill a block: an element of the kernel is then left out where it meets padding.
   */
  @ParameterizedTest
  @CsvSource({
    "1,512,80,7,7,3,1,1,1,1",
    "1,512,70,14,14,3,2,1,1,1",
    "1,1024,33,4,5,3,2,0,1,1",
    "2,512,40,5,3,3,1,2,1,2",
    "1,512,96,3,3,5,1,2,2,1",
    "1,512,33,1,1,3,1,1,1,1",
    "1,512,40,2,2,2,1,1,1,1"
  })
  void paddingOfManyChannelsIsLeftOut(
      int images,
      int channels,
      int outputs,
      int rows,
      int columns,
      int kernel,
      int stride,
      int before,
      int after,
      int dilation) {
    Window window = new Window(kernel, stride, before, after, dilation);
    Shape image = Shape.of(images, channels, rows, columns);
    new Case(image, outputs, window, window, true, true).compare(3e-6);
    Window one = new Window(1, 1, 0, 0, 1);
    new Case(image, outputs, window, one, true, true).compare(3e-6);
    new Case(image, outputs, one, window, true, true).compare(3e-6);
  }

  @ParameterizedTest
  @CsvSource({"1,32,16,7,7", "2,48,32,8,5", "1,64,80,1,1", "1,512,16,4,3", "1,32,32,30,27"})
  void threeByThreeElementsGiveTwoByTwoPixelsAtOnce(
      int images, int channels, int outputs, int rows, int columns) {
    Case each = new Case(Shape.of(images, channels, rows, columns), outputs, THREE, THREE);
    each.check();
  }

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true", "false,false"})
  void imagesMayLieEitherWayOnBothSides(boolean last, boolean lastOfResult) {
    for (int round = 0; round < 60; round++) {
      Window down = window(1 + random.nextInt(3), 1 + random.nextInt(2));
      Window across = window(1 + random.nextInt(3), 1 + random.nextInt(2));
      int channels = 1 + random.nextInt(70);
      int outputs = lastOfResult ? 1 + random.nextInt(70) : 16 * (1 + random.nextInt(5));
      Shape image = Shape.of(size(3), channels, 4 + size(9), 5 + size(9));
      new Case(image, outputs, down, across, last, lastOfResult).compare();
      Shape vectors = Shape.of(size(3), 32L * size(3), size(9), size(9));
      new Case(vectors, outputs / 16 * 16 + 16, THREE, THREE, last, lastOfResult).check();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "600,300,7,7,1", "20,500,5,3,1", "523,300,2,1,1", "64,40,8,9,3", "70,136,9,8,2",
    "530,72,6,4,1", "2048,33,7,7,1", "515,48,3,4,3", "40,300,9,9,1", "16,600,2,6,3"
  })
  void fewPixelsMeetAWeightPanelByPanel(
      int channels, int outputs, int rows, int columns, int kernel) {
    Window window = new Window(kernel, 1, kernel / 2, kernel / 2, 1);
    Shape image = Shape.of(1, channels, rows, columns);
    Case each = new Case(image, outputs, window, new Window(kernel, 2, 1, 1, 1), true, true);
    each.set(random.nextInt((int) image.elements()), Float.NEGATIVE_INFINITY);
    each.check();
    new Case(image, outputs, window, window, true, true).check();
  }

  @Test
  void aKernelOfAChannelsOwnSlidesAlongItsPixels() {
    for (int round = 0; round < 120; round++) {
      boolean threes = round % 3 != 0;
      int stride = size(2);
      Window down = threes ? three(stride) : window(size(7), size(3));
      Window across = threes ? three(stride) : window(size(7), size(3));
      int channels = 16 * size(4);
      int least = threes ? 6 : 13;
      Shape image = Shape.of(size(2), channels, least + size(14), least + size(30));
      Case each = new Case(image, channels, down, across, channels, true, true);
      each.set(random.nextInt((int) image.elements()), Float.NaN);
      each.set(random.nextInt((int) image.elements()), Float.NEGATIVE_INFINITY);
      assertInstanceOf(FloatDepthwiseLast.class, KERNELS.convolution(each.request));
      each.compare();
    }
  }

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true"})
  void groupsMeetTheirOwnChannels(boolean last, boolean lastOfResult) {
    int served = 0;
    for (int round = 0; round < 80; round++) {
      Window down = window(size(4), size(3));
      Window across = window(size(4), size(3));
      int groups = 1 + size(4);
      int outputs = groups * (round % 3 == 0 ? 2 * size(40) : FloatPanels.WIDTH * size(3));
      int channels = groups * (round % 7 == 0 ? size(200) : size(40));
      Shape image = Shape.of(size(3), channels, 7 + size(20), 7 + size(40));
      Case each = new Case(image, outputs, down, across, groups, last, lastOfResult);
      if (round % 2 == 0) {
        each.set(random.nextInt((int) image.elements()), Float.NaN);
        each.set(random.nextInt((int) image.elements()), Float.NEGATIVE_INFINITY);
      }
      each.compare(3e-6);
      served += KERNELS.convolution(each.request) instanceof FloatChannelsLast ? 1 : 0;
    }
    assertTrue(served > 10, "groups were left to other kernels");
  }

  private Window three(int stride) {
    return new Window(3, stride, random.nextInt(4), random.nextInt(4), 1);
  }

  private int size(int most) {
    return 1 + random.nextInt(most);
  }

  private Window window(int kernel, int stride) {
    return new Window(kernel, stride, random.nextInt(3), random.nextInt(3), 1 + random.nextInt(2));
  }

  @Test
  void filtersSlideOverAPictureWhoseResultHasItsChannelsLast() {
    Window seven = new Window(7, 2, 3, 3, 1);
    Case whole = new Case(Shape.of(2, 3, 61, 70), 64, seven, seven, false, true);
    whole.set(5000, Float.NaN);
    whole.compare();
    for (int round = 0; round < 60; round++) {
      Window down = new Window(1 + size(6), size(3), random.nextInt(4), random.nextInt(4), size(2));
      Window across = window(1 + size(6), size(3));
      int rows = down.extent() + size(30);
      Shape image = Shape.of(size(2), size(4), rows, across.extent() + 15 + size(40));
      Case each = new Case(image, 32 * size(3), down, across, round % 3 == 0, true);
      if (FloatVector.SPECIES_PREFERRED.length() == 16
          && each.request.result().shape().size(2) > 1) {
        assertInstanceOf(FloatFewChannels.class, KERNELS.convolution(each.request));
      }
      each.compare();
    }
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
      Case each = new Case(Shape.of(1, 32, 12, 12), 32, window, window, stride == 2, stride == 2);
      Convolution convolution = KERNELS.convolution(each.request);
      long before = memory.account().bytes();
      assertSame(
          stop, convolution.run(new Run(scope, stop), each.x, each.weight, each.bias, each.result));
      assertEquals(before, memory.account().bytes());
    }
  }

  @Test
  void oneThatIsCancelledOrHasNoRoomLeavesNoMemoryBehind() {
    Fault stop = Fault.of(FaultType.CANCELLED, "enough");
    Case each = new Case(Shape.of(1, 32, 12, 12), 32, THREE, THREE, 32, true, true);
    Convolution convolution = KERNELS.convolution(each.request);
    long before = memory.account().bytes();
    assertSame(
        stop, convolution.run(new Run(scope, stop), each.x, each.weight, each.bias, each.result));
    assertEquals(before, memory.account().bytes());
    for (int stride = 1; stride <= 2; stride++) {
      Window window = new Window(3, stride, 1, 1, 1);
      for (boolean last : new boolean[] {false, true}) {
        Case other = new Case(Shape.of(1, 32, 12, 12), 32, window, window, last, !last);
        Convolution turning = KERNELS.convolution(other.request);
        try (OffHeap small = OffHeap.of(MemoryOptions.withBudget(1 << 10));
            ResourceScope room = ResourceScope.open(small, "room")) {
          Fault fault = turning.run(new Run(room), other.x, other.weight, other.bias, other.result);
          assertNotNull(fault);
          assertEquals(FaultType.OUT_OF_MEMORY, fault.type());
          assertEquals(0, small.account().bytes());
        }
      }
    }
  }

  /** Runs all pieces at once, on several threads. */
  private record Crowd(ResourceScope scope) implements ExecutionContext {
    @Override
    public @Nullable Fault cancelled() {
      return null;
    }

    @Override
    public @Nullable Fault parallel(long range, long grain, Piece work) {
      return LongStream.range(0, Math.ceilDiv(range, grain))
          .parallel()
          .mapToObj(i -> work.run(i * grain, Math.min(range, (i + 1) * grain)))
          .filter(Objects::nonNull)
          .findAny()
          .orElse(null);
    }
  }

  private Case groupsOfConstantWeight() {
    Case each;
    do {
      each = new Case(Shape.of(2, 64, 60, 60), 128, THREE, THREE, 4, true, true);
    } while (each.request.constant() == null);
    return each;
  }

  @Test
  void theThreadsOnWhichPiecesRunChangeNoBit() {
    Window two = new Window(3, 2, 1, 1, 1);
    Window seven = new Window(7, 2, 3, 3, 1);
    List<Case> cases =
        List.of(
            new Case(Shape.of(2, 64, 30, 31), 64, THREE, THREE, true, true),
            new Case(Shape.of(2, 64, 30, 31), 64, THREE, THREE, false, false),
            new Case(Shape.of(1, 64, 80, 80), 64, two, two, true, true),
            new Case(Shape.of(1, 64, 60, 60), 64, THREE, THREE, 64, true, true),
            groupsOfConstantWeight(),
            new Case(Shape.of(1, 3, 100, 100), 64, seven, seven, false, true));
    for (Case each : cases) {
      Convolution convolution = KERNELS.convolution(each.request);
      Run alone = new Run(scope);
      assertNull(convolution.run(alone, each.x, each.weight, each.bias, each.expected));
      Crowd crowd = new Crowd(scope);
      assertNull(convolution.run(crowd, each.x, each.weight, each.bias, each.result));
      assertEquals(-1, each.expected.segment().mismatch(each.result.segment()));
    }
  }

  @Test
  void whereChannelsMayLieLastIsKnownFromARequest() {
    Case wide = new Case(Shape.of(1, 32, 12, 12), 64, THREE, THREE);
    assertTrue(KERNELS.prefersChannelsLast(wide.request));
    Case apart = new Case(Shape.of(1, 32, 12, 12), 32, THREE, THREE, 32, false, false);
    assertTrue(KERNELS.prefersChannelsLast(apart.request));
    Case picture = new Case(Shape.of(1, 3, 12, 12), 64, THREE, THREE);
    boolean wideVectors = FloatVector.SPECIES_PREFERRED.length() == 16;
    assertEquals(wideVectors, KERNELS.prefersChannelsLast(picture.request));
    Case few = new Case(Shape.of(1, 5, 12, 12), 6, THREE, THREE);
    assertFalse(KERNELS.prefersChannelsLast(few.request));
    Shape two = Shape.of(1, 2L * FloatPanels.WIDTH, 12, 12);
    Case grouped = new Case(two, 2 * FloatPanels.WIDTH, THREE, THREE, 2, false, false);
    assertEquals(grouped.request.constant() != null, KERNELS.prefersChannelsLast(grouped.request));
    Case narrow = new Case(Shape.of(1, 32, 12, 12), 32, THREE, THREE, 16, false, false);
    assertFalse(KERNELS.prefersChannelsLast(narrow.request));
    assertFalse(PLAIN.prefersChannelsLast(wide.request));
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
