package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
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
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares softmax of rows and columns with the plain kernels. */
@ParameterizedClass
@EnumSource(names = {"FLOAT32", "FLOAT64"})
class SoftmaxTest {
  private static final KernelSet PLAIN = StandardOperations.plainKernels();
  private static final KernelSet KERNELS = new VectorKernels(PLAIN);

  @Parameter private DType dtype = DType.FLOAT32;

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
      Shape shape = Shape.of(1 + random.nextInt(5), 1 + random.nextInt(100));
      compare(shape, 1, round % 7, random.nextBoolean());
    }
  }

  @Test
  void columnsOfAnyNumberBecomeShares() {
    for (int round = 0; round < 200; round++) {
      long columns = 16L + random.nextInt(60);
      Shape shape = Shape.of(1 + random.nextInt(3), 1 + random.nextInt(30), columns);
      compare(shape, random.nextInt(2), round % 7, random.nextBoolean());
    }
    Layout layout = Layout.contiguous(Shape.of(2, 3, 40));
    assertSame(
        dtype == DType.FLOAT32 ? FloatSoftmaxColumns.class : DoubleSoftmaxColumns.class,
        KERNELS.softmax(request(layout, 1, false)).getClass());
  }

  /** Those of the plain set keep fewer: it adds up one element after the other. */
  @Test
  void sumsOfManyElementsKeepTheirDigits() {
    for (Shape shape : List.of(Shape.of(1 << 16, 16), Shape.of(1, 1 << 20))) {
      for (boolean logarithm : new boolean[] {false, true}) {
        int dim = shape.size(0) == 1 ? 1 : 0;
        DenseTensor x = (DenseTensor) DenseTensor.allocate(scope, dtype, shape);
        double[] expected = new double[(int) x.elements()];
        for (int i = 0; i < expected.length; i++) {
          Elements.set(
              x, i, i < shape.size(1 - dim) ? 0 : -0.3567); // rounded the same way each time
        }
        double least = Elements.get(x, expected.length - 1L);
        double sum = 1 + (shape.size(dim) - 1) * Math.exp(least);
        for (int i = 0; i < expected.length; i++) {
          double element = Elements.get(x, i);
          expected[i] = logarithm ? element - Math.log(sum) : Math.exp(element) / sum;
        }
        compare(x, dim, logarithm, expected);
      }
    }
  }

  @Test
  void aRowByItselfMayHaveAnyStride() {
    Layout layout = new Layout(Shape.of(1, 9, 9), new long[] {108, 9, 1}, 0);
    DenseTensor x = (DenseTensor) Elements.random(scope, dtype, 81, random).view(scope, layout);
    DenseTensor found = Elements.random(scope, dtype, 81, random);
    Softmax.Request request =
        new Softmax.Request(dtype, layout, dtype, Layout.contiguous(layout.shape()), 0, false);
    assertNull(KERNELS.softmax(request).run(new Run(scope), x, found));
    double[] ones = new double[81];
    Arrays.fill(ones, 1);
    assertArrayEquals(ones, Elements.all(found));
  }

  @Test
  void aTensorWithoutDimensionsIsAShareOfItsOwn() {
    compare(Shape.of(), 0, 7, false);
    compare(Shape.of(), 0, 7, true);
  }

  @Test
  void aCancellationIsSeen() {
    Layout layout = Layout.contiguous(Shape.of(4, 8));
    Fault stop = Fault.of(FaultType.CANCELLED, "enough");
    DenseTensor x = Elements.random(scope, dtype, 32, random);
    Softmax softmax = KERNELS.softmax(request(layout, 1, false));
    assertSame(
        dtype == DType.FLOAT32 ? FloatSoftmax.class : DoubleSoftmax.class, softmax.getClass());
    assertSame(stop, softmax.run(new Run(scope, stop), x, x));
  }

  private Softmax.Request request(Layout layout, int dim, boolean logarithm) {
    return new Softmax.Request(dtype, layout, dtype, layout, dim, logarithm);
  }

  private void compare(Shape shape, int dim, int odd, boolean logarithm) {
    int count = (int) shape.elements();
    DenseTensor x = (DenseTensor) DenseTensor.allocate(scope, dtype, shape);
    for (int i = 0; i < count; i++) {
      Elements.set(x, i, random.nextFloat() * 40 - 20);
    }
    double[] strange = {
      Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, 1e30, -1e30
    };
    if (odd < strange.length) {
      Elements.set(x, random.nextInt(count), strange[odd]);
    }
    compare(x, dim, logarithm);
  }

  private void compare(DenseTensor x, int dim, boolean logarithm) {
    Shape shape = x.shape();
    DenseTensor expected = (DenseTensor) DenseTensor.allocate(scope, dtype, shape);
    Softmax.Request request = request(Layout.contiguous(shape), dim, logarithm);
    assertNull(PLAIN.softmax(request).run(new Run(scope), x, expected));
    compare(x, dim, logarithm, Elements.all(expected));
  }

  private void compare(DenseTensor x, int dim, boolean logarithm, double[] expected) {
    Shape shape = x.shape();
    DenseTensor found = (DenseTensor) DenseTensor.allocate(scope, dtype, shape);
    Softmax.Request request = request(Layout.contiguous(shape), dim, logarithm);
    assertNull(KERNELS.softmax(request).run(new Run(scope), x, found));
    for (int i = 0; i < x.elements(); i++) {
      double exact = expected[i];
      double rounding = !logarithm ? 0 : dim == shape.rank() - 1 ? 1e-7 : 2e-7;
      double error = Elements.allowed(dtype, Math.abs(exact) * 1e-5 + rounding);
      assertEquals(exact, Elements.get(found, i), Double.isFinite(exact) ? error : 0, "at " + i);
    }
  }
}
