package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.view.PlainJoin;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The fast paths of kernels for small tensors return exactly what the general paths do. */
class ShortWaysTest {
  private static final long SEED = 20261121;

  private final OffHeap memory = OffHeap.withBudget(1 << 22);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final Random random = new Random(SEED);

  @AfterEach
  void nothingIsHeld() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private DenseTensor floats(long... sizes) {
    Shape shape = Shape.of(sizes);
    float[] values = new float[(int) shape.elements()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return (DenseTensor) HostTensors.floats(scope, shape, values);
  }

  private Object run(String operation, Object... arguments) {
    return Objects.requireNonNull(new KernelBench(scope).run(operation, arguments));
  }

  private DenseTensor tensor(String operation, Object... arguments) {
    return assertInstanceOf(DenseTensor.class, run(operation, arguments));
  }

  /** The same elements with gaps between the rows, which no fast path takes. */
  private DenseTensor spread(DenseTensor tensor) {
    long width = tensor.shape().size(tensor.rank() - 1);
    long rows = tensor.elements() / width;
    DenseTensor wide =
        (DenseTensor) DenseTensor.allocate(scope, tensor.dtype(), Shape.of(rows, width + 3));
    long[] strides = tensor.layout().strides();
    for (int i = 0; i < strides.length - 1; i++) {
      strides[i] = strides[i] / width * (width + 3);
    }
    DenseTensor view = (DenseTensor) wide.view(scope, new Layout(tensor.shape(), strides, 0));
    Call call = new Call(new KernelBench(scope), new Object[0]);
    Copying.copy(new CancellationPoll(call), tensor, tensor.layout(), view, view.layout());
    return view;
  }

  @Test
  void aSmallLinearLayerGivesTheBitsOfTheLongWay() {
    for (int rows = 1; rows <= 4; rows++) {
      for (int columns : new int[] {1, 3, 4, 9, 32}) {
        DenseTensor input = floats(rows, 17);
        DenseTensor weight = floats(columns, 17);
        DenseTensor bias = floats(columns);
        float[] small = HostTensors.toFloats(tensor("aten::linear", input, weight, bias));
        DenseTensor apart = spread(input);
        assertArrayEquals(
            HostTensors.toFloats(tensor("aten::linear", apart, weight, bias)), small, SEED + "");
        DenseTensor none = tensor("aten::linear", input, weight, None.NONE);
        assertEquals(Shape.of(rows, columns), none.shape());
      }
    }
  }

  @Test
  void aLayerThatDoesNotFitIsTheFaultOfTheLongWay() {
    Fault fault =
        assertInstanceOf(Fault.class, run("aten::linear", floats(1, 16), floats(4, 17), None.NONE));
    assertEquals(FaultType.SHAPE, fault.type());
    assertEquals("a 1x16 matrix cannot be multiplied by a 17x4 matrix", fault.message());
  }

  @Test
  void aSmallNormalizationGivesTheBitsOfTheLongWay() {
    for (Shape shape : List.of(Shape.of(1, 8), Shape.of(3, 8), Shape.of(2, 8, 5))) {
      DenseTensor input = floats(shape.toArray());
      DenseTensor mean = floats(8);
      DenseTensor variance = tensor("aten::abs", floats(8));
      for (Object affine : new Object[] {floats(8), None.NONE}) {
        Object[] arguments = {input, affine, affine, mean, variance, false, 0.1, 1e-5, true};
        float[] small = HostTensors.toFloats(tensor("aten::batch_norm", arguments));
        arguments[3] = tensor("aten::squeeze.dim", spread(column(mean)), 1L);
        assertArrayEquals(
            HostTensors.toFloats(tensor("aten::batch_norm", arguments)), small, SEED + "");
      }
    }
  }

  private DenseTensor column(DenseTensor vector) {
    return tensor("aten::unsqueeze", vector, 1L);
  }

  @Test
  void aNormalizationOfOtherChannelsIsAFault() {
    Fault fault =
        assertInstanceOf(
            Fault.class,
            run(
                "aten::batch_norm",
                floats(1, 8),
                None.NONE,
                None.NONE,
                floats(7),
                floats(7),
                false,
                0.1,
                1e-5,
                true));
    assertEquals("`running_mean` must have 8 elements, but has 7", fault.message());
  }

  @Test
  void aRowRepeatsAlongTheLeadingDimensions() {
    DenseTensor left = floats(3, 2, 5);
    for (long[] sizes : new long[][] {{5}, {1, 5}, {2, 5}, {1, 2, 5}, {1}, {}}) {
      DenseTensor right = floats(sizes);
      for (String operation : List.of("aten::mul.Tensor", "aten::sub.Tensor")) {
        Object[] rest =
            operation.contains("sub") ? new Object[] {left, right, 1L} : new Object[] {left, right};
        DenseTensor small = tensor(operation, rest);
        rest[0] = spread(left);
        assertEquals(left.shape(), small.shape());
        assertArrayEquals(
            HostTensors.toFloats(tensor(operation, rest)), HostTensors.toFloats(small));
      }
    }
  }

  @Test
  void rowsThatDoNotRepeatAreAFault() {
    Fault fault = assertInstanceOf(Fault.class, run("aten::mul.Tensor", floats(3, 4), floats(3)));
    assertEquals(FaultType.SHAPE, fault.type());
  }

  @Test
  void functionsOfOneOperandGiveTheBitsOfTheLongWay() {
    DenseTensor input = floats(3, 7);
    for (String name : List.of("sigmoid", "silu", "exp", "rsqrt", "neg", "relu")) {
      assertArrayEquals(
          HostTensors.toFloats(tensor("aten::" + name, spread(input))),
          HostTensors.toFloats(tensor("aten::" + name, input)),
          name);
    }
  }

  @Test
  void joinedTensorsLieOneBehindTheOther() {
    for (long dim : new long[] {0, 1, 2, -1}) {
      List<Object> parts = List.of(floats(2, 3, 4), floats(2, 3, 4), floats(2, 3, 4));
      assertTrue(PlainJoin.fits(parts, dim));
      DenseTensor small = tensor("aten::cat", parts, dim);
      List<Object> apart = List.of(spread((DenseTensor) parts.get(0)), parts.get(1), parts.get(2));
      DenseTensor large = tensor("aten::cat", apart, dim);
      assertEquals(large.shape(), small.shape());
      assertArrayEquals(HostTensors.toFloats(large), HostTensors.toFloats(small));
    }
    Fault fault =
        assertInstanceOf(Fault.class, run("aten::cat", List.of(floats(2, 3), floats(2, 4)), 0L));
    assertEquals(FaultType.SHAPE, fault.type());
  }

  @Test
  void stackedTensorsLieAlongANewDimension() {
    for (long dim : new long[] {0, 1, 2, 3, -1, -4}) {
      List<Object> parts = List.of(floats(2, 3, 4), floats(2, 3, 4));
      DenseTensor small = tensor("aten::stack", parts, dim);
      List<Object> apart = List.of(spread((DenseTensor) parts.get(0)), parts.get(1));
      DenseTensor large = tensor("aten::stack", apart, dim);
      assertEquals(large.shape(), small.shape());
      assertArrayEquals(HostTensors.toFloats(large), HostTensors.toFloats(small));
    }
    for (long dim : new long[] {3, -4}) {
      Fault fault =
          assertInstanceOf(
              Fault.class, run("aten::stack", List.of(floats(2, 3), floats(2, 3)), dim));
      assertEquals(FaultType.INDEX, fault.type());
    }
    Fault fault =
        assertInstanceOf(Fault.class, run("aten::stack", List.of(floats(2), floats(3)), 0L));
    assertEquals(FaultType.SHAPE, fault.type());
  }

  @Test
  void slicesSelectedByIndexAreThoseOfTheLongWay() {
    for (long[] sizes : new long[][] {{5}, {1, 6}, {2, 3, 4}, {3, 1, 2}}) {
      DenseTensor plain = floats(sizes);
      DenseTensor apart = spread(plain);
      for (int dim = 0; dim < sizes.length; dim++) {
        for (int count : new int[] {0, 1, 7}) {
          int size = (int) sizes[dim];
          long[] ids = random.longs(count, 0, size).toArray();
          Object index = HostTensors.longs(scope, Shape.of(count), ids);
          DenseTensor small = tensor("aten::index_select", plain, (long) dim, index);
          DenseTensor large = tensor("aten::index_select", apart, (long) dim, index);
          assertEquals(large.shape(), small.shape());
          assertArrayEquals(HostTensors.toFloats(large), HostTensors.toFloats(small));
        }
      }
    }
  }

  @Test
  void anIdOutsideTheTableIsNamed() {
    DenseTensor table = floats(5, 3);
    DenseTensor ids = (DenseTensor) HostTensors.longs(scope, Shape.of(2, 2), 4, 0, 4, 2);
    DenseTensor rows = tensor("aten::embedding", table, ids, -1L, false, false);
    assertEquals(Shape.of(2, 2, 3), rows.shape());
    float[] all = HostTensors.toFloats(table);
    assertEquals(all[12], HostTensors.toFloats(rows)[0]);
    DenseTensor bad = (DenseTensor) HostTensors.longs(scope, Shape.of(2), 4, 5);
    Fault fault =
        assertInstanceOf(Fault.class, run("aten::embedding", table, bad, -1L, false, false));
    assertEquals("id 5 at position 1 is outside the embedding table of 5 rows", fault.message());
    assertEquals(DType.FLOAT32, table.dtype());
  }

  @Test
  void aNumberForAWeightGivesTheBitsOfATensor() {
    DenseTensor start = floats(5, 7);
    DenseTensor end = floats(5, 7);
    for (double weight : new double[] {0, 0.3, 0.5, 0.9, -2, Double.NaN}) {
      DenseTensor single =
          (DenseTensor) HostTensors.floats(scope, Shape.SCALAR, new float[] {(float) weight});
      assertArrayEquals(
          HostTensors.toFloats(tensor("aten::lerp.Tensor", start, end, single)),
          HostTensors.toFloats(tensor("aten::lerp.Scalar", start, end, weight)),
          weight + ", seed " + SEED);
    }
  }

  @Test
  void bagsOfFewIdsGiveTheBitsOfTheLongWay() {
    long[] ids = random.longs(40, 0, 7).toArray();
    long[] offsets = {0, 0, 3, 9, 9, 25, 40};
    for (DenseTensor table : List.of(floats(7, 5), spread(floats(7, 16)))) {
      int width = (int) table.shape().size(1);
      float[] all = HostTensors.toFloats(bags(table, withMore(ids), offsets, false));
      float[] first = Arrays.copyOf(all, 6 * width);
      for (boolean narrow : new boolean[] {false, true}) {
        Object few = narrow ? ints(ids) : longs(ids);
        Object starts = narrow ? ints(offsets) : longs(offsets);
        DenseTensor sums = first(run("aten::embedding_bag", rest(table, few, starts, true)));
        assertEquals(Shape.of(6, width), sums.shape());
        assertArrayEquals(first, HostTensors.toFloats(sums), SEED + "");
      }
      float[] open = HostTensors.toFloats(bags(table, ids, offsets, false));
      assertArrayEquals(first, Arrays.copyOf(open, first.length));
      assertArrayEquals(new float[width], Arrays.copyOfRange(open, first.length, open.length));
      DenseTensor strided = tensor("aten::slice.Tensor", longs(twice(ids)), 0L, 0L, 80L, 2L);
      DenseTensor sums =
          first(run("aten::embedding_bag", rest(table, strided, longs(offsets), true)));
      assertArrayEquals(first, HostTensors.toFloats(sums));
    }
  }

  @Test
  void fewIdsAndOffsetsOutOfPlaceAreTheFaultsOfTheLongWay() {
    long[][] cases = {{0, 1, 7}, {0, -1, 8}, {9, 1, 2}, {0, 1, 2}};
    long[][] offsets = {{0, 2}, {0, 2}, {1, 2}, {0, 2, 1}};
    for (int i = 0; i < cases.length; i++) {
      Object[] few = rest(floats(7, 5), longs(cases[i]), longs(offsets[i]), false);
      Object[] many = rest(floats(7, 5), longs(withMore(cases[i])), longs(offsets[i]), false);
      Fault fault = assertInstanceOf(Fault.class, run("aten::embedding_bag", few));
      Fault other = assertInstanceOf(Fault.class, run("aten::embedding_bag", many));
      assertEquals(other.message(), fault.message());
      assertEquals(other.expected(), fault.expected());
    }
    Object beyond = run("aten::embedding_bag", rest(floats(7, 5), longs(1), longs(0, 2), false));
    assertEquals(
        "the last of `offsets` is 2, beyond the end of `indices` at 1",
        assertInstanceOf(Fault.class, beyond).message());
  }

  private DenseTensor bags(DenseTensor table, long[] ids, long[] offsets, boolean lastIncluded) {
    return first(run("aten::embedding_bag", rest(table, longs(ids), longs(offsets), lastIncluded)));
  }

  private static DenseTensor first(Object results) {
    return (DenseTensor) assertInstanceOf(Object[].class, results)[0];
  }

  private static Object[] rest(Object table, Object ids, Object offsets, boolean lastIncluded) {
    return new Object[] {table, ids, offsets, false, 0L, false, None.NONE, lastIncluded};
  }

  /** The ids, followed by so many others that they are no longer few. */
  private static long[] withMore(long[] ids) {
    return Arrays.copyOf(ids, 1 << 15);
  }

  /** Each id, followed by a number that is not an id. */
  private static long[] twice(long[] ids) {
    long[] wide = new long[2 * ids.length];
    for (int i = 0; i < ids.length; i++) {
      wide[2 * i] = ids[i];
      wide[2 * i + 1] = -1;
    }
    return wide;
  }

  private DenseTensor longs(long... values) {
    return (DenseTensor) HostTensors.longs(scope, Shape.of(values.length), values);
  }

  private DenseTensor ints(long... values) {
    return tensor("aten::to.dtype", longs(values), 3L, false, false, None.NONE);
  }
}
