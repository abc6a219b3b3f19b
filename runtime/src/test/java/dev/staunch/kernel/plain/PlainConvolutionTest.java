package dev.staunch.kernel.plain;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.KernelBench;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.Window;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

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

  @Test
  void theOrderInWhichBandsAreTakenChangesNoBit() {
    DenseTensor input = floats(Shape.of(2, 8, 64, 64));
    DenseTensor weight = floats(Shape.of(6, 4, 3, 3));
    DenseTensor bias = floats(Shape.of(6));
    Window window = new Window(3, 1, 1, 1, 1);
    Shape shape = Shape.of(2, 6, 64, 64);
    Convolution convolution =
        new PlainConvolution(
            new Convolution.Request(
                DType.FLOAT32,
                input.layout(),
                weight.layout(),
                bias.layout(),
                Layout.contiguous(shape),
                window,
                window,
                2,
                null));
    DenseTensor inTurn = (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, shape);
    DenseTensor backwards = (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, shape);
    assertNull(convolution.run(new KernelBench(scope), input, weight, bias, inTurn));
    Backwards context = new Backwards(scope);
    assertNull(convolution.run(context, input, weight, bias, backwards));
    assertTrue(context.pieces >= 4, "several pieces");
    assertArrayEquals(HostTensors.toFloats(inTurn), HostTensors.toFloats(backwards));
  }

  @Test
  void aCancelledConvolutionKeepsNoMemory() {
    DenseTensor input = floats(Shape.of(1, 4, 32, 32));
    DenseTensor weight = floats(Shape.of(4, 4, 3, 3));
    Window window = new Window(3, 1, 1, 1, 1);
    Layout result = Layout.contiguous(input.shape());
    Convolution convolution =
        new PlainConvolution(
            new Convolution.Request(
                DType.FLOAT32,
                input.layout(),
                weight.layout(),
                null,
                result,
                window,
                window,
                1,
                null));
    DenseTensor target = (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, result);
    KernelBench context = new KernelBench(scope);
    context.cancel("enough");
    long before = memory.account().bytes();
    Fault fault = convolution.run(context, input, weight, null, target);
    assertTrue(fault != null && fault.message().contains("enough"));
    assertEquals(before, memory.account().bytes());
  }
}
