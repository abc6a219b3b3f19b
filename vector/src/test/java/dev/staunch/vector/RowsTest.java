package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import jdk.incubator.vector.FloatVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Compares kernels that work on rows with the plain kernels. */
class RowsTest {
  private static final KernelSet PLAIN = StandardOperations.plainKernels();
  private static final KernelSet KERNELS = new VectorKernels(PLAIN);
  private static final double[] STRANGE = {
    Double.NaN,
    Double.NEGATIVE_INFINITY,
    Double.POSITIVE_INFINITY,
    1e30,
    -1e30,
    Float.MIN_VALUE,
    -Float.MIN_NORMAL / 2,
    0.0,
    -0.0
  };

  /** What numerical cancellation costs the plain loops where they subtract two doubles. */
  private static final double LOST = 1e-14;

  private final Random random = new Random(6);
  private final OffHeap memory = OffHeap.of(MemoryOptions.withBudget(1L << 28));
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void closeMemory() {
    scope.close();
    memory.close();
  }

  @Test
  void arithmeticGivesTheBitsOfThePlainLoops() {
    for (Rule rule :
        List.of(
            Formulas.add(),
            Formulas.subtract(),
            Formulas.multiply(),
            Formulas.divide(),
            Formulas.greater(),
            Formulas.square(),
            Formulas.replaceNonFinite(0.5, 7, -7),
            Formulas.between(-1.25, 3.5),
            Formulas.between(2, 1),
            Formulas.threshold(0.5, 7, 0, 7),
            Formulas.hardShrink(0.75),
            Formulas.softShrink(0.75),
            Formulas.leakyRelu(-0.25),
            Formulas.sloped(),
            Formulas.greaterScaled(0.5),
            Formulas.sign(),
            Formulas.sqrt())) {
      compare((Rule.Numbers) rule, 0);
    }
  }

  @Test
  void functionsAreAsTheyAreForDoubles() {
    for (Rule rule :
        List.of(
            Formulas.exp(),
            Formulas.sigmoid(),
            Formulas.silu(),
            Formulas.tanh(),
            Formulas.erf(),
            Formulas.gelu(),
            Formulas.mish(),
            Formulas.tanhGelu(),
            Formulas.hardSwish(),
            Formulas.hardSigmoid(),
            Formulas.addScaled(0.375, 0),
            Formulas.subtractedFrom(0.375, 0),
            Formulas.greaterScaled(0.01),
            Formulas.leakyRelu(1.7),
            Formulas.unitElu(),
            Formulas.elu(1.5, 0.7, 1.1),
            Formulas.celu(0.6),
            Formulas.selu(),
            Formulas.unitSoftplus(),
            Formulas.softplus(1.5, 7),
            Formulas.gatedLinear(),
            Formulas.squaredDifference(),
            Formulas.logSigmoid(),
            Formulas.rsqrt(),
            Formulas.log(),
            Formulas.log2(),
            Formulas.log10(),
            Formulas.log1p(),
            Formulas.expm1(),
            Formulas.sin(),
            Formulas.cos(),
            Formulas.tan(),
            Formulas.atan(),
            Formulas.atan2(),
            Formulas.timesLog(),
            Formulas.cube(),
            Formulas.logit(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY),
            Formulas.logit(0.25, 0.75),
            Formulas.frac(),
            Formulas.hypot(),
            Formulas.smoothL1(0.75),
            Formulas.smoothL1(0),
            Formulas.huber(0.75))) {
      compare((Rule.Numbers) rule, 2e-6);
    }
  }

  @Test
  void theCrossEntropyOfLogitsIsAsNearAsItsLargestTerm() {
    isAsNearAsItsLargestTerm((Rule.Numbers) Formulas.logitsCrossEntropy());
  }

  @Test
  void theCrossEntropyOfProbabilitiesHasNoInfinities() {
    Rule.Numbers rule = (Rule.Numbers) Formulas.crossEntropy(-100);
    RowFormula fast = KERNELS.rowFormula(DType.FLOAT32, rule.name(), rule.constants());
    assertNotNull(fast);
    float[] some = {0, 1, Float.MIN_VALUE, 1e-38f, 0x1.fffffep-1f, 0.5f, 1e-7f};
    int count = 1000;
    DenseTensor shares = numbers(Shape.of(count), 9);
    DenseTensor targets = numbers(Shape.of(count), 9);
    DenseTensor found = numbers(Shape.of(count), 9);
    DenseTensor expected = numbers(Shape.of(count), 9);
    for (int i = 0; i < count; i++) {
      Elements.set(shares, i, i < 49 ? some[i % 7] : random.nextFloat());
      Elements.set(targets, i, i < 49 ? some[i / 7] : random.nextFloat());
    }
    fast.run(shares.segment(), 0, targets.segment(), 0, found.segment(), 0, count);
    rule.run(shares.segment(), 0, targets.segment(), 0, expected.segment(), 0, count);
    for (int i = 0; i < count; i++) {
      same(rule.name(), Elements.get(expected, i), Elements.get(found, i), 2e-6);
    }
  }

  @Test
  void theLogarithmOfASumOfPowersIsAsNearAsItsLargestTerm() {
    isAsNearAsItsLargestTerm((Rule.Numbers) Formulas.logSum());
  }

