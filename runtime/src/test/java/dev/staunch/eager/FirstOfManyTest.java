package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.staunch.memory.OffHeap;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The first few of many elements are those that a stable sort puts first. */
class FirstOfManyTest {
  private static final long SEED = 11;

  private final Random random = new Random(SEED);

  @ParameterizedTest
  @EnumSource(
      names = {"FLOAT32", "FLOAT64", "FLOAT16", "BFLOAT16", "INT64", "INT32", "INT8", "UINT8"})
  void topkIsTheHeadOfASort(DType dtype) {
    try (OffHeap memory = OffHeap.withBudget(1 << 24);
        Context context = Context.open(memory)) {
      for (int count : new int[] {8, 80, 1000, 5000}) {
        for (int k : new int[] {1, 2, count / 8, count / 8 + 1}) {
          Tensor self = context.tensor(numbers(3 * count)).view(3, count).to(dtype);
          for (Tensor given : List.of(self, self.t().contiguous().t())) {
            compare(context, given, k, true);
            compare(context, given, k, false);
          }
        }
      }
    }
  }

  private double[] numbers(int count) {
    double[] numbers = new double[count];
    for (int i = 0; i < count; i++) {
      int kind = random.nextInt(12);
      numbers[i] =
          kind == 0
              ? Double.NaN
              : kind == 1
                  ? -0.0
                  : kind == 2 ? Double.NEGATIVE_INFINITY : random.nextInt(-100, 100) / 4.0;
    }
    return numbers;
  }

  private static void compare(Context context, Tensor self, int k, boolean largest) {
    Tensor[] found = context.applyMany("topk", 2, self, (long) k, 1L, largest, true);
    Tensor[] all = context.applyMany("sort", 2, self, 1L, largest);
    String text = self.shape() + " of " + self.dtype() + ", seed " + SEED;
    for (int i = 0; i < 2; i++) {
      Tensor head = all[i].narrow(1, 0, k).contiguous();
      assertArrayEquals(values(head), values(found[i]), text);
    }
  }

  private static double[] values(Tensor tensor) {
    DenseTensor held = tensor.value();
    double[] values = new double[(int) held.elements()];
    for (int i = 0; i < values.length; i++) {
      values[i] = Elements.asDouble(held.segment(), held.dtype(), i);
    }
    return values;
  }
}
