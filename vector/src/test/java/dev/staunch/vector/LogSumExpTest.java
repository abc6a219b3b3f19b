package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.staunch.eager.Context;
import dev.staunch.eager.ContextOptions;
import dev.staunch.eager.Tensor;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.DType;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Logarithms of sums of exponentials on both sets of kernels. */
@ParameterizedClass
@EnumSource(names = {"FLOAT32", "FLOAT64"})
class LogSumExpTest {
  private static final KernelSet PLAIN = StandardOperations.plainKernels();
  private static final float[] STRANGE = {
    Float.NaN, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY, -0f, Float.MIN_VALUE, 3e38f, -3e38f
  };

  @Parameter private DType dtype = DType.FLOAT32;

  private static double[] results(KernelSet kernels, Function<Context, Tensor> computed) {
    ContextOptions options =
        ContextOptions.standard().withCatalog(StandardOperations.catalog().with(kernels));
    try (OffHeap memory = OffHeap.withBudget(1 << 24);
        Context context = Context.open(memory, options)) {
      return computed.apply(context).to(DType.FLOAT64).contiguous().doubles();
    }
  }

  private void compare(Function<Context, Tensor> computed) {
    double[] expected = results(PLAIN, computed);
    double[] found = results(new VectorKernels(PLAIN), computed);
    assertEquals(expected.length, found.length);
    for (int i = 0; i < found.length; i++) {
      double most = Math.max(1, Math.abs(expected[i]));
      double allowed = Double.isFinite(most) ? Elements.allowed(dtype, most * 1e-6) : 0;
      assertEquals(expected[i], found[i], allowed, "at " + i);
    }
  }

  private static float[] numbers(int count, boolean strange) {
    Random random = new Random(count);
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] =
          strange && random.nextInt(200) == 0
              ? STRANGE[random.nextInt(STRANGE.length)]
              : (float) random.nextGaussian() * 20;
    }
    return numbers;
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1",
    "3, 15, 16",
    "2, 16, 17",
    "40, 3, 50",
    "5, 1, 1300",
    "3, 600, 2",
    "2, 20, 700",
    "1, 513, 1",
    "0, 4, 40",
    "4, 0, 40",
    "4, 40, 0"
  })
  void theyAreThoseOfThePlainSetHoweverGroupsLie(int outer, int middle, int inner) {
    float[] numbers = numbers(outer * middle * inner, true);
    for (List<Long> dims :
        List.of(List.of(0L), List.of(1L), List.of(2L), List.of(0L, 2L), List.of(1L, 2L))) {
      for (boolean turned : new boolean[] {false, true}) {
        compare(context -> {
          Tensor self = context.tensor(numbers).to(dtype).view(outer, middle, inner);
          Tensor seen = turned ? self.permute(2, 0, 1) : self;
          return context.apply("aten::logsumexp", seen, dims, turned);
        });
      }
    }
  }

  @Test
  void infinitiesAloneGiveThemselves() {
    for (float each : new float[] {Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY, 3e38f}) {
      for (long dim = 0; dim < 2; dim++) {
        long over = dim;
        compare(context ->
            context.apply(
                "aten::logsumexp", context.full(each, 30, 40).to(dtype), List.of(over), false));
      }
    }
  }

  @Test
  void memoryThatIsMissingIsSaidAndNothingIsKept() {
    ContextOptions options =
        ContextOptions.standard()
            .withCatalog(StandardOperations.catalog().with(new VectorKernels(PLAIN)));
    try (OffHeap memory = OffHeap.withBudget(5000)) {
      try (Context context = Context.open(memory, options)) {
        Tensor self = context.zeros(10, 100);
        Fault fault = context.apply("aten::logsumexp", self, List.of(0L), false).fault();
        assertNotNull(fault);
        assertEquals(FaultType.OUT_OF_MEMORY, fault.type());
        assertEquals(4000, memory.account().bytes());
      }
      assertEquals(0, memory.account().bytes());
    }
  }
}
