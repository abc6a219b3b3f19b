package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a step keeps from one call of its kernel to the next never changes the result. */
class PreparationTest {
  private static final long SEED = 20261122;

  private final OffHeap memory = OffHeap.withBudget(1 << 24);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final Random random = new Random(SEED);

  @AfterEach
  void nothingIsHeld() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private DenseTensor floats(long... sizes) {
    Shape shape = Shape.of(sizes);
    float[] values = new float[(int) shape.elements()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return (DenseTensor) HostTensors.floats(scope, shape, values);
  }

  private Object run(String operation, @Nullable Preparation preparation, Object... arguments) {
    KernelBench bench = new KernelBench(scope);
    Kernel.One kernel =
        (Kernel.One)
            Objects.requireNonNull(
                Objects.requireNonNull(bench.catalog().find("aten::" + operation)).kernel());
    return kernel.run(
        preparation == null
            ? new Call(bench, arguments)
            : Call.of(bench, arguments, new Preparation[] {preparation}));
  }

  private float[] result(String operation, @Nullable Preparation preparation, Object... arguments) {
    return HostTensors.toFloats(
        assertInstanceOf(DenseTensor.class, run(operation, preparation, arguments)));
  }

  @Test
  void aStepWhoseOperandsChangeTheirFormGivesWhatAFreshOneGives() {
    Preparation kept = new Preparation(tensor -> null);
    for (int round = 0; round < 60; round++) {
      int rows = 1 + random.nextInt(3);
      int depth = 5 + random.nextInt(2);
      int columns = 3 + random.nextInt(2);
      DenseTensor input = floats(random.nextInt(1, 3), rows, depth);
      DenseTensor weight = floats(columns, depth);
      Object bias = round % 3 == 0 ? None.NONE : floats(columns);
      assertArrayEquals(
          result("linear", null, input, weight, bias),
          result("linear", kept, input, weight, bias),
          "seed " + SEED + ", round " + round);
    }
  }

  @Test
  void aStackOfLowMatricesGivesWhatItsCopyGives() {
    Preparation kept = new Preparation(tensor -> null);
    for (int round = 0; round < 100; round++) {
      long[] sizes = {1 + random.nextInt(4), 1 + random.nextInt(5), 1 + random.nextInt(4), 6};
      long[] order =
          new long[][] {{0, 1, 2, 3}, {1, 0, 2, 3}, {2, 1, 0, 3}, {0, 2, 1, 3}}[round % 4];
      DenseTensor whole = floats(sizes);
      DenseTensor turned = tensor("permute", whole, ints(order));
      long part = 1 + random.nextInt((int) turned.shape().size(1));
      DenseTensor input = tensor("narrow", turned, 1L, turned.shape().size(1) - part, part);
      DenseTensor copy = tensor("clone", input, 0L);
      DenseTensor weight = floats(7, 6);
      Object bias = round % 3 == 0 ? None.NONE : floats(7);
      assertArrayEquals(
          result("linear", null, copy, weight, bias),
          result("linear", kept, input, weight, bias),
          "seed " + SEED + ", round " + round);
      assertArrayEquals(
          result("matmul", null, copy, tensor("t", weight)),
          result("matmul", null, input, tensor("t", weight)));
    }
  }

  private DenseTensor tensor(String operation, Object... arguments) {
    return assertInstanceOf(DenseTensor.class, run(operation, null, arguments));
  }

  private static List<Long> ints(long... values) {
    return LongStream.of(values).boxed().toList();
  }

  @Test
  void aStepThatHasSeenGoodOperandsStillRefusesOthers() {
    Preparation kept = new Preparation(tensor -> null);
    result("linear", kept, floats(2, 5), floats(3, 5), None.NONE);
    Fault fault =
        assertInstanceOf(Fault.class, run("linear", kept, floats(2, 4), floats(3, 5), None.NONE));
    assertEquals(FaultType.SHAPE, fault.type());
  }

  @Test
  void aStepThatIsKeptMovesAlongWithItsOperands() {
    Preparation kept = new Preparation(tensor -> null);
    DenseTensor weight = floats(4, 6);
    DenseTensor all = floats(3, 2, 6);
    for (int i = 0; i < 3; i++) {
      DenseTensor part =
          (DenseTensor) all.view(scope, new Layout(Shape.of(2, 6), new long[] {6, 1}, i * 12L));
      assertArrayEquals(
          result("linear", null, part, weight, None.NONE),
          result("linear", kept, part, weight, None.NONE));
    }
  }

  @Test
  void aPackedWeightGivesTheSameBits() {
    for (int round = 0; round < 40; round++) {
      int rows = 1 + random.nextInt(4);
      int depth = 60 + random.nextInt(400);
      int columns = 70 + random.nextInt(round % 4 == 0 ? 1100 : 100);
      DenseTensor input = floats(rows, depth);
      DenseTensor weight = floats(columns, depth);
      Object bias = round % 3 == 0 ? None.NONE : floats(columns);
      FixedConstant fixed = new FixedConstant(weight, scope);
      Preparation kept = fixed.kept();
      float[] expected = result("linear", null, input, weight, bias);
      assertArrayEquals(expected, result("linear", kept, input, weight, bias));
      assertArrayEquals(expected, result("linear", kept, input, weight, bias));
      assertEquals(1, fixed.forms.size(), "packed once");
    }
  }

  @Test
  void aConstantThatWasWrittenIsReadAnew() {
    DenseTensor weight = floats(80, 90);
    DenseTensor input = floats(1, 90);
    FixedConstant fixed = new FixedConstant(weight, scope);
    Preparation kept = fixed.kept();
    result("linear", kept, input, weight, None.NONE);
    assertEquals(1, fixed.forms.size());
    fixed.current = false;
    run("zero_", null, weight);
    assertArrayEquals(new float[80], result("linear", kept, input, weight, None.NONE));
  }

  @Test
  void aConvolutionOfOtherNumbersIsPreparedAnew() {
    Preparation kept = new Preparation(tensor -> null);
    DenseTensor input = floats(2, 3, 7, 6);
    DenseTensor weight = floats(4, 3, 3, 3);
    for (int round = 0; round < 12; round++) {
      Object[] arguments = {
        input,
        weight,
        None.NONE,
        List.of(1L + round % 2, 1L),
        List.of(round % 3 == 0 ? 1L : 0L, 1L),
        List.of(1L, 1L + round / 6),
        1L
      };
      assertArrayEquals(
          result("conv2d", null, arguments), result("conv2d", kept, arguments), "round " + round);
    }
  }

  @Test
  void aStepKeepsTheFormsThatItMetLast() {
    Preparation kept = new Preparation(tensor -> null);
    assertEquals(0, kept.at(2).length);
    kept.keep(2, "first");
    for (int i = 0; i < 16; i++) {
      kept.keep(2, i);
    }
    kept.keep(0, "other");
    assertArrayEquals(IntStream.range(0, 16).boxed().toArray(), kept.at(2));
    assertArrayEquals(new Object[] {"other"}, kept.at(0));
    assertEquals(0, kept.at(1).length);
  }
}
