package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.memory.OffHeap;
import dev.staunch.operation.None;
import dev.staunch.type.DType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Distances of all pairs of rows, in several blocks, against those of each pair. */
class PairDistancesTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 28);
  private final Context context = Context.open(memory);

  @AfterEach
  void close() {
    context.close();
    memory.close();
  }

  private static double[] elements(Tensor tensor) {
    return tensor.to(DType.FLOAT64).contiguous().doubles();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5, 1, 2, 3, Double.POSITIVE_INFINITY})
  void distancesOfAllPairsAreThoseOfEachPair(double p) {
    int[][] shapes = {
      {1, 1, 1, 1}, {2, 5, 3, 7}, {1, 70, 130, 16}, {3, 65, 4, 200}, {1, 2, 260, 64}
    };
    for (int[] shape : shapes) {
      Tensor a = context.uniform(-1, 1, shape[0], shape[1], shape[3]);
      Tensor b = context.uniform(-1, 1, shape[0], shape[2], shape[3]);
      double[] left = elements(a);
      double[] right = elements(b);
      double[] found = elements(context.apply("aten::cdist", a, b, p, None.NONE));
      assertEquals(shape[0] * shape[1] * shape[2], found.length);
      for (int i = 0; i < found.length; i++) {
        int from = i / shape[2] * shape[3];
        int to = (i / shape[2] / shape[1] * shape[2] + i % shape[2]) * shape[3];
        double total = 0;
        for (int k = 0; k < shape[3]; k++) {
          double away = Math.abs(left[from + k] - right[to + k]);
          total =
              Double.isInfinite(p)
                  ? Math.max(total, away)
                  : total + (p == 0 ? Math.signum(away) : Math.pow(away, p));
        }
        double expected = p == 0 || Double.isInfinite(p) ? total : Math.pow(total, 1 / p);
        assertEquals(expected, found[i], 1e-6 * expected, "pair " + i);
      }
    }
  }

  @Test
  void aNanReachesItsOwnPairs() {
    Tensor a = context.tensor(new float[] {1, Float.NaN, 2, 3}).view(2, 2);
    Tensor b = context.tensor(new float[] {1, 1, 2, 3}).view(2, 2);
    for (double p : new double[] {0, 1, 2, 3, Double.POSITIVE_INFINITY}) {
      double[] found = elements(context.apply("aten::cdist", a, b, p, None.NONE));
      assertEquals(Double.NaN, found[0]);
      assertEquals(Double.NaN, found[1]);
      assertEquals(0, found[3]);
    }
  }
}
