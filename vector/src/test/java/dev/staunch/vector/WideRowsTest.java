package dev.staunch.vector;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.MemoryOptions;
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

/** Compares formulas of float64, of int64 and of three rows with the loops over arrays. */
class WideRowsTest {
  private static final KernelSet KERNELS = new VectorKernels(StandardOperations.plainKernels());
  private static final double[] STRANGE = {
    Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, 1e300, Double.MIN_VALUE, -0.0
  };

  private final Random random = new Random(7);
  private final OffHeap memory = OffHeap.of(MemoryOptions.withBudget(1L << 28));
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void closeMemory() {
    scope.close();
    memory.close();
  }

  @Test
  void wideNumbersHaveTheBitsOfThePlainLoops() {
    for (Rule rule :
        List.of(
            Formulas.add(),
            Formulas.subtract(),
            Formulas.multiply(),
            Formulas.divide(),
            Formulas.greater(),
            Formulas.less(),
            Formulas.addScaled(0.3, 0),
            Formulas.subtractedFrom(0.3, 0),
            Formulas.neg(),
            Formulas.abs(),
            Formulas.reciprocal(),
            Formulas.square(),
            Formulas.squaredDifference(),
            Formulas.sqrt(),
            Formulas.between(-1.25, 3.5),
            Formulas.addProduct(0.3, 0),
            Formulas.addQuotient(0.3))) {
      compareWide(DType.FLOAT64, (Rule.Numbers) rule);
    }
    for (Rule rule :
        List.of(
            Formulas.add(),
            Formulas.subtract(),
            Formulas.multiply(),
            Formulas.greater(),
            Formulas.less(),
            Formulas.neg(),
            Formulas.abs(),
            Formulas.square())) {
      compareWide(DType.INT64, (Rule.Numbers) rule);
    }
  }

  /** Also with numbers in place of the second row. */
  private void compareWide(DType dtype, Rule.Numbers rule) {
    RowFormula fast = KERNELS.rowFormula(dtype, rule.name(), rule.constants());
    assertNotNull(fast, dtype + " " + rule.name());
    for (int round = 0; round < 60; round++) {
      int count = 1 + random.nextInt(100);
      long[][] bits = new long[3][count];
      DenseTensor[] rows = new DenseTensor[3];
      for (int k = 0; k < 3; k++) {
        rows[k] = wide(dtype, count + 3L, round);
        for (int i = 0; i < count; i++) {
          bits[k][i] = rows[k].segment().getAtIndex(JAVA_LONG, i + 3L);
        }
      }
      MemorySegment a = rows[0].segment();
      MemorySegment b = rows[1].segment();
      DenseTensor found = wide(dtype, count + 2L, 0);
      MemorySegment out = found.segment();
      out.setAtIndex(JAVA_LONG, count + 1L, 7);
      if (rule.operands() == 3) {
        fast.run(a, 3, b, 3, rows[2].segment(), 3, out, 1, count);
      } else if (round % 2 == 0) {
        fast.run(a, 3, b, 3, out, 1, count);
      } else {
        bits[1][0] = dtype == DType.INT64 ? 7 - round : bits[1][0];
        Arrays.fill(bits[1], bits[1][0]);
        double number = dtype == DType.INT64 ? bits[1][0] : Double.longBitsToDouble(bits[1][0]);
        fast.run(a, 3, number, out, 1, count);
      }
      long[] expected = expected(dtype, rule, bits, count);
      for (int i = 0; i < count; i++) {
        long result = out.getAtIndex(JAVA_LONG, i + 1L);
        boolean nan = dtype == DType.FLOAT64 && Double.isNaN(Double.longBitsToDouble(result));
        assertEquals(
            expected[i],
            nan ? Double.doubleToLongBits(Double.NaN) : result,
            dtype + " " + rule.name());
      }
      assertEquals(7, out.getAtIndex(JAVA_LONG, count + 1L), "behind the row");
    }
  }

  /** What the loop over arrays gives, as bits; every NaN has the same. */
  private static long[] expected(DType dtype, Rule.Numbers rule, long[][] bits, int count) {
    long[] results = new long[count];
    if (dtype == DType.INT64) {
      rule.run(bits, results, count);
      return results;
    }
    double[][] in = new double[bits.length][];
    for (int k = 0; k < bits.length; k++) {
      in[k] = Arrays.stream(bits[k]).mapToDouble(Double::longBitsToDouble).toArray();
    }
    double[] sums = new double[count];
    rule.run(in, sums, count);
    return Arrays.stream(sums).mapToLong(Double::doubleToLongBits).toArray();
  }

  private DenseTensor wide(DType dtype, long count, int round) {
    DenseTensor tensor = (DenseTensor) DenseTensor.allocate(scope, dtype, Shape.of(count));
    for (long i = 0; i < count; i++) {
      double real =
          round > 3 && random.nextInt(9) == 0
              ? STRANGE[random.nextInt(STRANGE.length)]
              : random.nextGaussian();
      long whole = round % 3 == 0 ? random.nextLong() : random.nextInt(2000) - 1000;
      long bits = dtype == DType.INT64 ? whole : Double.doubleToLongBits(real);
      tensor.segment().setAtIndex(JAVA_LONG, i, bits);
    }
    return tensor;
  }

  /** Each element within what one rounding of a product, and of a sum, can change. */
  @Test
  void threeRowsAreCombinedAsDoublesAre() {
    for (Rule rule :
        List.of(
            Formulas.addProduct(0.3, 0),
            Formulas.addQuotient(0.3),
            Formulas.clamp(),
            Formulas.lerp())) {
      RowFormula fast = KERNELS.rowFormula(DType.FLOAT32, rule.name(), rule.constants());
      assertNotNull(fast, rule.name());
      for (int round = 0; round < 60; round++) {
        int count = 1 + random.nextInt(100);
        DenseTensor[] rows = new DenseTensor[3];
        double[][] in = new double[3][count];
        for (int k = 0; k < 3; k++) {
          rows[k] = floats(count + 3L);
          for (int i = 0; i < count; i++) {
            in[k][i] = Elements.get(rows[k], i + 3L);
          }
        }
        DenseTensor found = floats(count);
        MemorySegment b = rows[1].segment();
        MemorySegment c = rows[2].segment();
        fast.run(rows[0].segment(), 3, b, 3, c, 3, found.segment(), 0, count);
        double[] expected = new double[count];
        ((Rule.Numbers) rule).run(in, expected, count);
        for (int i = 0; i < count; i++) {
          double larger = Math.abs(in[0][i]) + Math.abs(expected[i] - in[0][i]);
          double exact = (float) expected[i];
          double off = Math.abs(Elements.get(found, i) - exact);
          assertTrue(
              off <= larger * 2e-7 || Double.compare(exact, Elements.get(found, i)) == 0,
              rule.name() + " " + exact + " " + Elements.get(found, i));
        }
      }
    }
  }

  private DenseTensor floats(long count) {
    DenseTensor tensor = (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(count));
    for (long i = 0; i < count; i++) {
      Elements.set(tensor, i, random.nextGaussian());
    }
    return tensor;
  }
}
