package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.Softmax;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Softmax of rows beside that of the plain set. */
class SoftmaxTest {
  private static final KernelSet PLAIN = StandardOperations.plainKernels();
  private static final KernelSet KERNELS = new VectorKernels(PLAIN);

  private final Random random = new Random(5);
  private final OffHeap memory = OffHeap.of(MemoryOptions.withBudget(1L << 28));
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void closeMemory() {
    scope.close();
    memory.close();
  }

  @Test
  void rowsOfAnyLengthBecomeShares() {
    for (int round = 0; round < 200; round++) {
      compare(1 + random.nextInt(5), 1 + random.nextInt(100), round % 7, random.nextBoolean());
    }
  }

  @Test
  void aCancellationIsSeen() {
    Layout layout = Layout.contiguous(Shape.of(4, 8));
    Fault stop = Fault.of(FaultType.CANCELLED, "enough");
    DenseTensor x = Elements.random(scope, DType.FLOAT32, 32, random);
    Softmax softmax = KERNELS.softmax(request(layout, false));
    assertInstanceOf(FloatSoftmax.class, softmax);
    assertSame(stop, softmax.run(new Run(scope, stop), x, x));
  }

  private static Softmax.Request request(Layout layout, boolean logarithm) {
    return new Softmax.Request(DType.FLOAT32, layout, DType.FLOAT32, layout, 1, logarithm);
  }

  private void compare(int rows, int width, int odd, boolean logarithm) {
    int count = rows * width;
    Shape shape = Shape.of(rows, width);
    DenseTensor x = (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, shape);
    for (int i = 0; i < count; i++) {
      Elements.set(x, i, random.nextFloat() * 40 - 20);
    }
    double[] strange = {
      Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, 1e30, -1e30
    };
    if (odd < strange.length) {
      Elements.set(x, random.nextInt(count), strange[odd]);
    }
    DenseTensor found = (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, shape);
    DenseTensor expected = (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, shape);
    Softmax.Request request = request(Layout.contiguous(shape), logarithm);
    assertNull(KERNELS.softmax(request).run(new Run(scope), x, found));
    assertNull(PLAIN.softmax(request).run(new Run(scope), x, expected));
    for (int i = 0; i < count; i++) {
      double exact = Elements.get(expected, i);
      double error = Math.abs(exact) * 1e-5 + 1e-7;
      assertEquals(exact, Elements.get(found, i), Double.isFinite(exact) ? error : 0, "at " + i);
    }
  }
}
