package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.fault.StaunchException;
import dev.staunch.operation.None;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The shapes that libtorch 2.10 takes and returns, where random programs found another answer. */
class PeerShapesTest extends OpenContext {
  @Test
  void pooledPlanesMayBeNone() {
    Tensor none = context.zeros(DType.FLOAT32, 0, 5, 4);
    List<Long> sizes = List.of(1L, 2L);
    assertEquals(
        Shape.of(0, 1, 2), context.apply("aten::adaptive_avg_pool2d", none, sizes).shape());
    Tensor[] found = context.applyMany("aten::adaptive_max_pool2d", 2, none, sizes);
    assertEquals(Shape.of(0, 1, 2), found[1].shape());
    StaunchException refused =
        assertThrows(
            StaunchException.class,
            () ->
                context.applyValue(
                    "aten::adaptive_max_pool2d", context.zeros(DType.FLOAT32, 2, 0, 5, 4), sizes));
    assertEquals(
        "adaptive_max_pool2d takes 3 or 4 dimensions with something in each, but the shape is"
            + " [2, 0, 5, 4]",
        refused.fault().message());
  }

  @Test
  void whatACircularPaddingCutsOffDoesNotComeBack() {
    Tensor row = context.of(Shape.of(1, 1, 5), 0.0, 1, 2, 3, 4);
    assertArrayEquals(new double[] {1, 2, 3, 4, 1, 2}, wrapped(row, -1, 2).doubles());
    assertArrayEquals(new double[] {1, 2, 0, 1, 2}, wrapped(row, 2, -2).doubles());
    assertArrayEquals(new double[] {1, 2, 3}, wrapped(row, -1, -1).doubles());
    assertThrows(StaunchException.class, () -> wrapped(row, -5, 3).doubles());
  }

  @Test
  void aMirroredPaddingTakesNoValueButZero() {
    Tensor row = context.of(Shape.of(1, 1, 3), 0.0, 1, 2);
    assertArrayEquals(new double[] {1, 0, 1, 2, 1}, padded(row, "reflect", 0.0).doubles());
    assertArrayEquals(new double[] {0, 0, 1, 2, 2}, padded(row, "replicate", -0.0).doubles());
    assertArrayEquals(new double[] {2, 0, 1, 2, 0}, padded(row, "circular", 0.0).doubles());
    assertThrows(StaunchException.class, () -> padded(row, "reflect", 1.0).doubles());
    assertThrows(StaunchException.class, () -> padded(row, "reflect", Double.NaN).doubles());
  }

  private Tensor padded(Tensor row, String mode, double value) {
    return context.apply("aten::pad", row, List.of(1L, 1L), mode, value);
  }

  private Tensor wrapped(Tensor row, long before, long after) {
    return context.apply("aten::pad", row, List.of(before, after), "circular", None.NONE);
  }

  @Test
  void aLossOfOneRowHasTheDimensionsOfItsLabel() {
    Tensor scores = context.of(Shape.of(2), 0.5, 1);
    Tensor label = tensor(DType.INT64, 1);
    Tensor loss = context.apply("aten::multi_margin_loss", scores, label, 1L, 0.75, None.NONE, 0L);
    assertEquals(Shape.of(1), loss.shape());
    assertArrayEquals(new double[] {0.125}, loss.doubles());
    Tensor plain = context.apply("aten::select.int", label, 0L, 0L);
    Tensor alone = context.apply("aten::multi_margin_loss", scores, plain, 1L, 0.75, None.NONE, 0L);
    assertEquals(Shape.of(), alone.shape());
  }

  @Test
  void aBiasHasAnElementForEachChannel() {
    Tensor volume = context.ones(DType.FLOAT32, 1, 1, 1, 1, 1);
    Tensor weight = context.ones(DType.FLOAT32, 1, 2, 1, 1, 1);
    assertArrayEquals(new double[] {4, 5}, transposed(volume, weight, 3, 4).doubles());
    assertThrows(StaunchException.class, () -> transposed(volume, weight, 3).doubles());
  }

