package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Compares products of matrices with the textbook sums, in double. */
class MatrixProductTest {
  private static final KernelSet KERNELS = new VectorKernels(StandardOperations.plainKernels());

  /** The profile "whole" of Maven runs more rounds. */
  private static final int ROUNDS = Boolean.getBoolean("tests.whole") ? 100 : 15;

  private final Random random = new Random(7);
  private final OffHeap memory = OffHeap.of(MemoryOptions.withBudget(1L << 30));
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void closeMemory() {
    scope.close();
    memory.close();
  }

  @Test
  void matricesOfAnySizesAndStridesAreMultiplied() {
    for (int round = 0; round < 4 * ROUNDS; round++) {
      check(random.nextInt(3), size(40), size(80), size(round % 10 == 0 ? 1200 : 60), randomType());
    }
  }

  @Test
  void aFewRowsOrAColumnAreMultiplied() {
    for (int round = 0; round < 3 * ROUNDS; round++) {
      boolean column = random.nextBoolean();
      int few = size(4);
      check(
          0,
          column ? size(100) : few,
          column ? 1 : size(200),
          size(round % 9 == 0 ? 2000 : 70),
          randomType());
    }
  }

  @Test
  void productsOfSeveralBlocksAndPiecesAreWhole() {
    check(0, 200, 70, 30, DType.FLOAT32);
    check(0, 7, 4200, 20, DType.FLOAT32);
    check(0, 70, 401, 600, DType.FLOAT32);
    check(0, 70, 401, 600, DType.FLOAT64);
    check(0, 450, 400, 30, DType.FLOAT32);
    check(0, 2, 1500, 1000, DType.FLOAT32);
  }

  @Test
  void fewRowsMeetTheColumnsOfAConstantInAnyOrder() {
    for (int columns : new int[] {16, 40, 64, 250, 257, 700}) {
      int rows = size(3);
      int depth = size(700);
      DenseTensor a = tensor(DType.FLOAT32, (long) rows * depth);
      DenseTensor b = tensor(DType.FLOAT32, (long) depth * columns);
      Run run = new Run(scope);
      Layout target = Layout.contiguous(Shape.of(rows, columns));
      var request =
          new MatrixProduct.Request(
              DType.FLOAT32,
              Layout.contiguous(Shape.of(rows, depth)),
              Layout.contiguous(Shape.of(depth, columns)),
              repeated(target.shape()),
              target,
              1,
              run.constant(b));
      DenseTensor first = tensor(DType.FLOAT32, (long) rows * columns);
      DenseTensor second = tensor(DType.FLOAT32, (long) rows * columns);
      KernelSet none = StandardOperations.plainKernels();
      var pool = new ScratchPool<>(FloatTiles::new);
      assertNull(FloatMatrixProduct.of(request, none, pool, false).run(run, a, b, b, first));
      assertNull(FloatMatrixProduct.of(request, none, pool, true).run(run, a, b, b, second));
      assertEquals(-1, first.segment().mismatch(second.segment()), columns + " columns");
    }
  }

  @Test
  void aConstantThatNoCacheHoldsGivesTheSumsOfAnyOther() {
    for (DType dtype : new DType[] {DType.FLOAT32, DType.FLOAT64}) {
      for (int rows : new int[] {23, 24, 29, 157, 333}) {
        for (int columns : new int[] {401, 1104}) {
          checkConstant(rows, columns, columns == 401 ? 1570 : 311, dtype);
        }
      }
    }
  }

  @Test
  void aRowsSumsAreTheSameWhateverRowsStandBesideIt() {
    int depth = 37;
    for (DType dtype : new DType[] {DType.FLOAT32, DType.FLOAT64}) {
      for (int columns : new int[] {7, 16, 40}) {
        DenseTensor left = tensor(dtype, 65L * depth);
        DenseTensor right = tensor(dtype, (long) depth * columns);
        DenseTensor twelve = product(left, right, 12, columns, depth, 52);
        for (int rows : new int[] {64, 65}) {
          DenseTensor all = product(left, right, rows, columns, depth, 0);
          long size = columns * (long) dtype.bytes();
          MemorySegment same = all.segment().asSlice(52 * size, 12 * size);
          assertEquals(-1, twelve.segment().mismatch(same), rows + " x " + columns);
        }
      }
    }
  }