  /** Its terms may cancel, as libtorch's do. */
  private void isAsNearAsItsLargestTerm(Rule.Numbers rule) {
    RowFormula fast = KERNELS.rowFormula(DType.FLOAT32, rule.name());
    assertNotNull(fast);
    int count = 1000;
    DenseTensor logits = numbers(Shape.of(count), 9);
    DenseTensor targets = numbers(Shape.of(count), 9);
    DenseTensor found = numbers(Shape.of(count), 9);
    DenseTensor expected = numbers(Shape.of(count), 9);
    fast.run(logits.segment(), 0, targets.segment(), 0, found.segment(), 0, count);
    rule.run(logits.segment(), 0, targets.segment(), 0, expected.segment(), 0, count);
    for (int i = 0; i < count; i++) {
      double size = Math.abs(Elements.get(logits, i)) * (1 + Math.abs(Elements.get(targets, i)));
      assertEquals(Elements.get(expected, i), Elements.get(found, i), 1e-6 * (1 + size));
    }
  }

  @Test
  void aFormulaWithoutALoopIsLeftToItsOwn() {
    assertNull(KERNELS.rowFormula(DType.FLOAT32, "sinc"));
  }

  private void compare(Rule.Numbers rule, double tolerance) {
    RowFormula fast = KERNELS.rowFormula(DType.FLOAT32, rule.name(), rule.constants());
    assertNotNull(fast, rule.name());
    for (int round = 0; round < 60; round++) {
      int count = 1 + random.nextInt(100);
      DenseTensor a = numbers(Shape.of(count + 3L), round);
      DenseTensor b = numbers(Shape.of(count + 5L), round / 3);
      DenseTensor found = numbers(Shape.of(count + 2L), 0);
      DenseTensor expected = numbers(Shape.of(count + 2L), 0);
      Elements.set(found, count + 1L, 7);
      if (round % 2 == 0) {
        fast.run(a.segment(), 3, b.segment(), 5, found.segment(), 1, count);
        rule.run(a.segment(), 3, b.segment(), 5, expected.segment(), 1, count);
      } else {
        float number = (float) Elements.get(b, 2);
        fast.run(a.segment(), 3, number, found.segment(), 1, count);
        rule.run(a.segment(), 3, number, expected.segment(), 1, count);
      }
      for (int i = 1; i <= count; i++) {
        same(rule.name(), Elements.get(expected, i), Elements.get(found, i), tolerance);
      }
      assertEquals(7, Elements.get(found, count + 1L), "behind the row");
    }
  }

  @Test
  void aResultMayTakeThePlaceOfEitherOperand() {
    for (String name : List.of("add", "subtract", "multiply", "divide", "sigmoid", "tanh")) {
      RowFormula fast = KERNELS.rowFormula(DType.FLOAT32, name);
      assertNotNull(fast, name);
      DenseTensor a = numbers(Shape.of(75), 1);
      DenseTensor b = numbers(Shape.of(75), 2);
      DenseTensor apart = numbers(Shape.of(75), 0);
      fast.run(a.segment(), 0, b.segment(), 0, apart.segment(), 0, 75);
      DenseTensor first = numbers(Shape.of(75), 0);
      DenseTensor second = numbers(Shape.of(75), 0);
      first.segment().copyFrom(a.segment());
      second.segment().copyFrom(b.segment());
      fast.run(first.segment(), 0, b.segment(), 0, first.segment(), 0, 75);
      fast.run(a.segment(), 0, second.segment(), 0, second.segment(), 0, 75);
      assertEquals(-1, apart.segment().mismatch(first.segment()), name);
      assertEquals(-1, apart.segment().mismatch(second.segment()), name);
    }
  }

  private static void same(String name, double exact, double found, double tolerance) {
    double error = Math.max(Math.abs(exact) * tolerance, tolerance == 0 ? 0 : LOST);
    assertEquals(exact, found, Double.isFinite(exact) ? error : 0, name);
  }

  private DenseTensor numbers(Shape shape, int odd) {
    DenseTensor tensor = (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, shape);
    for (long i = 0; i < tensor.elements(); i++) {
      Elements.set(tensor, i, (random.nextFloat() - 0.5) * (i % 4 == 0 ? 20 : 3));
    }
    if (odd % 10 < STRANGE.length) {
      Elements.set(tensor, random.nextInt((int) tensor.elements()), STRANGE[odd % 10]);
    }
    return tensor;
  }

  @Test
  void lanesAreSummedUpInOneOrderWhetherCompiledOrNot() {
    float[] lanes = new float[FloatVector.SPECIES_PREFERRED.length() * 100];
    for (int i = 0; i < lanes.length; i++) {
      lanes[i] = random.nextFloat() - 0.5f;
    }
    float[] first = sums(lanes);
    for (int round = 0; round < 3000; round++) {
      assertEquals(Arrays.hashCode(first), Arrays.hashCode(sums(lanes)));
    }
  }

  private static float[] sums(float[] lanes) {
    int length = FloatVector.SPECIES_PREFERRED.length();
    float[] sums = new float[lanes.length / length];
    for (int i = 0; i < sums.length; i++) {
      sums[i] =
          FloatLanes.sum(FloatVector.fromArray(FloatVector.SPECIES_PREFERRED, lanes, i * length));
    }
    return sums;
  }

  @Test
  void aKernelTakesNoSegmentOnTheHeap() {
    MemorySegment heap = MemorySegment.ofArray(new float[4]);
    DenseTensor row = numbers(Shape.of(4), 9);
    MemorySegment offHeap = row.segment();
    assertThrows(IllegalArgumentException.class, () -> new AddRow().run(offHeap, 0, 1, heap, 0, 4));
    assertThrows(IllegalArgumentException.class, () -> new AddRow().run(heap, 0, 1, offHeap, 0, 4));
    Reference.reachabilityFence(row);
  }
}