  private Tensor transposed(Tensor volume, Tensor weight, long... bias) {
    List<Long> one = List.of(1L, 1L, 1L);
    List<Long> none = List.of(0L, 0L, 0L);
    return context.apply(
        "aten::conv_transpose3d.input",
        volume,
        weight,
        tensor(DType.FLOAT32, bias),
        one,
        none,
        none,
        1L,
        one);
  }

  @Test
  void aWeightOfANormHasTheNormalizedShape() {
    Tensor input = context.ones(DType.FLOAT32, 2, 2);
    Tensor weight = context.ones(DType.FLOAT32, 2, 1);
    assertThrows(
        StaunchException.ShapeException.class,
        () -> context.applyValue("aten::rms_norm", input, List.of(2L, 2L), weight, None.NONE));
  }

  private void refusesTheShape(String operation, Object... arguments) {
    assertThrows(
        StaunchException.ShapeException.class, () -> context.applyValue(operation, arguments));
  }

  @Test
  void parametersOfAGroupNormAreVectors() {
    Tensor input = context.ones(DType.FLOAT32, 2, 4, 1);
    Tensor weight = context.ones(DType.FLOAT32, 2, 1, 2);
    refusesTheShape("aten::group_norm", input, 4L, weight, None.NONE, 1e-5, true);
  }

  @Test
  void aNormOfAnOrderIsThatOfAVectorOrAMatrix() {
    Tensor number = context.ones(DType.FLOAT32);
    refusesTheShape("aten::linalg_norm", number, 2L, None.NONE, true, None.NONE);
    assertEquals(
        1,
        context.apply("aten::linalg_norm", number, None.NONE, None.NONE, true, None.NONE).item());
  }

  @Test
  void aNumberHasNoDimensionToSqueezeButItsOnlyOne() {
    Tensor number = context.ones(DType.FLOAT32);
    assertEquals(Shape.SCALAR, context.apply("aten::squeeze.dims", number, List.of(-1L)).shape());
    assertThrows(
        StaunchException.IndexException.class,
        () -> context.applyValue("aten::squeeze.dims", number, List.of(1L)));
  }

  @Test
  void timesOfRepetitionAreAVectorOrANumber() {
    Tensor pairs = context.ones(DType.FLOAT32, 2, 2);
    Tensor single = tensor(DType.INT64, 2);
    Tensor wide = context.apply("aten::reshape", single, List.of(1L, 1L));
    refusesTheShape("aten::repeat_interleave.self_Tensor", pairs, wide, 0L, None.NONE);
    Tensor twice =
        context.apply("aten::repeat_interleave.self_Tensor", pairs, single, 0L, None.NONE);
    assertEquals(Shape.of(4, 2), twice.shape());
  }

  @Test
  void aNumberIsCopiedIntoAVectorOnly() {
    Tensor number = context.apply("aten::reshape", tensor(DType.INT64, 7), List.of());
    Tensor first = tensor(DType.INT64, 0);
    Tensor vector = tensor(DType.INT64, 1, 2);
    Tensor written = context.apply("aten::index_copy", vector, 0L, first, number);
    assertArrayEquals(new long[] {7, 2}, written.longs());
    Tensor matrix = context.apply("aten::reshape", vector, List.of(1L, 2L));
    refusesTheShape("aten::index_copy", matrix, 1L, first, number);
  }

  @Test
  void theLossOfOneSampleHasNoDimensions() {
    Tensor first = tensor(DType.INT64, 0);
    Tensor score = context.of(Shape.of(1), -2.0);
    Tensor loss = context.apply("aten::nll_loss", score, first, None.NONE, 0L, -100L);
    assertEquals(Shape.SCALAR, loss.shape());
    assertEquals(2, loss.item());
    Tensor scores = context.of(Shape.of(2), -1.0, -2);
    refusesTheShape("aten::nll_loss", scores, first, None.NONE, 0L, -100L);
  }

