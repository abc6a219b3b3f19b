package dev.staunch.kernel.loop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.memory.OffHeap;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Pointwise operations on float16 and bfloat16 return, to the bit, what the same numbers give in
 * double precision, rounded to float32 and then to the dtype.
 */
class NarrowPointwiseTest {
  private static final long SEED = 5;
  private static final int[] SIZES = {1, 63, 64, 255, 257, 511, 512, 513, 1024, 1025, 2500};
  private static final double[] SPECIAL = {
    0, -0.0, 1, -1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 6e-8, 6e4, 3e38
  };

  private final Random random = new Random(SEED);

  private record Case(String operation, int tensors, List<Object> numbers) {
    Case(String operation, int tensors, Object... numbers) {
      this(operation, tensors, List.of(numbers));
    }
  }

  private static final List<Case> CASES =
      List.of(
          new Case("add.Tensor", 2, 1L),
          new Case("sub.Tensor", 2, 2L),
          new Case("mul.Tensor", 2),
          new Case("div.Tensor", 2),
          new Case("maximum", 2),
          new Case("mul.Scalar", 1, 0.1),
          new Case("add.Scalar", 1, 3L, 1L),
          new Case("neg", 1),
          new Case("exp", 1),
          new Case("tanh", 1),
          new Case("sigmoid", 1),
          new Case("relu", 1),
          new Case("silu", 1),
          new Case("gelu", 1, "none"),
          new Case("remainder.Tensor", 2),
          new Case("fmod.Tensor", 2),
          new Case("lerp.Tensor", 3),
          new Case("atan2", 2),
          new Case("lt.Tensor", 2),
          new Case("eq.Tensor", 2));

  @ParameterizedTest
  @EnumSource(names = {"FLOAT16", "BFLOAT16"})
  void theyRoundAsDoublesDo(DType narrow) {
    try (OffHeap memory = OffHeap.withBudget(64L << 20);
        Context context = Context.open(memory)) {
      for (Case each : CASES) {
        for (int size : SIZES) {
          compare(context, each, narrow, size, 1);
          compare(context, each, narrow, size, 3);
        }
      }
    }
  }

  private void compare(Context context, Case each, DType narrow, int size, int step) {
    List<Object> halves = new ArrayList<>();
    List<Object> doubles = new ArrayList<>();
    for (int k = 0; k < each.tensors(); k++) {
      double[] values = new double[size * step];
      for (int i = 0; i < values.length; i++) {
        values[i] =
            random.nextInt(9) == 0
                ? SPECIAL[random.nextInt(SPECIAL.length)]
                : random.nextGaussian() * Math.pow(2, random.nextInt(9) - 4);
      }
      Tensor half = context.tensor(values).to(narrow);
      halves.add(spread(half, step));
      doubles.add(spread(half.to(DType.FLOAT64), step));
    }
    for (Object number : each.numbers()) {
      boolean rounds = number instanceof Double;
      halves.add(number);
      doubles.add(rounds ? Elements.rounded(narrow, (double) number) : number);
    }
    double[] found = values(context.apply("aten::" + each.operation(), halves.toArray()));
    double[] expected = values(context.apply("aten::" + each.operation(), doubles.toArray()));
    boolean truth = each.operation().startsWith("lt") || each.operation().startsWith("eq");
    for (int i = 0; i < expected.length; i++) {
      expected[i] = truth ? expected[i] : Elements.rounded(narrow, (float) expected[i]);
    }
    assertEquals(size, found.length);
    assertArrayEquals(expected, found, each + " of " + size + " by " + step + ", seed " + SEED);
  }

  /** The tensor, or every {@code step}th of its elements. */
  private static Tensor spread(Tensor tensor, int step) {
    return step == 1 ? tensor : tensor.view(-1, step).select(1, 1);
  }

  private static double[] values(Tensor result) {
    DenseTensor tensor = result.contiguous().value();
    double[] values = new double[(int) tensor.elements()];
    for (int i = 0; i < values.length; i++) {
      values[i] = Elements.asDouble(tensor.segment(), tensor.dtype(), tensor.layout().offset() + i);
    }
    return values;
  }
}
