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
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups that are processed in several pieces give the result of one piece. */
class LargeGroupsTest {
  private static final int SEED = 20261121;
  private static final Object NONE = None.NONE;

  private final OffHeap memory = OffHeap.withBudget(64L << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final Random random = new Random(SEED);

  @AfterEach
  void everyByteGoesBack() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private Object run(String name, Object... arguments) {
    return Objects.requireNonNull(new RecordingEnvironment(scope).run(name, arguments));
  }

  private DenseTensor tensor(double... values) {
    return (DenseTensor) HostTensors.doubles(scope, Shape.of(values.length), values);
  }

  private double[] reals(int count) {
    return random.doubles(count, -1, 1).toArray();
  }

  /** Few different values, including both zeros and NaN. */
  private double[] ties(int count) {
    double[] some = {Double.NaN, 0.0, -0.0, -1e300, 1e-300, Double.NEGATIVE_INFINITY, 7, 7.5};
    return random.ints(count, 0, some.length).mapToDouble(i -> some[i]).toArray();
  }

  private void checkOrder(DenseTensor self, boolean descending, Comparator<Integer> rising) {
    Object[] results = (Object[]) run("aten::sort", self, 0L, descending);
    long[] expected =
        IntStream.range(0, (int) self.elements())
            .boxed()
            .sorted(descending ? rising.reversed() : rising)
            .mapToLong(Integer::longValue)
            .toArray();
    assertArrayEquals(expected, HostTensors.toLongs((DenseTensor) results[1]));
    double[] values = HostTensors.toDoubles(self);
    double[] sorted = HostTensors.toDoubles((DenseTensor) results[0]);
    for (int i = 0; i < sorted.length; i++) {
      assertEquals(values[(int) expected[i]], sorted[i]);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 48, 49, 32768, 32769, 70000})
  void sortedElementsKeepTheOrderOfEqualOnes(int count) {
    for (boolean descending : new boolean[] {false, true}) {
      for (double[] values : new double[][] {reals(count), ties(count)}) {
        Comparator<Integer> rising = Comparator.comparingDouble(i -> values[i] + 0.0);
        checkOrder(tensor(values), descending, rising);
        float[] floats = new float[count];
        IntStream.range(0, count).forEach(i -> floats[i] = (float) values[i]);
        Comparator<Integer> narrow = Comparator.comparingDouble(i -> floats[i] + 0.0);
        checkOrder(
            (DenseTensor) HostTensors.floats(scope, Shape.of(count), floats), descending, narrow);
      }
      long[] longs = random.longs(count).toArray();
      checkOrder(
          (DenseTensor) HostTensors.longs(scope, Shape.of(count), longs),
          descending,
          Comparator.comparingLong(i -> longs[i]));
      int[] ints = random.ints(count, -9, 9).toArray();
      checkOrder(
          (DenseTensor) HostTensors.ints(scope, Shape.of(count), ints),
          descending,
          Comparator.comparingLong(i -> ints[i]));
    }
  }

  @Test
  void moreThanThereIsCannotBePicked() {
    Fault fault =
        assertInstanceOf(Fault.class, run("aten::topk", tensor(1, 2), 3L, 0L, true, true));
    assertEquals(FaultType.INDEX, fault.type());
  }

  @Test
  void aRunningSumGoesOnBehindAPiece() {
    double[] values = reals(10000);
    double[] sums =
        HostTensors.toDoubles((DenseTensor) run("aten::cumsum", tensor(values), 0L, NONE));
    double sum = 0;
    for (int i = 0; i < values.length; i++) {
      sum += values[i];
      assertEquals(sum, sums[i]);
    }
  }

  @Test
  void aGreatestElementIsFoundInALaterPiece() {
    double[] values = reals(10000);
    values[9000] = 2;
    values[9500] = 2;
    assertEquals(
        9000,
        HostTensors.toLongs((DenseTensor) run("aten::argmax", tensor(values), NONE, false))[0]);
    values[9700] = Double.NaN;
    assertEquals(
        9700,
        HostTensors.toLongs((DenseTensor) run("aten::argmax", tensor(values), NONE, false))[0]);
  }

  @Test
  void aSoftmaxOfSeveralPiecesAddsUpToOne() {
    double[] values = reals(10000);
    double[] found =
        HostTensors.toDoubles((DenseTensor) run("aten::softmax.int", tensor(values), 0L, NONE));
    double sum = 0;
    for (double value : values) {
      sum += Math.exp(value);
    }
    for (int i = 0; i < values.length; i++) {
      assertEquals(Math.exp(values[i]) / sum, found[i], 1e-15);
    }
  }

  @Test
  void aLayerOfSeveralPiecesIsNormalised() {
    double[] values = reals(10000);
    DenseTensor weight = tensor(reals(10000));
    DenseTensor result =
        (DenseTensor)
            run("aten::layer_norm", tensor(values), List.of(10000L), NONE, weight, 1e-5, true);
    double mean = Arrays.stream(values).average().orElseThrow();
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    double[] shift = HostTensors.toDoubles(weight);
    double[] found = HostTensors.toDoubles(result);
    for (int i = 0; i < values.length; i++) {
      double expected = (values[i] - mean) / Math.sqrt(squares / values.length + 1e-5) + shift[i];
      assertEquals(expected, found[i], 1e-12);
    }
  }

  @Test
  void aPermutationOfSeveralPiecesHoldsEachNumberOnce() {
    DenseTensor order = (DenseTensor) run("aten::randperm", 20000L, 4L, NONE, NONE, NONE);
    long[] sorted = Arrays.stream(HostTensors.toLongs(order)).sorted().toArray();
    for (int i = 0; i < sorted.length; i++) {
      assertEquals(i, sorted[i]);
    }
  }
}