  @Test
  void aGridIsSampledInAWayThatThereIs() {
    Tensor picture = context.ones(DType.FLOAT32, 1, 1, 2, 2);
    Tensor grid = context.zeros(DType.FLOAT32, 1, 1, 1, 2);
    for (long[] way : new long[][] {{0, 3}, {0, -1}, {-1, 0}, {3, 0}}) {
      assertThrows(
          StaunchException.ValueException.class,
          () -> context.applyValue("aten::grid_sampler", picture, grid, way[0], way[1], true));
    }
    Tensor sampled = context.apply("aten::grid_sampler", picture, grid, 1L, 2L, true);
    assertArrayEquals(new double[] {1}, sampled.doubles());
    refusesTheShape("aten::grid_sampler_3d", picture, grid, 0L, 0L, true);
  }

  @Test
  void theStepsOfATrapezoidLieAlongTheDimensionOfItsHeights() {
    Tensor heights = context.of(Shape.of(2), 1.0, 3);
    Tensor places = context.of(Shape.of(3, 1), 0.0, 1, 3);
    Tensor areas = context.apply("aten::trapezoid.x", heights, places, -1L);
    assertArrayEquals(new double[] {6}, areas.doubles());
  }

  @Test
  void pivotsThatDoNotFitTheirFactorsAreRefused() {
    Tensor factors = context.of(Shape.of(2, 2), 1.0, 2, 3, 4);
    Tensor none = context.zeros(DType.INT32);
    StaunchException refused =
        assertThrows(
            StaunchException.class,
            () -> context.applyValue("aten::lu_unpack", factors, none, true, true));
    assertEquals("pivots of [] for factors of [2, 2]", refused.fault().message());
  }

  @Test
  void aMatrixHasARankForEachTolerance() {
    Tensor matrix = context.apply("aten::diag", context.of(Shape.of(2), 1.0, 3.0), 0L);
    Tensor limits = context.of(Shape.of(3), 0.5, 2.0, 4.0);
    Tensor ranks =
        context.apply(
            "aten::linalg_matrix_rank.atol_rtol_tensor", matrix, limits, None.NONE, false);
    assertArrayEquals(new long[] {2, 1, 0}, ranks.longs());
  }

  @Test
  void theSizeThatIsSaidOfRepetitionsIsTheirs() {
    Tensor pair = tensor(DType.INT64, 5, 6);
    Tensor counts = tensor(DType.INT64, 1, 2);
    Tensor thrice = context.apply("aten::repeat_interleave.self_Tensor", pair, counts, 0L, 3L);
    assertArrayEquals(new long[] {5, 6, 6}, thrice.longs());
    assertArrayEquals(
        new long[] {5, 5, 6, 6},
        context.apply("aten::repeat_interleave.self_int", pair, 2L, 0L, 4L).longs());
    refusesTheValue("aten::repeat_interleave.self_Tensor", pair, counts, 0L, 4L);
    refusesTheValue("aten::repeat_interleave.self_int", pair, 2L, 0L, 3L);
    refusesTheValue("aten::repeat_interleave.Tensor", counts, 2L);
  }

  @Test
  void aDriverOfSingularValuesIsForOtherDevices() {
    Tensor matrix = context.ones(DType.FLOAT32, 2, 2);
    refusesTheValue("aten::linalg_svdvals", matrix, "gesvd");
    assertThrows(
        StaunchException.ValueException.class,
        () -> context.applyMany("aten::linalg_svd", 3, matrix, true, "gesvd")[0].doubles());
  }

  private void refusesTheValue(String operation, Object... arguments) {
    assertThrows(
        StaunchException.ValueException.class, () -> context.applyValue(operation, arguments));
  }
}