  /** The product of {@code rows} rows of {@code left}, from {@code first} on. */
  private DenseTensor product(
      DenseTensor left, DenseTensor right, int rows, int columns, int depth, int first) {
    Layout c = Layout.contiguous(Shape.of(rows, columns));
    long[] strides = {depth, 1};
    Layout a = new Layout(Shape.of(rows, depth), strides, (long) first * depth);
    Layout b = Layout.contiguous(Shape.of(depth, columns));
    DenseTensor result = tensor(left.dtype(), c.extent());
    var request = new MatrixProduct.Request(left.dtype(), a, b, null, c, 1, null);
    assertNull(KERNELS.matrixProduct(request).run(new Run(scope), left, right, null, result));
    return result;
  }

  @Test
  void tilesOfAnyHeightAreMultiplied() {
    for (int rows : new int[] {13, 24, 25, 26, 39, 49, 52, 53, 61, 64}) {
      for (int columns : new int[] {9, 32, 40}) {
        check(0, rows, columns, 31, DType.FLOAT32);
        check(0, rows, columns, 31, DType.FLOAT64);
      }
    }
  }

  private void checkConstant(int rows, int columns, int depth, DType dtype) {
    boolean byRows = random.nextBoolean();
    Layout a = layout(new long[0], rows, depth, byRows ? 0 : 1, false);
    Layout b = layout(new long[0], depth, columns, random.nextInt(3), false);
    Layout c = layout(new long[0], rows, columns, 0, false);
    DenseTensor left = tensor(dtype, a.extent());
    DenseTensor right = tensor(dtype, b.extent());
    DenseTensor start = tensor(dtype, columns);
    Layout addend = repeated(Shape.of(rows, columns));
    Run run = new Run(scope);
    DenseTensor[] results = new DenseTensor[2];
    for (int i = 0; i < results.length; i++) {
      results[i] = (DenseTensor) DenseTensor.allocate(scope, dtype, Shape.of(c.extent()));
      results[i].segment().fill((byte) 0); // the gaps between rows
      Constant constant = i == 0 ? null : run.constant(right);
      var request = new MatrixProduct.Request(dtype, a, b, addend, c, 0.5, constant);
      assertNull(KERNELS.matrixProduct(request).run(run, left, right, start, results[i]));
    }
    assertEquals(-1, results[0].segment().mismatch(results[1].segment()), rows + " x " + columns);
  }

