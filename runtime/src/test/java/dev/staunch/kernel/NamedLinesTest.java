package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.staunch.fault.Fault;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Long lines of an index are read where they lie, whatever its strides, and checked one by one. */
class NamedLinesTest {
  private static final long SEED = 7;
  private static final int ROWS = 3;
  private static final int COLUMNS = 100;
  private static final int WIDTH = 300;

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

  private DenseTensor matrix(DType dtype, int rows, int columns) {
    DenseTensor made = (DenseTensor) DenseTensor.allocate(scope, dtype, Shape.of(rows, columns));
    for (long i = 0; i < made.elements(); i++) {
      Elements.putLong(made.segment(), dtype, i, random.nextInt(dtype == DType.BOOL ? 2 : 9));
    }
    return made;
  }

  private DenseTensor longs(int rows, int columns) {
    long[] values = random.longs((long) rows * columns, 0, COLUMNS).toArray();
    return (DenseTensor) HostTensors.longs(scope, Shape.of(rows, columns), values);
  }

  /** An index of three lines, in several layouts. */
  private DenseTensor index(String layout) {
    return switch (layout) {
      case "contiguous" -> longs(ROWS, WIDTH);
      case "turned" -> made("aten::t", longs(WIDTH, ROWS));
      case "every second" ->
          made("aten::slice.Tensor", longs(ROWS, 2 * WIDTH), 1L, 1L, 2L * WIDTH, 2L);
      case "one row" -> made("aten::expand", longs(1, WIDTH), List.of(3L, 300L), false);
      default -> made("aten::expand", longs(ROWS, 1), List.of(3L, 300L), false);
    };
  }

  private static long at(DenseTensor tensor, long row, long column) {
    return tensor.layout().offset()
        + row * tensor.layout().stride(0)
        + column * tensor.layout().stride(1);
  }

  private static double element(DenseTensor tensor, long row, long column) {
    return Elements.asDouble(tensor.segment(), tensor.dtype(), at(tensor, row, column));
  }

  private static double[] elements(DenseTensor tensor) {
    double[] all = new double[(int) tensor.elements()];
    int columns = (int) tensor.shape().size(1);
    for (int i = 0; i < all.length; i++) {
      all[i] = element(tensor, i / columns, i % columns);
    }
    return all;
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"COMPLEX64", "COMPLEX128"},
      mode = EnumSource.Mode.EXCLUDE)
  void giveWhatEachIndexNamesWhateverItsLayout(DType dtype) {
    for (String layout :
        new String[] {"contiguous", "turned", "every second", "one row", "one column"}) {
      DenseTensor whole = matrix(dtype, ROWS + 1, COLUMNS);
      DenseTensor self = made("aten::slice.Tensor", whole, 0L, 1L, ROWS + 1L, 1L);
      DenseTensor source = matrix(dtype, ROWS, WIDTH);
      DenseTensor index = index(layout);
      double[] picked = new double[ROWS * WIDTH];
      double[] written = elements(self);
      double[] summed = elements(self);
      for (int i = 0; i < ROWS * WIDTH; i++) {
        int row = i / WIDTH;
        int column = (int) element(index, row, i % WIDTH);
        int at = row * COLUMNS + column;
        picked[i] = element(self, row, column);
        written[at] = element(source, row, i % WIDTH);
        double sum = summed[at] + written[at];
        summed[at] = dtype == DType.BOOL ? Math.min(1, sum) : rounded(dtype, sum);
      }
      assertArrayEquals(picked, elements(made("aten::gather", self, -1L, index, false)), layout);
      assertArrayEquals(written, elements(made("aten::scatter.src", self, -1L, index, source)));
      assertArrayEquals(summed, elements(made("aten::scatter_add", self, -1L, index, source)));
    }
  }

  private double rounded(DType dtype, double value) {
    DenseTensor one = (DenseTensor) DenseTensor.allocate(scope, dtype, Shape.SCALAR);
    if (dtype.isFloating()) {
      Elements.putDouble(one.segment(), dtype, 0, value);
    } else {
      Elements.putLong(one.segment(), dtype, 0, (long) value);
    }
    return Elements.asDouble(one.segment(), dtype, 0);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, -1",
    "0, 299, 100",
    "1, 255, 128",
    "1, 256, -9223372036854775808",
    "2, 299, 9223372036854775807",
    "2, 0, 4294967296",
    "0, 17, -4294967296"
  })
  void nameTheFirstIndexThatIsOutOfBounds(int row, int column, long wrong) {
    for (DType dtype : new DType[] {DType.FLOAT32, DType.INT64, DType.INT8}) {
      for (String layout : new String[] {"contiguous", "turned", "every second"}) {
        DenseTensor index = index(layout);
        Elements.putLong(index.segment(), DType.INT64, at(index, row, column), wrong);
        Elements.putLong(index.segment(), DType.INT64, at(index, 2, 299), wrong);
        DenseTensor self = matrix(dtype, ROWS, COLUMNS);
        DenseTensor source = matrix(dtype, ROWS, WIDTH);
        long number = (long) row * WIDTH + column;
        String text =
            "index "
                + wrong
                + " at position "
                + number
                + " is out of bounds for dimension 1 with size 100";
        check(text, wrong, run("aten::gather", self, 1L, index, false));
        check(text, wrong, run("aten::scatter.src", self, 1L, index, source));
        check(text, wrong, run("aten::scatter_add", self, 1L, index, source));
        check(text, wrong, run("aten::scatter.value", self, 1L, index, 1L));
      }
    }
  }

  private static void check(String text, long wrong, Object found) {
    Fault fault = assertInstanceOf(Fault.class, found);
    assertEquals(text, fault.message());
    assertEquals("an index from 0 to 99", fault.expected());
    assertEquals("" + wrong, fault.actual());
    assertEquals("index", fault.input());
  }

  @Test
  void needNoIndexAtAll() {
    DenseTensor self = matrix(DType.FLOAT32, ROWS, COLUMNS);
    DenseTensor none = (DenseTensor) HostTensors.longs(scope, Shape.of(0, WIDTH), new long[0]);
    DenseTensor source = matrix(DType.FLOAT32, 0, WIDTH);
    assertEquals(0, made("aten::gather", self, 1L, none, false).elements());
    assertArrayEquals(elements(self), elements(made("aten::scatter_add", self, 1L, none, source)));
  }
}
