package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Products of one-byte and two-byte integers are bit-identical to those of the plain kernels. */
class ExactProductTest {
  private static final KernelSet PLAIN = StandardOperations.plainKernels();
  private static final KernelSet KERNELS = new VectorKernels(PLAIN);
  private static final List<DType> NARROW = List.of(DType.INT8, DType.UINT8, DType.INT16);

  private final Random random = new Random(11);
  private final OffHeap memory = OffHeap.of(MemoryOptions.withBudget(1L << 30));
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  /** Keeps tensors reachable: if one were collected, the account would fall. */
  private final List<DenseTensor> kept = new ArrayList<>();

  @AfterEach
  void closeMemory() {
    scope.close();
    assertEquals(0, memory.account().bytes());
    memory.close();
  }

  /** A product with its operands and the addend. */
  private record Case(
      MatrixProduct.Request request,
      DenseTensor a,
      DenseTensor b,
      @Nullable DenseTensor addend,
      boolean intoAddend) {}

  @Test
  void matricesOfAnySizesAndStridesAreMultiplied() {
    for (int round = 0; round < 90; round++) {
      DType dtype = NARROW.get(round % NARROW.size());
      int depth = 1 + random.nextInt(round % 10 == 0 ? 1300 : 90);
      check(made(dtype, random.nextInt(3), size(60), size(80), depth, false));
    }
  }

  /** All terms are as large as possible, so rounded or saturated sums would show. */
  @Test
  void theLargestTermsAreSummedWithoutRounding() {
    for (DType dtype : NARROW) {
      for (int depth : new int[] {258, 259, 1023, 1024, 1025, 5000}) {
        check(made(dtype, 0, 9, 33, depth, true));
      }
    }
  }

  @Test
  void piecesInAnyOrderMakeTheWhole() {
    for (DType dtype : NARROW) {
      Case each = made(dtype, 1, 200, 210, 300, false);
      LastPieceFirst context = new LastPieceFirst(scope);
      check(each, context);
      assertTrue(context.most() > 1);
    }
  }

  @Test
  void smallProductsAndIntegersOfMoreBitsAreLeftToOthers() {
    for (DType dtype : List.of(DType.INT32, DType.INT64)) {
      Case each = made(dtype, 0, 40, 40, 40, false);
      assertSame(
          PLAIN.matrixProduct(each.request()).getClass(),
          KERNELS.matrixProduct(each.request()).getClass());
    }
    Case few = made(DType.INT8, 0, 7, 300, 300, false);
    assertSame(
        PLAIN.matrixProduct(few.request()).getClass(),
        KERNELS.matrixProduct(few.request()).getClass());
    Case enough = made(DType.INT8, 0, 8, 300, 300, false);
    assertInstanceOf(ExactProduct.class, KERNELS.matrixProduct(enough.request()));
  }

  @Test
  void aCancellationEndsAProduct() {
    Case each = made(DType.INT8, 0, 300, 300, 300, false);
    DenseTensor c = target(each);
    long before = memory.account().bytes();
    Fault stop = Fault.of(FaultType.CANCELLED, "enough");
    MatrixProduct product = KERNELS.matrixProduct(each.request());
    assertSame(stop, product.run(new Run(scope, stop), each.a(), each.b(), each.addend(), c));
    assertEquals(before, memory.account().bytes());
  }

  /** Holds for every amount of scratch memory. */
  @Test
  void withoutMemoryForFloatsTheOtherSetsProductRuns() {
    Case each = made(DType.INT8, 0, 70, 90, 80, false);
    for (long budget = 1; budget < 1 << 18; budget = budget * 3 / 2 + 1) {
      try (ResourceScope narrow = ResourceScope.open(memory, "narrow", budget)) {
        check(each, new Run(narrow));
      }
    }
  }

  @Test
  void aMatrixOfAWholeBatchIsHeldOnce() {
    Shape many = Shape.of(50, 40, 40);
    Layout repeated = new Layout(many, new long[] {0, 40, 1}, 0);
    Layout each = Layout.contiguous(many);
    DenseTensor a = tensor(DType.INT8, repeated.extent(), false);
    DenseTensor b = tensor(DType.INT8, each.extent(), false);
    try (ResourceScope measured = ResourceScope.open(memory, "measured")) {
      MatrixProduct.Request request =
          new MatrixProduct.Request(DType.INT8, repeated, each, null, each, 1L, null);
      check(new Case(request, a, b, null, false), new Run(measured));
      assertTrue(measured.account().peakBytes() < 3 * each.extent() * Float.BYTES);
    }
  }

