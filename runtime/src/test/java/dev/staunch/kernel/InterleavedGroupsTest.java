package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reductions of groups whose elements take turns in memory: of few columns, of complex numbers. */
class InterleavedGroupsTest {
  private static final double BOUND = 1e-12;

  private final OffHeap memory = OffHeap.withBudget(16L << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final RecordingEnvironment environment = new RecordingEnvironment(scope);
  private final Random random = new Random(17);

  @AfterEach
  void nothingIsHeld() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private DenseTensor made(String name, Object... arguments) {
    return (DenseTensor) Objects.requireNonNull(environment.run("aten::" + name, arguments));
  }

  private double[] read(Object tensor) {
    return HostTensors.toDoubles(made("contiguous", tensor, 0L));
  }

  @ParameterizedTest
  @CsvSource({"1, 64, 2", "3, 64, 1", "2, 1000, 3", "1, 777, 64", "4, 65, 65", "1, 70000, 2"})
  void aColumnIsReducedAsIfItWereAlone(int batch, int rows, int columns) {
    float[] elements = new float[batch * rows * columns];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = 1 + random.nextFloat() / 16;
    }
    Object floats = HostTensors.floats(scope, Shape.of(batch, rows, columns), elements);
    for (long dtype : new long[] {15, 6, 7}) { // bfloat16, float32, float64
      Object all = made("to.dtype", floats, dtype, false, false, None.NONE);
      for (String name : new String[] {"sum.dim_IntList", "norm.ScalarOpt_dim", "amax", "amin"}) {
        double[] found = read(reduced(name, all));
        for (int i = 0; i < found.length; i++) {
          Object group = made("select.int", all, 0L, (long) i / columns);
          Object column = made("select.int", group, 1L, (long) i % columns);
          Object alone = made("contiguous", made("view", column, List.of(1L, (long) rows, 1L)), 0L);
          assertEquals(read(reduced(name, alone))[0], found[i], BOUND * found[i]);
        }
      }
    }
  }

  private DenseTensor reduced(String name, Object all) {
    List<Long> dims = List.of(1L);
    return switch (name) {
      case "sum.dim_IntList" -> made(name, all, dims, false, None.NONE);
      case "norm.ScalarOpt_dim" -> made(name, all, 2L, dims, false);
      default -> made(name, all, dims, false);
    };
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "-1", "0 1", "1 -3", "0 1 2"})
  void sumsOfComplexNumbersAreThoseOfTheirParts(String given) {
    List<Long> dims = List.of(given.split(" ")).stream().map(Long::valueOf).toList();
    float[] elements = new float[5 * 130 * 7 * 2];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = (float) random.nextGaussian();
    }
    elements[99] = Float.NaN;
    elements[4000] = Float.POSITIVE_INFINITY;
    Object pairs = HostTensors.floats(scope, Shape.of(5, 130, 7, 2), elements);
    Object whole = made("view_as_complex", pairs);
    for (Object numbers : List.of(whole, made("transpose.int", whole, 0L, 2L))) {
      for (String name : new String[] {"sum.dim_IntList", "mean.dim"}) {
        for (boolean keeps : new boolean[] {false, true}) {
          Object found = made(name, numbers, dims, keeps, None.NONE);
          for (String part : new String[] {"real", "imag"}) {
            Object alone = made("contiguous", made(part, numbers), 0L);
            DenseTensor expected = made(name, alone, dims, keeps, None.NONE);
            DenseTensor own = made(part, found);
            assertEquals(expected.shape(), own.shape());
            double[] those = read(expected);
            double[] these = read(own);
            for (int i = 0; i < those.length; i++) {
              assertEquals(those[i], these[i], 1e-5);
            }
          }
        }
      }
    }
  }
}
