package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Compares formulas of rows of integers with the loops over longs, wrapped to the dtype. */
class IntegerRowsTest {
  private static final KernelSet KERNELS = new VectorKernels(StandardOperations.plainKernels());
  private static final int MARGIN = 3;

  private final Random random = new Random(11);
  private final OffHeap memory = OffHeap.withBudget(1L << 28);
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void closeMemory() {
    scope.close();
    memory.close();
  }

  @Test
  void integersHaveTheBitsOfThePlainLoops() {
    List<Rule> bytes =
        List.of(
            Formulas.add(),
            Formulas.subtract(),
            Formulas.neg(),
            Formulas.bitAnd(),
            Formulas.bitOr(),
            Formulas.bitXor());
    List<Rule> others =
        List.of(
            Formulas.multiply(),
            Formulas.greater(),
            Formulas.less(),
            Formulas.abs(),
            Formulas.square());
    for (DType dtype : List.of(DType.INT8, DType.UINT8, DType.INT32, DType.INT64)) {
      bytes.forEach(rule -> compare(dtype, (Rule.Numbers) rule));
      if (dtype.bytes() > 1) {
        others.forEach(rule -> compare(dtype, (Rule.Numbers) rule));
      }
    }
    assertNull(KERNELS.rowFormula(DType.UINT8, "greater"), "bytes are compared as signed ones");
  }

  /** Also with numbers in place of the second row, which may be too large for the dtype. */
  private void compare(DType dtype, Rule.Numbers rule) {
    RowFormula fast = KERNELS.rowFormula(dtype, rule.name());
    assertNotNull(fast, dtype + " " + rule.name());
    for (int round = 0; round < 60; round++) {
      int count = 1 + random.nextInt(200);
      DenseTensor[] rows = {row(dtype, count), row(dtype, count)};
      long[][] in = {elements(rows[0], count), elements(rows[1], count)};
      DenseTensor found = row(dtype, count);
      long behind = dev.staunch.tensor.Elements.asLong(found.segment(), dtype, count + 1L);
      MemorySegment a = rows[0].segment();
      if (round % 2 == 0) {
        fast.run(a, MARGIN, rows[1].segment(), MARGIN, found.segment(), 1, count);
      } else {
        long number = random.nextLong(1L << (8 * random.nextInt(1, 7))) - 100;
        dev.staunch.tensor.Elements.putLong(rows[1].segment(), dtype, 0, number);
        Arrays.fill(in[1], dev.staunch.tensor.Elements.asLong(rows[1].segment(), dtype, 0));
        fast.run(a, MARGIN, number, found.segment(), 1, count);
      }
      long[] results = new long[count];
      rule.run(in, results, count);
      DenseTensor expected = row(dtype, count);
      for (int i = 0; i < count; i++) {
        dev.staunch.tensor.Elements.putLong(expected.segment(), dtype, i, results[i]);
        assertEquals(
            dev.staunch.tensor.Elements.asLong(expected.segment(), dtype, i),
            dev.staunch.tensor.Elements.asLong(found.segment(), dtype, i + 1L),
            dtype + " " + rule.name());
      }
      assertEquals(
          behind,
          dev.staunch.tensor.Elements.asLong(found.segment(), dtype, count + 1L),
          "behind the row");
    }
  }

  private DenseTensor row(DType dtype, int count) {
    Shape shape = Shape.of(count + MARGIN);
    DenseTensor row = (DenseTensor) DenseTensor.allocate(scope, dtype, shape);
    for (long i = 0; i < count + MARGIN; i++) {
      dev.staunch.tensor.Elements.putLong(row.segment(), dtype, i, random.nextLong());
    }
    return row;
  }

  private static long[] elements(DenseTensor row, int count) {
    long[] elements = new long[count];
    Arrays.setAll(
        elements, i -> dev.staunch.tensor.Elements.asLong(row.segment(), row.dtype(), i + MARGIN));
    return elements;
  }
}