  private int size(int most) {
    return 1 + random.nextInt(most);
  }

  private void check(Case each) {
    check(each, new Run(scope));
  }

  private void check(Case each, ExecutionContext context) {
    DenseTensor c = target(each);
    DenseTensor addend = each.intoAddend() ? c : each.addend();
    MatrixProduct product = KERNELS.matrixProduct(each.request());
    long before = memory.account().bytes();
    assertNull(product.run(context, each.a(), each.b(), addend, c));
    assertEquals(before, memory.account().bytes());
    assertEquals(-1, expected(each).segment().mismatch(c.segment()), each.request()::toString);
  }

  private DenseTensor expected(Case each) {
    DenseTensor c = target(each);
    DenseTensor addend = each.intoAddend() ? c : each.addend();
    MatrixProduct plain = PLAIN.matrixProduct(each.request());
    assertNull(plain.run(new Run(scope), each.a(), each.b(), addend, c));
    return c;
  }

  /**
   * The result before it is written; holds the elements of the addend if the product writes into
   * it.
   */
  private DenseTensor target(Case each) {
    Shape size = Shape.of(each.request().c().extent());
    DenseTensor c = allocated(each.request().dtype(), size);
    c.segment().fill((byte) 0);
    if (each.intoAddend() && each.addend() != null) {
      c.segment().copyFrom(each.addend().segment());
    }
    return c;
  }

  private Case made(DType dtype, int dims, int rows, int columns, int depth, boolean extreme) {
    long[] batch = random.longs(dims, 1, 4).toArray();
    Layout a = layout(batch, rows, depth, random.nextInt(4), random.nextInt(4) == 0);
    Layout b = layout(batch, depth, columns, random.nextInt(4), random.nextInt(4) == 0);
    Layout c = layout(batch, rows, columns, 0, false);
    int kind = random.nextInt(3);
    Layout addend =
        kind == 0 ? null : kind == 1 ? c : layout(batch, rows, columns, random.nextInt(4), false);
    Number alpha = random.nextBoolean() ? 1L : (Number) random.nextLong();
    return new Case(
        new MatrixProduct.Request(dtype, a, b, addend, c, alpha, null),
        tensor(dtype, a.extent(), extreme),
        tensor(dtype, b.extent(), extreme),
        addend == null ? null : tensor(dtype, addend.extent(), false),
        kind == 1);
  }

  /**
   * Kinds: contiguous rows, contiguous columns, neither, or one row for all; {@code repeated} uses
   * one matrix for the batch.
   */
  private Layout layout(long[] batch, int rows, int columns, int kind, boolean repeated) {
    int dims = batch.length;
    long[] sizes = Arrays.copyOf(batch, dims + 2);
    sizes[dims] = rows;
    sizes[dims + 1] = columns;
    long[] strides = new long[dims + 2];
    int gap = random.nextInt(3);
    strides[dims] = kind == 0 ? columns + gap : kind == 1 ? 1 : kind == 2 ? 2L * columns + gap : 0;
    strides[dims + 1] = kind == 1 ? rows + gap : kind == 2 ? 2 : 1;
    long step = Math.max(rows * strides[dims], columns * strides[dims + 1]);
    for (int dim = dims - 1; dim >= 0; dim--) {
      strides[dim] = repeated ? 0 : step;
      step *= sizes[dim];
    }
    return new Layout(Shape.of(sizes), strides, random.nextInt(5));
  }

  /** Random numbers; if {@code extreme}, almost all elements have the greatest magnitude. */
  private DenseTensor tensor(DType dtype, long elements, boolean extreme) {
    DenseTensor made = allocated(dtype, Shape.of(elements));
    long greatest = dtype == DType.UINT8 ? 0xff : 1L << (Byte.SIZE * dtype.bytes() - 1);
    for (long i = 0; i < elements; i++) {
      boolean large = extreme && random.nextInt(1000) > 0;
      Elements.putLong(made.segment(), dtype, i, large ? greatest : random.nextLong());
    }
    return made;
  }

  private DenseTensor allocated(DType dtype, Shape shape) {
    DenseTensor made = (DenseTensor) DenseTensor.allocate(scope, dtype, shape);
    kept.add(made);
    return made;
  }
}
