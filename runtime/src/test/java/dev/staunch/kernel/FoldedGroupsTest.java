package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whatever the layout of groups, the plain kernels fold each group from first to last in double,
 * and round once.
 */
class FoldedGroupsTest {
  private static final double[] SPECIAL = {
    Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0
  };

  private final OffHeap memory = OffHeap.withBudget(16L << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void close() {
    scope.close();
  }

  private Object run(String name, Object... arguments) {
    return Objects.requireNonNull(new RecordingEnvironment(scope).run(name, arguments));
  }

  private DenseTensor made(String name, Object... arguments) {
    return (DenseTensor) run(name, arguments);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1",
    "5, 3, 7",
    "2, 700, 4",
    "3, 5, 1100",
    "9, 600, 1",
    "1, 4, 513",
    "6, 1, 5",
    "700, 2, 3",
    "1, 1500, 1",
    "4, 4, 4"
  })
  void theirResultsAreThoseOfOneElementAfterTheOther(int outer, int middle, int inner) {
    int[] sizes = {outer, middle, inner};
    double[] numbers = new Random(7).doubles((long) outer * middle * inner, -1, 1).toArray();
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = i % 97 == 13 ? 1e8 * numbers[i] : (float) numbers[i];
      numbers[i] = i % 1511 == 700 ? SPECIAL[i % SPECIAL.length] : numbers[i];
    }
    DenseTensor self =
        (DenseTensor) HostTensors.doubles(scope, Shape.of(outer, middle, inner), numbers);
    for (int dim = 0; dim < 3; dim++) {
      for (long[] order : new long[][] {{0, 1, 2}, {2, 0, 1}, {1, 2, 0}, {0, 2, 1}}) {
        DenseTensor seen = made("aten::permute", self, List.of(order[0], order[1], order[2]));
        int at = dim;
        int place = IntStream.range(0, 3).filter(i -> order[i] == at).findFirst().orElseThrow();
        int[] kept =
            IntStream.range(0, 3).filter(i -> i != place).map(i -> (int) order[i]).toArray();
        check(seen, place, numbers, sizes, dim, kept);
      }
    }
  }

  private void check(
      DenseTensor seen, int place, double[] numbers, int[] sizes, int dim, int[] kept) {
    List<Long> dims = List.of((long) place);
    double[] sums = new double[sizes[kept[0]] * sizes[kept[1]]];
    double[] norms = new double[sums.length];
    double[] products = new double[sums.length];
    double[] most = new double[sums.length];
    double[] least = new double[sums.length];
    int[] index = new int[3];
    for (int i = 0; i < sums.length; i++) {
      index[kept[0]] = i / sizes[kept[1]];
      index[kept[1]] = i % sizes[kept[1]];
      products[i] = 1;
      most[i] = Double.NEGATIVE_INFINITY;
      least[i] = Double.POSITIVE_INFINITY;
      for (index[dim] = 0; index[dim] < sizes[dim]; index[dim]++) {
        double number = numbers[(index[0] * sizes[1] + index[1]) * sizes[2] + index[2]];
        sums[i] += number;
        norms[i] += number * number;
        products[i] *= number;
        most[i] = Math.max(most[i], number);
        least[i] = Math.min(least[i], number);
      }
    }
    Arrays.setAll(norms, i -> Math.sqrt(norms[i]));
    None none = None.NONE;
    assertArrayEquals(
        sums, HostTensors.toDoubles(made("aten::sum.dim_IntList", seen, dims, false, none)));
    DenseTensor lengths = made("aten::linalg_vector_norm", seen, 2L, dims, false, none);
    assertArrayEquals(norms, HostTensors.toDoubles(lengths));
    DenseTensor multiplied = made("aten::prod.dim_int", seen, (long) place, false, none);
    assertArrayEquals(products, HostTensors.toDoubles(multiplied));
    assertArrayEquals(most, HostTensors.toDoubles(made("aten::amax", seen, dims, false)));
    assertArrayEquals(least, HostTensors.toDoubles(made("aten::amin", seen, dims, false)));
    checkScans(seen, place);
    checkPlaces(seen, place);
  }

  /** Sums and products so far, compared with those of a tensor whose groups are its rows. */
  private void checkScans(DenseTensor seen, int place) {
    int last = 2;
    DenseTensor rows =
        made("aten::contiguous", made("aten::transpose.int", seen, (long) place, (long) last), 0L);
    double[] sums = HostTensors.toDoubles(rows);
    double[] products = sums.clone();
    int width = (int) rows.shape().size(last);
    for (int i = 0; i < sums.length; i++) {
      sums[i] = i % width == 0 ? sums[i] : sums[i - 1] + sums[i];
      products[i] = i % width == 0 ? products[i] : products[i - 1] * products[i];
    }
    assertArrayEquals(sums, scanned("aten::cumsum", seen, place, last));
    assertArrayEquals(products, scanned("aten::cumprod", seen, place, last));
  }

  private double[] scanned(String name, DenseTensor seen, int place, int last) {
    DenseTensor made = made(name, seen, (long) place, None.NONE);
    return HostTensors.toDoubles(
        made("aten::contiguous", made("aten::transpose.int", made, (long) place, (long) last), 0L));
  }

  /** The index beside an extreme is that of the extreme, found on its own. */
  private void checkPlaces(DenseTensor seen, int place) {
    for (String name : List.of("max", "min")) {
      Object[] both = (Object[]) run("aten::" + name + ".dim", seen, (long) place, false);
      Object extremes = run("aten::a" + name, seen, List.of((long) place), false);
      Object places = run("aten::arg" + name, seen, (long) place, false);
      assertArrayEquals(
          HostTensors.toDoubles((DenseTensor) extremes),
          HostTensors.toDoubles((DenseTensor) both[0]));
      assertArrayEquals(
          HostTensors.toLongs((DenseTensor) places), HostTensors.toLongs((DenseTensor) both[1]));
    }
  }
}
