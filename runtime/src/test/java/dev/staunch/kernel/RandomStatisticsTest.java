package dev.staunch.kernel;

import static dev.staunch.operation.None.NONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.kernel.scalar.ErrorFunction;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Fixed seeds, so that each statistic is the same number every time; the bounds are those of 1 in
 * 1,000.
 */
class RandomStatisticsTest {
  private static final int COUNT = 100_000;

  /** The bound of Kolmogorov and Smirnov: 1.95 / sqrt(n). */
  private static final double LARGEST_GAP = 1.95 / Math.sqrt(COUNT);

  private final OffHeap memory = OffHeap.withBudget(64 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final Catalog catalog = StandardOperations.catalog();

  @AfterEach
  void everyByteGoesBack() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private double[] drawn(DType dtype, String name, Object... parameters) {
    DenseTensor target = (DenseTensor) DenseTensor.allocate(scope, dtype, Shape.of(COUNT));
    Object[] arguments = new Object[parameters.length + 2];
    arguments[0] = target;
    System.arraycopy(parameters, 0, arguments, 1, parameters.length);
    arguments[arguments.length - 1] = NONE;
    Kernel kernel = Objects.requireNonNull(catalog.find("aten::" + name)).kernel();
    Object result =
        ((Kernel.One) Objects.requireNonNull(kernel))
            .run(new Call(new RecordingEnvironment(scope), arguments));
    return HostTensors.toDoubles(assertInstanceOf(DenseTensor.class, result, name));
  }

  private static void assertDistributed(double[] values, DoubleUnaryOperator distribution) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double gap = 0;
    for (int i = 0; i < sorted.length; i++) {
      double expected = distribution.applyAsDouble(sorted[i]);
      gap = Math.max(gap, Math.abs(expected - (double) i / sorted.length));
      gap = Math.max(gap, Math.abs(expected - (i + 1.0) / sorted.length));
    }
    assertTrue(gap < LARGEST_GAP, "gap " + gap);
  }

  private static double moment(double[] values, int power) {
    return Arrays.stream(values).map(x -> Math.pow(x, power)).average().orElseThrow();
  }

  @Test
  void uniformNumbersAreUniform() {
    for (DType dtype : new DType[] {DType.FLOAT32, DType.FLOAT64}) {
      double[] values = drawn(dtype, "uniform_", 2.0, 5.0);
      assertDistributed(values, x -> (x - 2) / 3);
      assertTrue(Arrays.stream(values).allMatch(x -> x >= 2 && x < 5));
    }
    double[] halves = drawn(DType.FLOAT16, "uniform_", 0.0, 1.0);
    assertTrue(Arrays.stream(halves).allMatch(x -> x >= 0 && x < 1));
    double[] coarse = drawn(DType.BFLOAT16, "uniform_", 100.0, 101.0);
    assertTrue(Arrays.stream(coarse).allMatch(x -> x >= 100 && x < 101));
  }

  @Test
  void normalNumbersAreNormal() {
    double[] values = drawn(DType.FLOAT32, "normal_", 0.0, 1.0);
    assertDistributed(values, RandomStatisticsTest::normal);
    assertEquals(0, moment(values, 1), 3.3 / Math.sqrt(COUNT));
    assertEquals(1, moment(values, 2), 3.3 * Math.sqrt(2.0 / COUNT));
    assertEquals(0, moment(values, 3), 3.3 * Math.sqrt(15.0 / COUNT));
    assertEquals(3, moment(values, 4), 3.3 * Math.sqrt(96.0 / COUNT));
    assertDistributed(drawn(DType.FLOAT64, "normal_", -3.0, 0.5), x -> normal((x + 3) / 0.5));
    assertDistributed(drawn(DType.FLOAT64, "log_normal_", 0.0, 1.0), x -> normal(Math.log(x)));
  }

  private static double normal(double x) {
    return 0.5 * ErrorFunction.erfc(-x / Math.sqrt(2));
  }

  @Test
  void otherContinuousDistributionsAreAsTheirNamesSay() {
    assertDistributed(drawn(DType.FLOAT64, "exponential_", 2.0), x -> -Math.expm1(-2 * x));
    assertDistributed(
        drawn(DType.FLOAT64, "cauchy_", 1.0, 2.0), x -> Math.atan((x - 1) / 2) / Math.PI + 0.5);
  }

  @Test
  void integersAreEven() {
    double[] values = drawn(DType.INT64, "random_.from", -3L, 17L);
    long[] counts = new long[20];
    for (double value : values) {
      counts[(int) value + 3]++;
    }
    double expected = COUNT / 20.0;
    double chiSquare = 0;
    for (long count : counts) {
      chiSquare += (count - expected) * (count - expected) / expected;
    }
    assertTrue(chiSquare < 43.8, "chi-square of 19 degrees of freedom: " + chiSquare);
  }

  @Test
  void integersWithoutBoundsFillTheDType() {
    assertEquals(255, Arrays.stream(drawn(DType.UINT8, "random_")).max().orElseThrow());
    assertEquals(0, Arrays.stream(drawn(DType.BOOL, "random_")).min().orElseThrow());
    double most = Arrays.stream(drawn(DType.FLOAT32, "random_")).max().orElseThrow();
    assertTrue(most <= 1 << 24 && most > 0.999 * (1 << 24), "" + most);
    double[] all = drawn(DType.INT64, "random_.from", Long.MIN_VALUE, NONE);
    assertTrue(Arrays.stream(all).min().orElseThrow() < -9e18);
    assertTrue(Arrays.stream(all).max().orElseThrow() > 9e18);
  }

  @Test
  void onesComeWithTheirProbability() {
    double[] values = drawn(DType.UINT8, "bernoulli_.float", 0.3);
    assertEquals(0.3, moment(values, 1), 3.3 * Math.sqrt(0.21 / COUNT));
    double[] trials = drawn(DType.FLOAT64, "geometric_", 0.25);
    assertEquals(4, moment(trials, 1), 3.3 * Math.sqrt(12.0 / COUNT));
    assertEquals(1, Arrays.stream(trials).min().orElseThrow());
  }

  @Test
  void neighboursAreNotCorrelated() {
    double[] values = drawn(DType.FLOAT64, "normal_", 0.0, 1.0);
    for (int lag = 1; lag <= 4; lag++) {
      double sum = 0;
      for (int i = lag; i < COUNT; i++) {
        sum += values[i] * values[i - lag];
      }
      assertEquals(0, sum / COUNT, 3.3 / Math.sqrt(COUNT), "lag " + lag);
    }
  }
}
