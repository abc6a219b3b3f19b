package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A float16 or bfloat16 weight is widened once, with the same result as if it were widened each
 * time.
 */
class NarrowConstantsTest {
  private static final long SEED = 20261123;
  private static final int BUDGET = 1 << 20;

  private final OffHeap memory = OffHeap.withBudget(BUDGET);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final ResourceScope model = ResourceScope.open(memory, "model");
  private final KernelBench bench = new KernelBench(scope);
  private final Random random = new Random(SEED);

  @AfterEach
  void nothingIsHeld() {
    scope.close();
    model.close();
    assertEquals(0, memory.account().bytes());
  }

  private DenseTensor numbers(DType dtype, long... sizes) {
    DenseTensor tensor = (DenseTensor) DenseTensor.allocate(scope, dtype, Shape.of(sizes));
    for (long i = 0; i < tensor.elements(); i++) {
      Elements.putDouble(tensor.segment(), dtype, i, random.nextGaussian());
    }
    return tensor;
  }

  private double[] result(String operation, @Nullable Preparation kept, Object... arguments) {
    CatalogEntry entry = Objects.requireNonNull(bench.catalog().find("aten::" + operation));
    Call call =
        kept == null
            ? new Call(bench, arguments)
            : Call.of(bench, arguments, new Preparation[] {kept});
    try (DenseTensor tensor = assertInstanceOf(DenseTensor.class, entry.run(call))) {
      double[] values = new double[(int) tensor.elements()];
      for (int i = 0; i < values.length; i++) {
        values[i] = Elements.asDouble(tensor.segment(), tensor.dtype(), i);
      }
      return values;
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT16", "BFLOAT16"})
  void aProductWidensItOnce(DType narrow) {
    for (int rows = 1; rows < 8; rows += 3) {
      DenseTensor weight = numbers(narrow, 80, 90);
      DenseTensor input = numbers(narrow, rows, 90);
      DenseTensor bias = numbers(narrow, 80);
      FixedConstant fixed = new FixedConstant(weight, model);
      Preparation kept = fixed.kept();
      double[] expected = result("linear", null, input, weight, bias);
      assertArrayEquals(expected, result("linear", kept, input, weight, bias));
      Map<Object, DenseTensor> forms = Map.copyOf(fixed.forms);
      assertEquals(
          1,
          forms.values().stream()
              .filter(it -> it.shape().rank() == 2 && it.shape().equals(weight.shape()))
              .count());
      assertArrayEquals(expected, result("linear", kept, input, weight, bias));
      assertEquals(forms, fixed.forms, "nothing is made twice");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT16", "BFLOAT16"})
  void aConvolutionWidensItOnce(DType narrow) {
    DenseTensor weight = numbers(narrow, 6, 4, 3, 3);
    Object[] arguments = {
      numbers(narrow, 2, 4, 9, 7),
      weight,
      None.NONE,
      List.of(1L, 1L),
      List.of(1L, 1L),
      List.of(1L, 1L),
      1L
    };
    FixedConstant fixed = new FixedConstant(weight, model);
    Preparation kept = fixed.kept();
    double[] expected = result("conv2d", null, arguments);
    assertArrayEquals(expected, result("conv2d", kept, arguments));
    assertArrayEquals(expected, result("conv2d", kept, arguments));
    assertEquals(1, fixed.forms.size());
  }

  @Test
  void aConstantThatWasWrittenIsReadAnew() {
    DenseTensor weight = numbers(DType.BFLOAT16, 8, 9);
    DenseTensor input = numbers(DType.BFLOAT16, 2, 9);
    FixedConstant fixed = new FixedConstant(weight, model);
    Preparation kept = fixed.kept();
    result("linear", kept, input, weight, None.NONE);
    assertEquals(1, fixed.forms.size());
    fixed.current = false;
    weight.segment().fill((byte) 0);
    assertArrayEquals(new double[16], result("linear", kept, input, weight, None.NONE));
  }

  @Test
  void whatAnOperationMovesInPlaceIsNotKept() {
    DenseTensor mean = numbers(DType.BFLOAT16, 3);
    FixedConstant fixed = new FixedConstant(mean, model);
    DenseTensor input = numbers(DType.BFLOAT16, 4, 3);
    DenseTensor variance = numbers(DType.BFLOAT16, 3);
    double before = Elements.asDouble(mean.segment(), DType.BFLOAT16, 0);
    for (int round = 0; round < 2; round++) {
      result(
          "batch_norm",
          fixed.kept(),
          input,
          None.NONE,
          None.NONE,
          mean,
          variance,
          true,
          0.5,
          1e-5,
          true);
    }
    assertEquals(0, fixed.forms.size());
    assertEquals(false, before == Elements.asDouble(mean.segment(), DType.BFLOAT16, 0));
  }

  @Test
  void itIsWidenedEachTimeWhereMemoryIsShort() {
    DenseTensor weight = numbers(DType.BFLOAT16, 256, 256);
    DenseTensor input = numbers(DType.BFLOAT16, 1, 256);
    double[] expected = result("linear", null, input, weight, None.NONE);
    long free = BUDGET - memory.account().bytes();
    try (DenseTensor occupied = numbers(DType.UINT8, free - (320 << 10))) {
      FixedConstant fixed = new FixedConstant(weight, model);
      assertArrayEquals(expected, result("linear", fixed.kept(), input, weight, None.NONE));
      assertEquals(0, fixed.forms.size());
      assertEquals(free - (320 << 10), occupied.elements());
    }
  }
}
