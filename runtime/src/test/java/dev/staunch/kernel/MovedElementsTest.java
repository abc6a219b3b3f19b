package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.fault.Fault;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What an index picks, writes and adds equals the result of one element after the other, whatever
 * the dtype and the strides, and however often a position is named.
 */
class MovedElementsTest {
  private static final long SEED = 23;

  /**
   * The numbers of rows, columns, index rows and index columns: small ones, and more than a tile.
   */
  private static final int[][] SIZES = {
    {1, 1, 1, 1},
    {3, 5, 2, 4},
    {4, 1, 4, 1},
    {2, 2000, 2, 1500},
    {1500, 2, 1300, 2},
    {40, 70, 40, 60},
    {9, 300, 7, 257}
  };

  private final OffHeap memory = OffHeap.withBudget(64L << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final Random random = new Random(SEED);

  @AfterEach
  void nothingIsHeld() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private Object run(String name, Object... arguments) {
    return Objects.requireNonNull(new RecordingEnvironment(scope).run(name, arguments));
  }

  private DenseTensor made(String name, Object... arguments) {
    return assertInstanceOf(DenseTensor.class, run(name, arguments));
  }

  /** Small integers in any dtype, the columns of every second one side by side. */
  private DenseTensor matrix(DType dtype, int rows, int columns, boolean turned) {
    Shape shape = turned ? Shape.of(columns, rows) : Shape.of(rows, columns);
    DenseTensor tensor = (DenseTensor) DenseTensor.allocate(scope, dtype, shape);
    for (long i = 0; i < tensor.elements(); i++) {
      Elements.putLong(tensor.segment(), dtype, i, random.nextInt(dtype == DType.BOOL ? 2 : 9));
    }
    return turned ? made("aten::t", tensor) : tensor;
  }

  private DenseTensor index(int[] sizes, int dim) {
    long[] values = random.longs((long) sizes[2] * sizes[3], 0, sizes[dim]).toArray();
    return (DenseTensor) HostTensors.longs(scope, Shape.of(sizes[2], sizes[3]), values);
  }

  private static double[][] elements(DenseTensor tensor) {
    int rows = (int) tensor.shape().size(0);
    int columns = (int) tensor.shape().size(1);
    double[][] all = new double[rows][columns];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        long at =
            tensor.layout().offset()
                + i * tensor.layout().stride(0)
                + j * tensor.layout().stride(1);
        all[i][j] = Elements.asDouble(tensor.segment(), tensor.dtype(), at);
      }
    }
    return all;
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"COMPLEX64", "COMPLEX128"},
      mode = EnumSource.Mode.EXCLUDE)
  void areThoseOfOneElementAfterTheOther(DType dtype) {
    for (int[] sizes : SIZES) {
      for (int dim = 0; dim < 2; dim++) {
        DenseTensor self = matrix(dtype, sizes[0], sizes[1], random.nextBoolean());
        DenseTensor source = matrix(dtype, sizes[0], sizes[1], random.nextBoolean());
        DenseTensor index = index(new int[] {sizes[0], sizes[1], sizes[2], sizes[3]}, dim);
        check(self, source, index, dim);
      }
    }
  }

  private void check(DenseTensor self, DenseTensor source, DenseTensor index, int dim) {
    double[][] picked = elements(index);
    double[][] written = elements(self);
    double[][] summed = elements(self);
    double[][] from = elements(source);
    double[][] before = elements(self);
    for (int i = 0; i < picked.length; i++) {
      for (int j = 0; j < picked[i].length; j++) {
        int row = dim == 0 ? (int) picked[i][j] : i;
        int column = dim == 0 ? j : (int) picked[i][j];
        picked[i][j] = before[row][column];
        written[row][column] = from[i][j];
        double sum = summed[row][column] + from[i][j];
        summed[row][column] = self.dtype() == DType.BOOL ? Math.min(1, sum) : rounded(self, sum);
      }
    }
    long at = dim;
    assertArrayEquals(picked, elements(made("aten::gather", self, at, index, false)));
    assertArrayEquals(written, elements(made("aten::scatter.src", self, at, index, source)));
    assertArrayEquals(summed, elements(made("aten::scatter_add", self, at, index, source)));
    assertArrayEquals(
        summed, elements(made("aten::scatter_reduce.two", self, at, index, source, "sum", true)));
    made("aten::scatter_add_", self, at, index, source);
    assertArrayEquals(summed, elements(self), "in place");
  }

  @ParameterizedTest
  @EnumSource(DType.class)
  void slicesAreCopiedInTheOrderOfTheIndexHoweverTheyLie(DType dtype) {
    if (dtype.kind() == DType.Kind.COMPLEX) {
      return;
    }
    for (int[] sizes : SIZES) {
      for (int dim = 0; dim < 2; dim++) {
        DenseTensor self = matrix(dtype, sizes[0], sizes[1], random.nextBoolean());
        DenseTensor source = matrix(dtype, sizes[0], sizes[1], random.nextBoolean());
        double[][] expected = elements(self);
        double[][] from = elements(source);
        int count = sizes[dim];
        long[] slices = random.longs(count, 0, count).toArray();
        for (int i = 0; i < from.length; i++) {
          for (int j = 0; j < from[i].length; j++) {
            int row = dim == 0 ? (int) slices[i] : i;
            int column = dim == 0 ? j : (int) slices[j];
            expected[row][column] = from[i][j];
          }
        }
        Object index = HostTensors.longs(scope, Shape.of(count), slices);
        long at = dim;
        assertArrayEquals(expected, elements(made("aten::index_copy", self, at, index, source)));
        made("aten::index_copy_", self, at, index, source);
        assertArrayEquals(expected, elements(self), "in place");
      }
    }
  }

  @Test
  void slicesOfTheTensorItselfAreReadBeforeAnyIsWritten() {
    DenseTensor self = matrix(DType.FLOAT32, 5, 300, false);
    double[][] before = elements(self);
    Object index = HostTensors.longs(scope, Shape.of(5), new long[] {1, 2, 3, 4, 0});
    made("aten::index_copy_", self, 0L, index, self);
    double[][] found = elements(self);
    for (int i = 0; i < 5; i++) {
      assertArrayEquals(before[i], found[(i + 1) % 5]);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"COMPLEX64", "COMPLEX128"},
      mode = EnumSource.Mode.EXCLUDE)
  void columnsArePickedFromEachRowHoweverFarApartAndHoweverMany(DType dtype) {
    int[][] sizes = {
      {1, 1, 1}, {7, 5, 4}, {40, 30, 25}, {3, 2000, 6}, {50, 60, 1500}, {2, 9, 5000}
    };
    for (int[] size : sizes) {
      for (boolean turned : new boolean[] {false, true}) {
        DenseTensor whole = matrix(dtype, size[0] + 1, size[1], turned);
        Object self = run("aten::slice.Tensor", whole, 0L, 1L, (long) size[0] + 1, 1L);
        long[] columns = random.longs(size[2], -size[1], size[1]).toArray();
        Object index = HostTensors.longs(scope, Shape.of(size[2]), columns);
        double[][] from = elements((DenseTensor) self);
        double[][] expected = new double[size[0]][size[2]];
        for (int i = 0; i < size[0]; i++) {
          for (int j = 0; j < size[2]; j++) {
            expected[i][j] = from[i][(int) Math.floorMod(columns[j], (long) size[1])];
          }
        }
        assertArrayEquals(
            expected, elements(made("aten::index.Tensor", self, List.of(None.NONE, index))));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"COMPLEX64", "COMPLEX128"},
      mode = EnumSource.Mode.EXCLUDE)
  void linesAreReversedAndRolledHoweverTheyLie(DType dtype) {
    for (int width : new int[] {1, 2, 3, 7, 8, 9, 63, 64, 300, 4096, 5000}) {
      for (boolean turned : new boolean[] {false, true}) {
        DenseTensor whole = matrix(dtype, 4, width, turned);
        DenseTensor self = made("aten::slice.Tensor", whole, 0L, 1L, 4L, 1L);
        long shift = random.nextInt(-2, width + 2);
        double[][] from = elements(self);
        double[][] reversed = new double[3][width];
        double[][] rolled = new double[3][width];
        for (int i = 0; i < 3; i++) {
          for (int j = 0; j < width; j++) {
            reversed[i][width - 1 - j] = from[i][j];
            rolled[i][(int) Math.floorMod(j + shift, (long) width)] = from[i][j];
          }
        }
        assertArrayEquals(reversed, elements(made("aten::flip", self, List.of(1L))));
        Object dims = List.of(1L);
        assertArrayEquals(rolled, elements(made("aten::roll", self, List.of(shift), dims)));
      }
    }
  }

  private static double rounded(DenseTensor self, double sum) {
    return switch (self.dtype()) {
      case INT8 -> (byte) sum;
      case UINT8 -> (int) sum & 0xff;
      default -> self.dtype().isFloating() ? Elements.rounded(self.dtype(), sum) : sum;
    };
  }

  @Test
  void nothingIsWrittenIfOneIndexIsOutOfRange() {
    DenseTensor self = matrix(DType.FLOAT32, 3, 3000, false);
    DenseTensor source = matrix(DType.FLOAT32, 3, 3000, false);
    double[][] before = elements(self);
    for (long wrong : new long[] {3000, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      long[] values = random.longs(9000, 0, 3000).toArray();
      values[7777] = wrong;
      values[8888] = 4000;
      Object index = HostTensors.longs(scope, Shape.of(3, 3000), values);
      for (String name :
          List.of(
              "aten::scatter_add_",
              "aten::scatter_.src",
              "aten::scatter_add",
              "aten::scatter.src")) {
        assertOutOfBounds(wrong, run(name, self, 1L, index, source));
      }
      assertOutOfBounds(wrong, run("aten::scatter.value", self, 1L, index, 2L));
      assertOutOfBounds(wrong, run("aten::scatter_.value", self, 1L, index, 2L));
      assertOutOfBounds(wrong, run("aten::gather", self, 1L, index, false));
      assertArrayEquals(before, elements(self));
    }
  }

  private static void assertOutOfBounds(long wrong, Object outcome) {
    Fault fault = assertInstanceOf(Fault.class, outcome);
    assertEquals(
        "index " + wrong + " at position 7777 is out of bounds for dimension 1 with size 3000",
        fault.message());
    assertEquals("index", fault.input());
  }

  @Test
  void anIndexOfADimensionWithoutElementsIsOutOfBounds() {
    Object empty = HostTensors.floats(scope, Shape.of(0, 2), new float[0]);
    Object index = HostTensors.longs(scope, Shape.of(1, 2), new long[2]);
    Fault fault = assertInstanceOf(Fault.class, run("aten::gather", empty, 0L, index, false));
    assertEquals(
        "index 0 at position 0 is out of bounds for dimension 0 with size 0", fault.message());
  }

  @Test
  void anIndexOfNothingMovesNothing() {
    DenseTensor self = matrix(DType.FLOAT32, 2, 3, false);
    Object none = HostTensors.longs(scope, Shape.of(0, 3), new long[0]);
    assertEquals(Shape.of(0, 3), made("aten::gather", self, 0L, none, false).shape());
    assertArrayEquals(elements(self), elements(made("aten::scatter_add", self, 0L, none, self)));
  }
}
