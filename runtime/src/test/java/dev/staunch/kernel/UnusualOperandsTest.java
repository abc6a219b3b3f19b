package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.operation.None;
import dev.staunch.operation.Schema;
import dev.staunch.type.DType;
import dev.staunch.type.Type;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Operands that recorded cases do not have; the expected values are PyTorch 1.13's. */
class UnusualOperandsTest {
  private static final float NAN = Float.NaN;
  private static final float INFINITY = Float.POSITIVE_INFINITY;

  private final OffHeap memory = OffHeap.withBudget(1 << 16);
  private final Context context = Context.open(memory);

  @AfterEach
  void close() {
    context.close();
    memory.close();
  }

  private Tensor row(float... elements) {
    return context.tensor(elements);
  }

  private Tensor counted(long... sizes) {
    long count = 1;
    for (long size : sizes) {
      count *= size;
    }
    float[] elements = new float[(int) count];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = i;
    }
    return row(elements).view(sizes);
  }

  private float[] nearest(Tensor image, double... factors) {
    String name = "aten::upsample_nearest" + factors.length + "d.vec";
    List<Object> each = Arrays.stream(factors).<Object>mapToObj(f -> f).toList();
    return context.apply(name, image, None.NONE, each).floats();
  }

  @Test
  void nearestGoesByTheFactorThoughTheSizeStays() {
    assertArrayEquals(new float[] {0, 0, 1, 2}, nearest(counted(1, 1, 4), 1.2));
    float[] lines = {0, 0, 1, 2, 0, 0, 1, 2, 4, 4, 5, 6, 8, 8, 9, 10};
    float[] both = new float[32];
    for (int i = 0; i < both.length; i++) {
      both[i] = lines[i % 16] + (i < 16 ? 0 : 16);
    }
    assertArrayEquals(both, nearest(counted(1, 2, 4, 4), 1.2, 1.2));
  }

  @Test
  void nearestGoesBySizesWhereChannelsLieLast() {
    Tensor image = context.apply("aten::contiguous", counted(1, 2, 4, 4), 2L);
    assertArrayEquals(counted(1, 2, 4, 4).floats(), nearest(image, 1.2, 1.2));
  }

  /** What {@code reshape} shares shows it. */
  @Test
  void joinedAndPaddedImagesLieAsTheyDo() {
    Tensor image = counted(1, 2, 3, 2).permute(0, 3, 1, 2);
    List<Long> sides = List.of(1L, 0L, 0L, 0L);
    for (Tensor made :
        List.of(
            context.apply("aten::cat", List.of(image, image), 1L),
            context.apply("aten::constant_pad_nd", image, sides, 0L))) {
      made.permute(0, 2, 3, 1).reshape(-1).add_(100);
      assertTrue(made.floats()[0] >= 100);
    }
    Tensor both = context.apply("aten::cat", List.of(image, image.contiguous()), 1L);
    both.permute(0, 2, 3, 1).reshape(-1).add_(100);
    assertTrue(both.floats()[0] < 100);
  }

  @Test
  void aDimensionOfOneIndexKeepsNoImageFromLyingChannelsLast() {
    Tensor image = counted(1, 3, 1, 2).permute(0, 3, 2, 1);
    Tensor weight = row(1, 1, 1, 1).view(2, 2, 1, 1);
    List<Long> ones = List.of(1L, 1L);
    List<Long> zeros = List.of(0L, 0L);
    Tensor sums =
        context.apply("aten::conv2d", image.relu(), weight, None.NONE, ones, zeros, ones, 1L);
    Tensor flat = context.apply("aten::flatten.using_ints", sums, 0L, -1L);
    sums.add_(100);
    assertArrayEquals(new float[] {1, 5, 9, 1, 5, 9}, flat.floats());
  }

  @Test
  void aRegionOfAnEmptyImageIsRefused() {
    Tensor region = row(0, 1, 1, 2, 2).view(1, 5);
    for (Tensor image : List.of(counted(1, 1, 0, 3), counted(1, 1, 3, 0))) {
      StaunchException.ShapeException refused =
          assertThrows(
              StaunchException.ShapeException.class,
              () ->
                  context
                      .apply("torchvision::roi_align", image, region, 1.0, 1L, 1L, 2L, false)
                      .floats());
      assertTrue(refused.getMessage().contains("nothing to sample"), refused.getMessage());
      Tensor none = context.zeros(0, 5);
      Tensor made = context.apply("torchvision::roi_align", image, none, 1.0, 1L, 1L, 2L, false);
      assertArrayEquals(new float[0], made.floats());
    }
  }

  @Test
  void aVectorsWeightNormIsOfEachElement() {
    Tensor v = row(3, 4);
    Tensor g = row(1, 2);
    assertArrayEquals(new float[] {1, 2}, context.apply("aten::_weight_norm", v, g, 0L).floats());
    assertThrows(
        StaunchException.IndexException.class,
        () -> context.apply("aten::_weight_norm", v, g, -9L).floats());
  }

  @Test
  void whatIsNotFiniteStaysInReachOfTheFilter() {
    List<Object> size = List.of(1L, 4L);
    Tensor line = row(1, 1, 1, 1, 1, 1, 1, NAN).view(1, 1, 1, 8);
    assertArrayEquals(
        new float[] {1, 1, 1, NAN},
        context.apply("aten::_upsample_bilinear2d_aa.vec", line, size, false, None.NONE).floats());
  }

  @Test
  void aDifferenceThatIsNoNumberCountsAsNone() {
    Tensor numbers = row(0, 1).view(1, 2);
    for (float[] line : new float[][] {{NAN, 1}, {INFINITY, 1}}) {
      Tensor one = row(line).view(1, 2);
      Tensor other = Float.isNaN(line[0]) ? numbers : one;
      assertArrayEquals(new float[] {NAN}, context.apply("aten::cdist", one, other, 0.0).floats());
    }
    Tensor far = row(INFINITY, 1).view(1, 2);
    assertArrayEquals(new float[] {1}, context.apply("aten::cdist", far, numbers, 0.0).floats());
  }

  private boolean isRefused(String operation, Object... arguments) {
    Fault fault = context.apply("aten::" + operation, arguments).fault();
    if (fault != null) {
      fault.markRead();
      assertEquals(FaultType.VALUE, fault.type(), fault::toString);
    }
    return fault != null;
  }

  @Test
  void aNumberBeyondADTypeIsRefusedAndAnInfiniteOneIsNot() {
    for (DType dtype : List.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.FLOAT64)) {
      Tensor self = row(1, -2).to(dtype);
      Tensor mask = self.gt(0.0);
      List<Long> one = List.of(1L, 1L);
      double most = dtype == DType.FLOAT16 ? 65504 : dtype == DType.FLOAT64 ? 1e300 : 3.3e38;
      for (double number : new double[] {most, -most, INFINITY, NAN, 65519, 1e39}) {
        boolean beyond = number > most && number < INFINITY;
        assertEquals(beyond, isRefused("masked_fill.Scalar", self, mask, number));
        assertEquals(beyond, isRefused("fill_.Scalar", self.copy(), number));
        assertEquals(beyond, isRefused("clamp_min", self, number));
        assertEquals(beyond, isRefused("threshold", self, 0.0, number));
        assertEquals(beyond, isRefused("where.ScalarOther", mask, self, number));
        assertEquals(beyond, isRefused("constant_pad_nd", self, one, number));
        assertEquals(false, isRefused("add.Scalar", self, number, 1L));
        assertEquals(false, isRefused("gt.Scalar", self, number));
        Object code = (long) dtype.code();
        Object none = None.NONE;
        assertEquals(beyond, isRefused("scalar_tensor", number, code, none, none, none));
      }
    }
    Tensor bounds = row(1, 2);
    assertEquals(2, context.apply("aten::bucketize.Scalar", 1e39, bounds, false, false).item());
    assertTrue(isRefused("tensor.float", 1e39, None.NONE, None.NONE, false));
    Tensor bytes = row(1, 2).to(DType.INT8);
    assertTrue(isRefused("add.Tensor", bytes, bytes, 300L));
  }

  @Test
  void aFactorBeyondADTypeIsRefusedAndAnInfiniteOneIsNot() {
    for (DType dtype : List.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.FLOAT64)) {
      Tensor line = row(1, -2).to(dtype);
      Tensor square = counted(2, 2).to(dtype);
      Tensor places = row(0, 1).to(DType.INT64);
      double most = dtype == DType.FLOAT16 ? 65504 : dtype == DType.FLOAT64 ? 1e300 : 3.3e38;
      for (double number : new double[] {most, -most, INFINITY, 65519, 1e39}) {
        boolean beyond = number > most && number < INFINITY;
        assertEquals(beyond, isRefused("add.Tensor", line, line, number));
        assertEquals(beyond, isRefused("sub.Tensor", line, line, number));
        assertEquals(beyond, isRefused("rsub.Tensor", line, line, number));
        assertEquals(beyond, isRefused("addcmul", line, line, line, number));
        assertEquals(beyond, isRefused("addcdiv", line, line, line, number));
        assertEquals(beyond, isRefused("lerp.Scalar", line, line, number));
        assertEquals(beyond, isRefused("leaky_relu", line, number));
        assertEquals(beyond, isRefused("elu", line, number, 1L, 1L));
        assertEquals(beyond, isRefused("celu", line, number));
        assertEquals(beyond, isRefused("softplus", line, number, 20L));
        assertEquals(beyond, isRefused("hardshrink", line, number));
        assertEquals(beyond, isRefused("hardtanh", line, -1L, number));
        assertEquals(beyond, isRefused("addmm", square, square, square, 1L, number));
        assertEquals(beyond, isRefused("addmm", square, square, square, number, 1L));
        assertEquals(beyond, isRefused("addmv", line, square, line, 1L, number));
        boolean widened = dtype == DType.FLOAT16 && number == 65519; // it computes in float32
        assertEquals(beyond && !widened, isRefused("addr", square, line, line, number, 1L));
        assertEquals(beyond, isRefused("index_add", line, 0L, places, line, number));
      }
    }
  }

  @Test
  void aFactorIsRoundedToTheDType() {
    Tensor edge = row(0, 1);
    float least = Float.MIN_VALUE;
    assertEquals(Math.log(least), context.apply("aten::logit", edge, 1e-45).floats()[0], 1e-4);
    assertEquals(13.80231761932373, context.apply("aten::logit", row(1), 1e-6).floats()[0], 1e-5);
    Tensor rows = counted(2, 2);
    assertTrue(isRefused("cdist", rows, rows, 2.0, 7L));
    assertEquals(false, isRefused("cdist", rows, rows, 2.0, 2L));
  }

  @Test
  void aResultOfAnotherDTypeIsNotWritten() {
    long wide = DType.FLOAT64.code();
    Fault fault = context.apply("aten::cumsum_", row(1, 2), 0L, wide).fault();
    String text = "a result of float64 is asked for, but the tensor to write is of float32";
    assertTrue(fault.message().startsWith(text), fault::message);
    fault.markRead();
    Fault stored = context.apply("aten::cumsum.out", row(1, 2), 0L, wide, row(1, 2)).fault();
    assertTrue(stored.message().startsWith(text), stored::message);
    stored.markRead();
    long own = DType.FLOAT32.code();
    assertArrayEquals(
        new float[] {1, 3}, context.apply("aten::cumsum_", row(1, 2), 0L, own).floats());
  }

  /** Shapes that do not broadcast, with columns that are contiguous. */
  @Test
  void operandsThatDoNotFitAreRefusedHoweverTheyLie() {
    Tensor square = counted(3, 3).t();
    Tensor other = counted(6, 2).t();
    int refused = 0;
    for (CatalogEntry entry : StandardOperations.catalog().operations()) {
      Object[] arguments = arguments(entry.schema(), square, other);
      if (arguments.length >= 2) {
        try {
          context.applyValue(entry.name(), arguments);
          context.waitAll();
        } catch (StaunchException e) {
          assertNotEquals(FaultType.INTERNAL, e.fault().type(), entry.name());
          refused++;
        }
      }
    }
    assertTrue(refused > 100, refused + " operations of two tensors refused them");
  }

  /** The tensors, and the defaults behind them; empty if the operation takes anything else. */
  private static Object[] arguments(Schema schema, Tensor... tensors) {
    List<Schema.Parameter> parameters = schema.parameters();
    Object[] arguments = new Object[parameters.size()];
    for (int i = 0; i < arguments.length; i++) {
      Schema.Parameter each = parameters.get(i);
      Object value = i < tensors.length ? tensors[i] : each.defaultValue();
      if (value == null
          || each.mutated()
          || (i < tensors.length && each.type() != Type.Plain.TENSOR)) {
        return new Object[0];
      }
      arguments[i] = value;
    }
    return arguments;
  }

  @Test
  void narrowIntegersStayInEinsumUnlessALongerDimensionIsSummed() {
    Tensor column = context.full(DType.INT32, 2, 3, 1);
    Tensor square = context.full(DType.INT32, 2, 3, 3);
    for (String equation : List.of("ij,kj->ik", "ij,kl->ik", "ij,ij->i", "ij,ik->i")) {
      Tensor product = context.einsum(equation, column, column);
      assertEquals(DType.INT32, product.dtype());
      assertEquals(4, product.max().item());
    }
    for (String equation : List.of("ij,kj->ik", "ij,k->ik", "ij,kl->ik")) {
      Tensor other =
          equation.contains("kl") || equation.contains("kj") ? column : square.select(0, 0);
      Tensor product = context.einsum(equation, square, other);
      assertEquals(DType.INT64, product.dtype());
      assertEquals(12, product.max().item());
    }
    assertEquals(DType.INT64, context.einsum("ij->i", column).dtype());
  }

  /** Places that only the output padding adds are sums of nothing, not zeros times the weight. */
  @Test
  void placesBeyondATransposedConvolutionDoNotMeetTheWeight() {
    Tensor line = context.ones(1, 1, 3);
    Tensor weight = row(1, INFINITY).view(1, 1, 2);
    List<Object> two = List.of(2L);
    List<Object> one = List.of(1L);
    List<Object> none = List.of(0L);
    Tensor sums =
        context.apply("conv_transpose1d", line, weight, None.NONE, one, none, one, 1L, two);
    assertArrayEquals(new float[] {1, 1, INFINITY, INFINITY, INFINITY, 0}, sums.floats());
    Tensor planes =
        context.apply(
            "conv_transpose2d",
            context.ones(1, 2, 1, 2),
            row(1, INFINITY, 1, INFINITY).view(2, 1, 1, 2),
            None.NONE,
            List.of(2L, 1L),
            List.of(0L, 0L),
            List.of(1L, 1L),
            2L,
            List.of(1L, 2L));
    float[] rows = {1, 1, INFINITY, INFINITY, 0, 0, 0, 0, 0, 0};
    assertArrayEquals(rows, planes.select(1, 0).floats());
    assertArrayEquals(rows, planes.select(1, 1).floats());
  }

  /** In the order that takes the fewest multiplications, as in libtorch. */
  @Test
  void aChainOfMatricesIsMultipliedWhereItIsCheapest() {
    Tensor gaps = context.full(NAN, 40, 11);
    List<Tensor> empty = List.of(context.ones(5, 0), context.ones(0, 40), gaps);
    assertEquals(0, context.apply("linalg_multi_dot", empty).max().item());
    List<Tensor> large =
        List.of(context.full(1e30, 1, 3), context.full(1e-30, 3, 50), context.full(1e30, 50, 1));
    assertEquals(1.5e32f, context.apply("chain_matmul", large).item(), 1e27);
    List<Tensor> many = Collections.nCopies(1000, context.ones(1, 1));
    assertEquals(1, context.apply("linalg_multi_dot", many).item());
    Tensor vector = context.ones(3);
    List<Tensor> ends = List.of(vector, context.ones(3, 4), context.ones(4, 2), context.ones(2));
    Tensor scalar = context.apply("linalg_multi_dot", ends);
    assertEquals(List.of(0, 24.0), List.of(scalar.shape().rank(), scalar.item()));
    Tensor wrong = context.apply("linalg_multi_dot", List.of(context.ones(2, 3), vector, vector));
    assertThrows(StaunchException.ShapeException.class, wrong::floats);
  }

  /** Batches of products are not left out, as in libtorch. */
  @Test
  void anAlphaOfZeroLeavesTheProductOut() {
    Tensor gaps = context.full(NAN, 2, 2);
    Tensor line = context.ones(2);
    assertEquals(1, context.apply("addmm", line, gaps, gaps, 1L, 0L).max().item());
    assertEquals(3, context.apply("addmv", line, gaps, line, 3.0, 0.0).max().item());
    Tensor batch = gaps.unsqueeze(0);
    assertEquals(1, context.apply("addbmm", line, batch, batch, 1L, 0L).max().item());
    Tensor kept = context.apply("baddbmm", line, batch, batch, 1L, 0L);
    assertTrue(Double.isNaN(kept.max().item()));
    Tensor wrong = context.apply("addmm", line, context.ones(2, 3), gaps, 1L, 0L);
    assertThrows(StaunchException.ShapeException.class, wrong::floats);
  }

  @Test
  void theMeanOfAnEmptyRowIsZeroWhereItIsNormalised() {
    Tensor[] layer =
        context.applyMany(
            "native_layer_norm", 3, context.ones(2, 0), List.of(0L), None.NONE, None.NONE, 1e-5);
    assertArrayEquals(new float[] {0, 0}, layer[1].floats());
    assertArrayEquals(new float[] {NAN, NAN}, layer[2].floats());
  }

  /** Far from the beginning of a line, a place in single precision would lie elsewhere. */
  @Test
  void placesBetweenPixelsAreAsExactAsTheStep() {
    float[] stripes = new float[3000];
    for (int i = 1; i < stripes.length; i += 2) {
      stripes[i] = 1;
    }
    Tensor line = row(stripes).view(1, 1, 1, stripes.length);
    List<Object> size = List.of(1L, 1777L);
    float[] made =
        context.apply("upsample_bilinear2d", line, size, false, None.NONE, None.NONE).floats();
    double step = 3000f / 1777f;
    for (int i = 900; i < 1700; i++) {
      double place = step * (i + 0.5) - 0.5;
      double off = place - Math.floor(place);
      assertEquals((int) place % 2 == 0 ? off : 1 - off, made[i], 1e-7);
    }
  }
}