  @Test
  void whatIsNoNumberReachesItsRowAndColumnOnly() {
    long size = 40;
    DenseTensor a = tensor(DType.FLOAT32, size * size);
    DenseTensor b = tensor(DType.FLOAT32, size * size);
    DenseTensor c = tensor(DType.FLOAT32, size * size);
    Elements.set(a, 5 * size + 7, Double.NaN);
    Elements.set(b, 39, Double.POSITIVE_INFINITY);
    Layout layout = Layout.contiguous(Shape.of(size, size));
    MatrixProduct.Request request =
        new MatrixProduct.Request(DType.FLOAT32, layout, layout, null, layout, 1, null);
    assertNull(KERNELS.matrixProduct(request).run(new Run(scope), a, b, null, c));
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        boolean odd = i == 5 || j == 39;
        assertEquals(odd, !Double.isFinite(Elements.get(c, i * size + j)), i + ", " + j);
      }
    }
  }

  @Test
  void numbersBelowTheNormalRangeKeepTheirValue() {
    DenseTensor a = tensor(DType.FLOAT32, 16 * 16);
    DenseTensor b = tensor(DType.FLOAT32, 16 * 16);
    DenseTensor c = tensor(DType.FLOAT32, 16 * 16);
    for (int i = 0; i < 16; i++) {
      for (int j = 0; j < 16; j++) {
        Elements.set(a, i * 16 + j, i == j ? 1 : 0);
        Elements.set(b, i * 16 + j, Float.MIN_VALUE * (i + j));
      }
    }
    Layout layout = Layout.contiguous(Shape.of(16, 16));
    MatrixProduct.Request request =
        new MatrixProduct.Request(DType.FLOAT32, layout, layout, null, layout, 1, null);
    assertNull(KERNELS.matrixProduct(request).run(new Run(scope), a, b, null, c));
    for (int i = 0; i < 256; i++) {
      assertEquals(Elements.get(b, i), Elements.get(c, i));
    }
  }

  @Test
  void aCancellationEndsALongProduct() {
    long size = 600;
    DenseTensor a = tensor(DType.FLOAT32, size * size);
    Layout layout = Layout.contiguous(Shape.of(size, size));
    MatrixProduct.Request request =
        new MatrixProduct.Request(DType.FLOAT32, layout, layout, null, layout, 1, null);
    DenseTensor c = tensor(DType.FLOAT32, size * size);
    long before = memory.account().bytes();
    Fault stop = Fault.of(FaultType.CANCELLED, "enough");
    assertSame(stop, KERNELS.matrixProduct(request).run(new Run(scope, stop), a, a, null, c));
    assertEquals(before, memory.account().bytes());
  }

  /**
   * C3: three million elements are copied for only a few rows; the copy checks for cancellation
   * too.
   */
  @Test
  void aCancellationEndsTheCopyOfAWideMatrix() {
    DenseTensor a = tensor(DType.FLOAT32, 12 * 768);
    DenseTensor b = tensor(DType.FLOAT32, 768 * 4096);
    DenseTensor c = tensor(DType.FLOAT32, 12 * 4096);
    MatrixProduct.Request request =
        new MatrixProduct.Request(
            DType.FLOAT32,
            Layout.contiguous(Shape.of(12, 768)),
            Layout.contiguous(Shape.of(768, 4096)),
            null,
            Layout.contiguous(Shape.of(12, 4096)),
            1,
            null);
    Looks looks = new Looks(scope);
    assertNull(KERNELS.matrixProduct(request).run(looks, a, b, null, c));
    assertTrue(looks.count >= 24, () -> "looks: " + looks.count);
  }

  @Test
  void scratchThatDoesNotFitTheBudgetIsAFault() {
    long size = 64;
    DenseTensor a = tensor(DType.FLOAT32, size * size);
    DenseTensor c = tensor(DType.FLOAT32, size * size);
    Layout layout = Layout.contiguous(Shape.of(size, size));
    MatrixProduct.Request request =
        new MatrixProduct.Request(DType.FLOAT32, layout, layout, null, layout, 1, null);
    MatrixProduct product = KERNELS.matrixProduct(request);
    try (ResourceScope narrow = ResourceScope.open(memory, "narrow", 1024)) {
      Fault fault = product.run(new Run(narrow), a, a, null, c);
      assertNotNull(fault);
      assertEquals(FaultType.OUT_OF_MEMORY, fault.type());
    }
  }

  private DType randomType() {
    return random.nextInt(4) == 0 ? DType.FLOAT64 : DType.FLOAT32;
  }

  private int size(int most) {
    return 1 + random.nextInt(most);
  }

  private void check(int dims, int rows, int columns, int depth, DType dtype) {
    long[] batch = random.longs(dims, 1, 4).toArray();
    Layout a = layout(batch, rows, depth, random.nextInt(3), random.nextInt(4) == 0);
    Layout b = layout(batch, depth, columns, random.nextInt(3), random.nextInt(4) == 0);
    Layout c = layout(batch, rows, columns, 0, false);
    int kind = random.nextInt(4);
    Layout addend =
        switch (kind) {
          case 0 -> null;
          case 1 -> c;
          case 2 -> layout(batch, rows, columns, random.nextInt(2), false);
          default -> repeated(c.shape());
        };
    DenseTensor left = tensor(dtype, a.extent());
    DenseTensor right = tensor(dtype, b.extent());
    DenseTensor target = tensor(dtype, c.extent());
    DenseTensor start = kind == 1 ? target : addend == null ? null : tensor(dtype, addend.extent());
    Number alpha = random.nextBoolean() ? 1 : 0.5;
    Run run = new Run(scope);
    Constant constant = random.nextBoolean() ? run.constant(right) : null;
    double[] expected = new double[(int) c.shape().elements()];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = element(left, a, right, b, start, addend, alpha.doubleValue(), c.shape(), i);
    }
    var request = new MatrixProduct.Request(dtype, a, b, addend, c, alpha, constant);
    MatrixProduct product = KERNELS.matrixProduct(request);
    boolean tiny = (long) rows * columns * depth <= 1000 && rows > 3;
    assertTrue(tiny || product.getClass().getPackageName().endsWith("vector"));
    assertNull(product.run(run, left, right, start, target));
    double error = (dtype == DType.FLOAT32 ? 1e-6 : 1e-15) * Math.max(4, depth / 8.0);
    double[] found = new double[expected.length];
    for (int i = 0; i < found.length; i++) {
      found[i] = Elements.get(target, place(c, i));
    }
    assertArrayEquals(expected, found, error, request::toString);
  }

  private static double element(
      DenseTensor left,
      Layout a,
      DenseTensor right,
      Layout b,
      DenseTensor start,
      Layout addend,
      double alpha,
      Shape shape,
      long index) {
    int rank = shape.rank();
    long columns = shape.size(rank - 1);
    long matrix = index / columns / shape.size(rank - 2);
    long row = index / columns % shape.size(rank - 2);
    long depth = a.shape().size(rank - 1);
    double sum = 0;
    for (long k = 0; k < depth; k++) {
      long atA = place(a, (matrix * shape.size(rank - 2) + row) * depth + k);
      long atB = place(b, (matrix * depth + k) * columns + index % columns);
      sum += Elements.get(left, atA) * Elements.get(right, atB);
    }
    return alpha * sum + (addend == null ? 0 : Elements.get(start, place(addend, index)));
  }

  /** The storage position of the {@code index}-th element. */
  private static long place(Layout layout, long index) {
    long place = layout.offset();
    long rest = index;
    for (int dim = layout.shape().rank() - 1; dim >= 0; dim--) {
      place += rest % layout.shape().size(dim) * layout.stride(dim);
      rest /= layout.shape().size(dim);
    }
    return place;
  }

  /** Contiguous rows, contiguous columns or neither; a matrix may be repeated along the batch. */
  private Layout layout(long[] batch, int rows, int columns, int kind, boolean repeated) {
    int dims = batch.length;
    long[] sizes = Arrays.copyOf(batch, dims + 2);
    sizes[dims] = rows;
    sizes[dims + 1] = columns;
    long[] strides = new long[dims + 2];
    int gap = random.nextInt(3);
    strides[dims] = kind == 0 ? columns + gap : kind == 1 ? 1 : 2L * columns + gap;
    strides[dims + 1] = kind == 0 ? 1 : kind == 1 ? rows + gap : 2;
    long step = Math.max(rows * strides[dims], columns * strides[dims + 1]);
    for (int dim = dims - 1; dim >= 0; dim--) {
      strides[dim] = repeated ? 0 : step;
      step *= sizes[dim];
    }
    return new Layout(Shape.of(sizes), strides, random.nextInt(5));
  }

  private static Layout repeated(Shape shape) {
    long[] strides = new long[shape.rank()];
    strides[shape.rank() - 1] = 1;
    return new Layout(shape, strides, 0);
  }

  private DenseTensor tensor(DType dtype, long elements) {
    return Elements.random(scope, dtype, elements, random);
  }
}
