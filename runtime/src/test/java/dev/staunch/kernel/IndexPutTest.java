package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.DType;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Elements written or added where an index names them, one after the other. */
class IndexPutTest {
  private static final long SEED = 41;
  private static final int SIZE = 50;

  private final Random random = new Random(SEED);

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 64, 1023, 1025, 5000})
  void valuesMayLieInAnyOrder(int count) {
    float[] self = numbers(SIZE);
    float[] values = numbers(count);
    long[] index = IntStream.range(0, count).mapToLong(i -> random.nextInt(-SIZE, SIZE)).toArray();
    List<UnaryOperator<Tensor>> views =
        List.of(
            all -> all,
            all -> all.flip(0).flip(0),
            all -> {
              Tensor wide = all.view(-1, 1).repeat(1, 3);
              return wide.narrow(1, 1, 1).view(-1); // three apart
            });
    try (OffHeap memory = OffHeap.withBudget(1 << 24);
        Context context = Context.open(memory)) {
      for (boolean adds : new boolean[] {false, true}) {
        float[] expected = expected(self, index, values, adds);
        for (UnaryOperator<Tensor> view : views) {
          for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64)) {
            Tensor found =
                context.apply(
                    "aten::index_put",
                    context.tensor(self).to(dtype),
                    List.of(context.tensor(index)),
                    view.apply(context.tensor(values).to(dtype)),
                    adds);
            if (dtype == DType.FLOAT32) {
              assertArrayEquals(expected, found.floats());
            } else if (!adds) {
              assertArrayEquals(expected, found.to(DType.FLOAT32).floats());
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 200})
  void aPartOfATensorAndItsValuesKeepTheirPlaces(int count) {
    float[] self = numbers(SIZE + 7);
    float[] values = numbers(count + 5);
    long[] index = IntStream.range(0, count).mapToLong(i -> random.nextInt(SIZE)).toArray();
    float[] own = Arrays.copyOfRange(self, 7, SIZE + 7);
    float[] given = Arrays.copyOfRange(values, 5, count + 5);
    try (OffHeap memory = OffHeap.withBudget(1 << 24);
        Context context = Context.open(memory)) {
      Tensor whole = context.tensor(self);
      Tensor part = whole.narrow(0, 7, SIZE);
      Tensor some = context.tensor(values).narrow(0, 5, count);
      context.apply("aten::index_put_", part, List.of(context.tensor(index)), some, true);
      assertArrayEquals(expected(own, index, given, true), part.contiguous().floats());
      assertArrayEquals(Arrays.copyOf(self, 7), whole.narrow(0, 0, 7).contiguous().floats());
    }
  }

  private static float[] expected(float[] self, long[] index, float[] values, boolean adds) {
    float[] expected = self.clone();
    for (int i = 0; i < index.length; i++) {
      int at = (int) Math.floorMod(index[i], (long) self.length);
      expected[at] = adds ? expected[at] + values[i] : values[i];
    }
    return expected;
  }

  private float[] numbers(int count) {
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] =
          switch (random.nextInt(20)) {
            case 0 -> Float.NaN;
            case 1 -> -0f;
            case 2 -> Float.NEGATIVE_INFINITY;
            default -> (float) random.nextGaussian();
          };
    }
    return numbers;
  }
}
