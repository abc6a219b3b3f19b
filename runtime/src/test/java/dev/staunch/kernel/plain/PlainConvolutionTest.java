package dev.staunch.kernel.plain;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.KernelBench;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.Copy;
import dev.staunch.kernel.primitive.Window;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlainConvolutionTest {
  private static final long SEED = 20261122;

  private final OffHeap memory = OffHeap.withBudget(1 << 26);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final Random random = new Random(SEED);

  @AfterEach
  void everyByteGoesBack() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  /** Takes pieces from the last to the first, as other threads might. */
  private static final class Backwards extends KernelBench {
    int pieces;

    Backwards(ResourceScope scope) {
      super(scope);
    }

    @Override
    public @Nullable Fault parallel(long range, long grain, Piece work) {
      Fault fault = null;
      for (long piece = Math.ceilDiv(range, grain) - 1; piece >= 0 && fault == null; piece--) {
        pieces++;
        fault = work.run(piece * grain, Math.min(range, (piece + 1) * grain));
      }
      return fault;
    }
  }

  private DenseTensor floats(Shape shape) {
    float[] values = new float[(int) shape.elements()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return (DenseTensor) HostTensors.floats(scope, shape, values);
  }

  private DenseTensor zeros(Shape shape) {
    return (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, shape);
  }

  private static Convolution convolution(
      DenseTensor input,
      DenseTensor weight,
      @Nullable DenseTensor bias,
      Shape result,
      Window window,
      int groups) {
    return new PlainConvolution(
        new Convolution.Request(
            DType.FLOAT32,
            input.layout(),
            weight.layout(),
            bias == null ? null : bias.layout(),
            Layout.contiguous(result),
            window,
            window,
            groups,
            null));
  }

  @Test
  void theOrderInWhichBandsAreTakenChangesNoBit() {
    DenseTensor input = floats(Shape.of(2, 8, 64, 64));
    DenseTensor weight = floats(Shape.of(6, 4, 3, 3));
    DenseTensor bias = floats(Shape.of(6));
    Window window = new Window(3, 1, 1, 1, 1);
    Shape shape = Shape.of(2, 6, 64, 64);
    Convolution convolution = convolution(input, weight, bias, shape, window, 2);
    DenseTensor inTurn = zeros(shape);
    DenseTensor backwards = zeros(shape);
    assertNull(convolution.run(new KernelBench(scope), input, weight, bias, inTurn));
    Backwards context = new Backwards(scope);
    assertNull(convolution.run(context, input, weight, bias, backwards));
    assertTrue(context.pieces >= 4, "several pieces");
    assertArrayEquals(HostTensors.toFloats(inTurn), HostTensors.toFloats(backwards));
  }

  @Test
  void whereChannelsLieChangesNoBit() {
    Window window = new Window(3, 2, 1, 1, 1);
    for (int groups = 1; groups <= 2; groups++) {
      DenseTensor input = floats(Shape.of(2, 4, 9, 7));
      DenseTensor weight = floats(Shape.of(6, 4 / groups, 3, 3));
      DenseTensor bias = floats(Shape.of(6));
      Shape shape = Shape.of(2, 6, 5, 4);
      DenseTensor expected = zeros(shape);
      Convolution plain = convolution(input, weight, bias, shape, window, groups);
      KernelBench context = new KernelBench(scope);
      assertNull(plain.run(context, input, weight, bias, expected));
      for (boolean inputToo : new boolean[] {false, true}) {
        DenseTensor given = inputToo ? channelsLast(input) : input;
        Layout last = Layout.channelsLast(shape);
        DenseTensor result = (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, last);
        Convolution.Request request =
            new Convolution.Request(
                DType.FLOAT32,
                given.layout(),
                weight.layout(),
                bias.layout(),
                last,
                window,
                window,
                groups,
                null);
        Convolution turned = PlainKernels.set().convolution(request);
        long before = memory.account().bytes();
        assertNull(turned.run(context, given, weight, bias, result));
        assertEquals(before, memory.account().bytes());
        assertArrayEquals(HostTensors.toFloats(expected), HostTensors.toFloats(result));
      }
    }
  }

  private DenseTensor channelsLast(DenseTensor tensor) {
    Layout layout = Layout.channelsLast(tensor.shape());
    DenseTensor turned = (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, layout);
    Copy.Request request = new Copy.Request(DType.FLOAT32, tensor.layout(), DType.FLOAT32, layout);
    assertNull(new PlainCopy(request).run(new KernelBench(scope), tensor, turned));
    return turned;
  }

  @Test
  void aCancelledConvolutionKeepsNoMemory() {
    DenseTensor input = floats(Shape.of(1, 4, 32, 32));
    DenseTensor weight = floats(Shape.of(4, 4, 3, 3));
    Window window = new Window(3, 1, 1, 1, 1);
    Convolution convolution = convolution(input, weight, null, input.shape(), window, 1);
    DenseTensor target = zeros(input.shape());
    KernelBench context = new KernelBench(scope);
    context.cancel("enough");
    long before = memory.account().bytes();
    Fault fault = convolution.run(context, input, weight, null, target);
    assertTrue(fault != null && fault.message().contains("enough"));
    assertEquals(before, memory.account().bytes());
  }

  @Test
  void aPointWiseConvolutionTakesNoMemory() {
    DenseTensor input = floats(Shape.of(2, 8, 16, 32));
    DenseTensor weight = floats(Shape.of(6, 4, 1, 1));
    DenseTensor result = zeros(Shape.of(2, 6, 16, 32));
    Convolution convolution =
        convolution(input, weight, null, result.shape(), new Window(1, 1, 0, 0, 1), 2);
    long most = memory.metrics().peakBytes();
    assertNull(convolution.run(new KernelBench(scope), input, weight, null, result));
    assertEquals(most, memory.metrics().peakBytes());
    float[] x = HostTensors.toFloats(input);
    float[] w = HostTensors.toFloats(weight);
    float[] given = HostTensors.toFloats(result);
    for (int at = 0; at < given.length; at++) {
      int output = at / 512 % 6;
      int from = (at / 512 / 6 * 2 + output / 3) * 4 * 512 + at % 512;
      double sum = 0;
      for (int channel = 0; channel < 4; channel++) {
        sum += (double) w[output * 4 + channel] * x[from + channel * 512];
      }
      assertEquals(sum, given[at], 1e-5);
    }
  }

  @Test
  void longRowsAreGatheredWhateverTheStride() {
    DenseTensor input = floats(Shape.of(1, 1, 1, 5000));
    DenseTensor weight = (DenseTensor) HostTensors.floats(scope, Shape.of(1, 1, 1, 1), 1f);
    float[] all = HostTensors.toFloats(input);
    for (int stride : new int[] {2, 3, 1023, 1024, 4000}) {
      Window window = new Window(1, stride, 0, 0, 1);
      int count = window.outputs(all.length, false);
      DenseTensor result = zeros(Shape.of(1, 1, 1, count));
      Convolution convolution = convolution(input, weight, null, result.shape(), window, 1);
      assertNull(convolution.run(new KernelBench(scope), input, weight, null, result));
      float[] given = HostTensors.toFloats(result);
      for (int i = 0; i < count; i++) {
        assertEquals(all[i * stride], given[i], stride + " apart, " + i);
      }
    }
  }

  @Test
  void aRowIsNotFinishedOnceItIsCancelled() {
    DenseTensor input = floats(Shape.of(1, 1, 1, 1 << 19));
    DenseTensor weight = floats(Shape.of(1, 1, 1, 1));
    Window window = new Window(1, 2, 0, 0, 1);
    DenseTensor result = zeros(Shape.of(1, 1, 1, 1 << 18));
    result.segment().fill((byte) 0);
    Convolution convolution = convolution(input, weight, null, result.shape(), window, 1);
    KernelBench context =
        new KernelBench(scope) {
          private int looks;

          @Override
          public @Nullable Fault cancelled() {
            looks++;
            if (looks == 3) {
              cancel("enough");
            }
            return super.cancelled();
          }
        };
    assertNotNull(convolution.run(context, input, weight, null, result));
    float[] given = HostTensors.toFloats(result);
    int panels = 2 * ProductOperands.WIDTH;
    assertArrayEquals(
        new float[given.length - panels], Arrays.copyOfRange(given, panels, given.length));
  }

  /**
   * Whatever part of an image is read at once: lines that fit in an array, or parts of longer ones.
   */
  @Test
  void windowsAtAnyPlaceMeetTheirPixels() {
    for (int round = 0; round < 300; round++) {
      boolean large = round % 10 == 0;
      int groups = 1 + random.nextInt(2);
      int channels = 1 + random.nextInt(3);
      int outputs = large ? 1 : random.nextInt(1, 150);
      int[] sizes = {1 + random.nextInt(large ? 90 : 12), 1 + random.nextInt(large ? 900 : 12)};
      Window down = window(sizes[0]);
      Window along = window(sizes[1]);
      int images = 1 + random.nextInt(2);
      DenseTensor input = floats(Shape.of(images, (long) groups * channels, sizes[0], sizes[1]));
      DenseTensor weight =
          floats(Shape.of((long) groups * outputs, channels, down.kernel(), along.kernel()));
      DenseTensor bias = floats(Shape.of((long) groups * outputs));
      Shape shape =
          Shape.of(
              images,
              (long) groups * outputs,
              down.outputs(sizes[0], false),
              along.outputs(sizes[1], false));
      DenseTensor result = zeros(shape);
      Convolution.Request request =
          new Convolution.Request(
              DType.FLOAT32,
              input.layout(),
              weight.layout(),
              bias.layout(),
              result.layout(),
              down,
              along,
              groups,
              null);
      long before = memory.metrics().peakBytes();
      assertNull(
          new PlainConvolution(request).run(new KernelBench(scope), input, weight, bias, result));
      assertEquals(before, memory.metrics().peakBytes(), "nothing is stored but the result");
      meets(request, input, weight, bias, result, "seed " + SEED + ", round " + round);
      for (DenseTensor each : List.of(input, weight, bias, result)) {
        each.close();
      }
    }
  }

  /** A window that fits into a dimension of {@code size} elements. */
  private Window window(int size) {
    int kernel = 1 + random.nextInt(Math.min(size, 5));
    int dilation = 1 + random.nextInt(kernel == 1 ? 3 : Math.max(1, (size - 1) / (kernel - 1)));
    int before = random.nextInt(3);
    return new Window(kernel, 1 + random.nextInt(4), before, random.nextInt(3), dilation);
  }

  private static void meets(
      Convolution.Request request,
      DenseTensor input,
      DenseTensor weight,
      DenseTensor bias,
      DenseTensor result,
      String label) {
    float[] x = HostTensors.toFloats(input);
    float[] w = HostTensors.toFloats(weight);
    float[] start = HostTensors.toFloats(bias);
    float[] given = HostTensors.toFloats(result);
    int height = (int) input.shape().size(2);
    int width = (int) input.shape().size(3);
    int channels = (int) weight.shape().size(1);
    int all = (int) input.shape().size(1);
    int outputs = (int) result.shape().size(1);
    int across = (int) result.shape().size(3);
    int plane = (int) result.shape().size(2) * across;
    for (int at = 0; at < given.length; at++) {
      int output = at / plane % outputs;
      int first = at / plane / outputs * all + output / (outputs * channels / all) * channels;
      double sum = start[output];
      for (int tap = 0; tap < channels * request.vertical().kernel(); tap++) {
        int y = request.vertical().at(at % plane / across, tap % request.vertical().kernel());
        int channel = tap / request.vertical().kernel();
        for (int n = 0; n < request.horizontal().kernel(); n++) {
          int column = request.horizontal().at(at % across, n);
          if (y >= 0 && y < height && column >= 0 && column < width) {
            double pixel = x[((first + channel) * height + y) * width + column];
            int row = output * channels * request.vertical().kernel() + tap;
            sum += w[row * request.horizontal().kernel() + n] * pixel;
          }
        }
      }
      assertEquals(sum, given[at], 1e-4, label);
    }
  }

  /** M8: the JVM turns a read of a lost page into an error, which the engine turns into a fault. */
  @Test
  void m8AnImageInAFileThatWasCutShortIsAnError(@TempDir Path folder) throws IOException {
    Path file = Files.write(folder.resolve("image.bin"), new byte[4 * 64 * 64 * Float.BYTES]);
    Storage storage = (Storage) scope.map(file, 0, Files.size(file));
    Layout layout = Layout.contiguous(Shape.of(1, 4, 64, 64));
    DenseTensor input = (DenseTensor) DenseTensor.over(scope, storage, layout, DType.FLOAT32);
    storage.release();
    Files.write(file, new byte[0]);
    for (Window window : List.of(new Window(1, 1, 0, 0, 1), new Window(3, 2, 1, 1, 1))) {
      DenseTensor weight = zeros(Shape.of(4, 4, window.kernel(), window.kernel()));
      int side = window.outputs(64, false);
      DenseTensor result = zeros(Shape.of(1, 4, side, side));
      Convolution convolution = convolution(input, weight, null, result.shape(), window, 1);
      assertThrows(
          InternalError.class,
          () -> convolution.run(new KernelBench(scope), input, weight, null, result));
    }
  }
}
