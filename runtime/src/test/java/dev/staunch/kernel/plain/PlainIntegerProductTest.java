package dev.staunch.kernel.plain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.staunch.kernel.KernelBench;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Products of integers wrap around at their width, like sums of longs whose low bits are kept. */
class PlainIntegerProductTest {
  private static final long SEED = 4711;
  private static final List<DType> INTEGERS =
      List.of(DType.INT64, DType.INT32, DType.INT16, DType.INT8, DType.UINT8);

  private final OffHeap memory = OffHeap.withBudget(64L << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final Random random = new Random(SEED);

  @AfterEach
  void everyByteGoesBack() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void sumsOfAnyNumbersKeepTheirLowBits() {
    for (int round = 0; round < 300; round++) {
      DType dtype = INTEGERS.get(round % INTEGERS.size());
      int rows = 1 + random.nextInt(round % 7 == 0 ? 70 : 9);
      int columns = 1 + random.nextInt(round % 11 == 0 ? 600 : 40);
      int depth = random.nextInt(round % 13 == 0 ? 300 : 30);
      check(dtype, rows, columns, depth, round);
    }
  }

  /** Such a product is transposed, and its sums wait in arrays until they are complete. */
  @Test
  void aTallProductOfNoTermsIsItsAddend() {
    for (int round = 0; round < 60; round++) {
      check(INTEGERS.get(round % INTEGERS.size()), 16 + round, 1 + round % 4, 0, round);
    }
  }

  private void check(DType dtype, int rows, int columns, int depth, int round) {
    Layout a = layout(rows, depth, random.nextInt(4));
    Layout b = layout(depth, columns, random.nextInt(4));
    Layout c = Layout.contiguous(Shape.of(rows, columns));
    Layout addend = random.nextBoolean() ? null : layout(rows, columns, random.nextInt(4));
    Number alpha = random.nextBoolean() ? 1L : (Number) random.nextLong();
    DenseTensor left = tensor(dtype, a);
    DenseTensor right = tensor(dtype, b);
    DenseTensor start = addend == null ? null : tensor(dtype, addend);
    DenseTensor found = tensor(dtype, c);
    DenseTensor expected = tensor(dtype, c);
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        long sum = 0;
        for (int k = 0; k < depth; k++) {
          sum += element(left, a, i, k) * element(right, b, k, j);
        }
        long before = addend == null || start == null ? 0 : element(start, addend, i, j);
        long value = before + alpha.longValue() * sum;
        Elements.putLong(expected.segment(), dtype, i * (long) columns + j, value);
      }
    }
    run(new MatrixProduct.Request(dtype, a, b, addend, c, alpha, null), left, right, start, found);
    long bytes = (long) rows * columns * dtype.bytes();
    assertEquals(
        -1,
        expected.segment().asSlice(0, bytes).mismatch(found.segment().asSlice(0, bytes)),
        "seed " + SEED + ", round " + round);
  }

  private void run(
      MatrixProduct.Request request,
      DenseTensor a,
      DenseTensor b,
      @Nullable DenseTensor addend,
      DenseTensor c) {
    assertNull(PlainMatrixProduct.of(request).run(new KernelBench(scope), a, b, addend, c));
  }

  private static long element(DenseTensor tensor, Layout layout, int row, int column) {
    long at = layout.offset() + row * layout.stride(0) + column * layout.stride(1);
    return Elements.asLong(tensor.segment(), tensor.dtype(), at);
  }

  /** Kinds: row-major, transposed, with gaps between all elements, one row for all. */
  private Layout layout(int rows, int columns, int kind) {
    long rowStride = kind == 1 ? 1 : kind == 3 ? 0 : kind == 2 ? 3L * columns : columns;
    long columnStride = kind == 1 ? rows : kind == 2 ? 3 : 1;
    long[] strides = {rowStride, columnStride};
    return new Layout(Shape.of(rows, columns), strides, random.nextInt(3));
  }

  /** Random bits, but every fourth element is the least or the greatest number. */
  private DenseTensor tensor(DType dtype, Layout layout) {
    long elements = Math.max(1, layout.extent());
    DenseTensor made = (DenseTensor) DenseTensor.allocate(scope, dtype, Shape.of(elements));
    for (long i = 0; i < elements; i++) {
      long any = random.nextLong();
      int bits = Byte.SIZE * dtype.bytes();
      long least = dtype == DType.UINT8 ? 0 : -1L << (bits - 1);
      long greatest = dtype == DType.UINT8 ? 255 : ~least;
      int kind = random.nextInt(8);
      Elements.putLong(made.segment(), dtype, i, kind == 0 ? least : kind == 1 ? greatest : any);
    }
    return made;
  }
}
