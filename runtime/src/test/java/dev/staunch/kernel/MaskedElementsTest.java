package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Elements other than 0 are found in ascending order, whatever the strides and however dense they
 * are.
 */
class MaskedElementsTest {
  private static final long SEED = 29;

  private final OffHeap memory = OffHeap.withBudget(64L << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void nothingIsHeld() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private DenseTensor made(String name, Object... arguments) {
    Object result = new RecordingEnvironment(scope).run(name, arguments);
    return assertInstanceOf(DenseTensor.class, Objects.requireNonNull(result));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.001, 0.5, 1})
  void isFoundWhereItLies(double share) {
    int[][] all = {
      {1, 1, 1}, {2, 3, 5}, {7, 1, 300}, {40, 50, 1}, {3, 700, 2}, {0, 4, 4}, {1, 1, 2048}
    };
    for (int[] sizes : all) {
      Random random = new Random(SEED);
      double[] numbers = new double[sizes[0] * sizes[1] * sizes[2]];
      for (int i = 0; i < numbers.length; i++) {
        boolean set = random.nextDouble() < share;
        numbers[i] = set ? (i % 5 == 0 ? Double.NaN : -1e-300) : (i % 2 == 0 ? -0.0 : 0.0);
      }
      Shape shape = Shape.of(sizes[0], sizes[1], sizes[2]);
      DenseTensor plain = (DenseTensor) HostTensors.doubles(scope, shape, numbers);
      check(plain, numbers, sizes, new int[] {0, 1, 2});
      check(made("aten::transpose.int", plain, 0L, 2L), numbers, sizes, new int[] {2, 1, 0});
      DenseTensor mask = made("aten::ne.Scalar", plain, 0L);
      double[] expected = Arrays.stream(numbers).filter(x -> x != 0).toArray();
      assertArrayEquals(
          expected,
          HostTensors.toDoubles(made("aten::masked_select", plain, mask)),
          "seed " + SEED);
    }
  }

  /** {@code order} tells which dimension of the numbers each dimension of the tensor is. */
  private void check(DenseTensor tensor, double[] numbers, int[] sizes, int[] order) {
    LongStream.Builder expected = LongStream.builder();
    int[] at = new int[3];
    for (int i = 0; i < sizes[order[0]]; i++) {
      for (int j = 0; j < sizes[order[1]]; j++) {
        for (int k = 0; k < sizes[order[2]]; k++) {
          at[order[0]] = i;
          at[order[1]] = j;
          at[order[2]] = k;
          if (numbers[(at[0] * sizes[1] + at[1]) * sizes[2] + at[2]] != 0) {
            expected.add(i).add(j).add(k);
          }
        }
      }
    }
    DenseTensor found = made("aten::nonzero", tensor);
    assertEquals(3, found.shape().size(1));
    assertArrayEquals(expected.build().toArray(), HostTensors.toLongs(found), "seed " + SEED);
  }
}
