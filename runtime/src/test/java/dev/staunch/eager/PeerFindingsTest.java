package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.operation.None;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Differences from libtorch 2.10 that random programs found (module {@code peers}), with libtorch's
 * answers.
 */
class PeerFindingsTest extends OpenContext {
  @Test
  void paddedSequencesHaveTheDtypeOfTheFirst() {
    Tensor first = tensor(DType.INT32, 1, 2);
    Tensor second = tensor(DType.FLOAT32, 3);
    Tensor padded = context.apply("aten::pad_sequence", List.of(first, second), true, 0.0, "right");
    assertEquals(DType.INT32, padded.dtype());
    assertArrayEquals(new long[] {1, 2, 3, 0}, padded.longs());
  }

  @Test
  void anUnsignedNumberShiftedRightByItsWidthIsZero() {
    Tensor bytes = tensor(DType.UINT8, 252, 4);
    Tensor shifted = context.apply("aten::__rshift__.Tensor", bytes, tensor(DType.UINT8, 251, 1));
    assertArrayEquals(new long[] {0, 2}, shifted.longs());
  }

  @Test
  void aPoissonLossOfIntegersIsComputedInFloat32() {
    Tensor counts = tensor(DType.INT16, 1, 2);
    Tensor target = tensor(DType.FLOAT16, 2, -4);
    Tensor losses = context.apply("aten::poisson_nll_loss", counts, target, false, false, 1e-8, 0L);
    assertEquals(DType.FLOAT32, losses.dtype());
    assertArrayEquals(new double[] {1, 2 + 4 * Math.log(2)}, losses.doubles(), 1e-6);
  }

  private Tensor complex(double... parts) {
    double[] re = new double[parts.length / 2];
    double[] im = new double[re.length];
    for (int i = 0; i < re.length; i++) {
      re[i] = parts[2 * i];
      im[i] = parts[2 * i + 1];
    }
    Shape shape = Shape.of(re.length);
    return context.apply("aten::complex", context.of(shape, re), context.of(shape, im));
  }

  private static long code(DType dtype) {
    return dtype.code();
  }

  @Test
  void aSumOfComplexNumbersHasTheDtypeThatWasAskedFor() {
    Tensor numbers = complex(1, 4, 2, 5);
    Tensor real = context.apply("aten::sum", numbers, code(DType.FLOAT32));
    assertEquals(DType.FLOAT32, real.dtype());
    assertArrayEquals(new double[] {3}, real.doubles());
    Tensor mean =
        context.apply("aten::mean.dim", numbers, List.of(0L), false, code(DType.COMPLEX64));
    assertEquals(DType.COMPLEX64, mean.dtype());
    assertArrayEquals(new double[] {1.5, 4.5}, parts(mean));
  }

  @Test
  void complexNumbersDividedByZeroAreNoNumbers() {
    Tensor quotient =
        context.apply("aten::div.Tensor", complex(1, 0, 3, -3), complex(0, 0, 0, -0.0));
    double[] none = {Double.NaN, Double.NaN, Double.NaN, Double.NaN};
    assertArrayEquals(none, parts(quotient));
  }

  @Test
  void aQuotientOfLargeComplexNumbersDoesNotOverflow() {
    Tensor quotient = context.apply("aten::div.Tensor", complex(1e300, 1e300), complex(1e300, 0));
    assertArrayEquals(new double[] {1, 1}, parts(quotient));
  }

  @Test
  void theAdjointOfComplexNumbersIsConjugated() {
    Tensor row = context.apply("aten::unsqueeze", complex(1, 2, 3, -4), 0L);
    Tensor adjoint = context.apply("aten::adjoint", row);
    assertEquals(Shape.of(2, 1), adjoint.shape());
    assertArrayEquals(new double[] {1, -2, 3, 4}, parts(adjoint));
  }

  @Test
  void theProductOfComplexVectorsTakesTheConjugateOfTheFirst() {
    Tensor product = context.apply("aten::vdot", complex(1, 2), complex(3, 4));
    assertArrayEquals(new double[] {11, -2}, parts(product));
  }

  @Test
  void theCovarianceOfComplexNumbersTakesTheConjugate() {
    Tensor covariance = context.apply("aten::cov", complex(1, 1, 3, 5), 1L, None.NONE, None.NONE);
    assertArrayEquals(new double[] {10, 0}, parts(covariance));
  }

  @Test
  void hermitianMatricesAreReadFromTheirLowerHalf() {
    Tensor matrix = context.of(Shape.of(2, 2), 2.0, 99, 1, 2);
    Tensor inverse =
        context.apply("aten::linalg_pinv.atol_rtol_float", matrix, None.NONE, None.NONE, true);
    assertArrayEquals(
        new double[] {2 / 3.0, -1 / 3.0, -1 / 3.0, 2 / 3.0}, inverse.doubles(), 1e-12);
  }

  @Test
  void whatIsSummedInANarrowerDtypeIsCastFirst() {
    Tensor numbers = context.of(Shape.of(3), 256.0, 1, 1);
    Tensor sum = context.apply("aten::sum", numbers.to(DType.FLOAT32), code(DType.BFLOAT16));
    assertArrayEquals(new double[] {258}, sum.doubles());
    Tensor odd =
        context.apply("aten::sum", context.of(Shape.of(2), 257.0, 257), code(DType.BFLOAT16));
    assertArrayEquals(new double[] {512}, odd.doubles());
  }

  @Test
  void anOuterProductIsAddedInTheDtypeOfAll() {
    Tensor sum =
        context.apply(
            "aten::addr",
            context.zeros(DType.FLOAT64, 1, 1),
            tensor(DType.BFLOAT16, 129),
            tensor(DType.BFLOAT16, 129),
            1L,
            1L);
    assertArrayEquals(new double[] {129 * 129}, sum.doubles());
    Tensor single = tensor(DType.FLOAT32, 1);
    Tensor one = context.ones(DType.FLOAT64, 1);
    Tensor wide = context.apply("aten::addr", single, one, one, 0.1, 1L);
    assertArrayEquals(new double[] {1.1}, wide.doubles());
  }

  @Test
  void ldexpOfDoublesIsAsWideAsTheyAre() {
    Tensor three = tensor(DType.FLOAT64, 3);
    Tensor made = context.apply("aten::ldexp.Tensor", three, tensor(DType.INT64, 200));
    assertArrayEquals(new double[] {3 * 0x1p200}, made.doubles());
  }

  @Test
  void ldexpOfNarrowNumbersAndIntegersIsFloat32() {
    Tensor made =
        context.apply("aten::ldexp.Tensor", tensor(DType.BFLOAT16, 3), tensor(DType.INT64, 2));
    assertEquals(DType.FLOAT32, made.dtype());
    assertArrayEquals(new float[] {12}, made.floats());
  }

  @Test
  void aTrapezoidOfNothingKeepsTheDtype() {
    Tensor nothing = context.zeros(DType.INT64, 3, 0);
    assertEquals(DType.INT64, context.apply("aten::trapezoid.dx", nothing, 1L, -1L).dtype());
  }

  @Test
  void aHuberLossHasTheDtypeOfItsInput() {
    Tensor input = tensor(DType.FLOAT16, 1, 2);
    Tensor loss = context.apply("aten::huber_loss", input, tensor(DType.FLOAT32, 2, 4), 0L, 1.0);
    assertEquals(DType.FLOAT16, loss.dtype());
    assertArrayEquals(new double[] {0.5, 1.5}, loss.doubles());
  }

  @Test
  void aTransformOverNoDimensionGivesComplexNumbers() {
    Tensor made =
        context.apply(
            "aten::fft_fftn", context.of(Shape.SCALAR, 2.0), None.NONE, None.NONE, None.NONE);
    assertEquals(DType.COMPLEX128, made.dtype());
    assertArrayEquals(new double[] {2, 0}, parts(made));
  }

  @Test
  void bytesAreResizedWithRounding() {
    Tensor picture =
        context.apply("aten::reshape", tensor(DType.UINT8, 1, 200), List.of(1L, 1L, 1L, 2L));
    Tensor wide =
        context.apply(
            "aten::upsample_bilinear2d", picture, List.of(1L, 4L), false, None.NONE, None.NONE);
    assertArrayEquals(new long[] {1, 51, 150, 200}, wide.longs());
  }

  @Test
  void whatIsUniqueAlongTheOnlyDimensionHasNoPlacesUnasked() {
    Object[] found =
        (Object[])
            context.applyValue(
                "aten::unique_consecutive", tensor(DType.INT64, 3, 3, 1), false, false, 0L);
    assertArrayEquals(new long[] {3, 1}, ((Tensor) found[0]).longs());
    assertEquals(Shape.of(0), ((Tensor) found[1]).shape());
  }

  @Test
  void int32TensorsAreIndices() {
    Tensor picked =
        context.apply(
            "aten::index.Tensor",
            tensor(DType.INT64, 5, 6, 7),
            List.of(tensor(DType.INT32, 2, -3)));
    assertArrayEquals(new long[] {7, 5}, picked.longs());
  }

  @Test
  void normsTakeParametersOfFloat32WithAnInputOf16Bits() {
    Tensor input = tensor(DType.BFLOAT16, 1, 3);
    Tensor weight = tensor(DType.FLOAT32, 1, 2);
    Tensor bias = tensor(DType.FLOAT32, 0, 1);
    Tensor normed = context.apply("aten::layer_norm", input, List.of(2L), weight, bias, 0.0, true);
    assertEquals(DType.BFLOAT16, normed.dtype());
    assertArrayEquals(new double[] {-1, 3}, normed.doubles());
  }

  @Test
  void meansOverPlanesAndDepthRoundOnce() {
    long[] values = {0, 0, 0, 1, 256, 256, 258, 258};
    Tensor volume =
        context.apply("aten::reshape", tensor(DType.BFLOAT16, values), List.of(1L, 2L, 2L, 2L));
    List<Long> two = List.of(2L, 2L, 2L);
    Tensor mean =
        context.apply(
            "aten::avg_pool3d", volume, two, two, List.of(0L, 0L, 0L), false, true, None.NONE);
    assertEquals(DType.BFLOAT16, mean.dtype());
    assertArrayEquals(new double[] {129}, mean.doubles());
  }

  @Test
  void theDriverOfLeastSquaresSaysWhatIsGivenBesides() {
    Tensor matrix = context.of(Shape.of(3, 2), 1.0, 0.0, 0.0, 2.0, 0.0, 0.0);
    Tensor right = context.of(Shape.of(3, 1), 3.0, 4.0, 5.0);
    assertEquals(
        List.of(Shape.of(0), Shape.SCALAR, Shape.of(0)), leastSquares(matrix, right, None.NONE));
    assertEquals(
        List.of(Shape.of(1), Shape.of(0), Shape.of(0)), leastSquares(matrix, right, "gels"));
    assertEquals(
        List.of(Shape.of(1), Shape.SCALAR, Shape.of(2)), leastSquares(matrix, right, "gelsd"));
    assertThrows(StaunchException.ValueException.class, () -> leastSquares(matrix, right, "gel"));
  }

  /** The shapes of residuals, rank and singular values. */
  private List<Shape> leastSquares(Tensor matrix, Tensor right, Object driver) {
    Tensor[] found = context.applyMany("aten::linalg_lstsq", 4, matrix, right, None.NONE, driver);
    assertArrayEquals(new double[] {3, 2}, found[0].doubles(), 1e-12);
    return List.of(found[1].shape(), found[2].shape(), found[3].shape());
  }

  @Test
  void theLeastNumberOfADtypeHasNoSize() {
    Tensor least = tensor(DType.INT8, -128, -128, 6);
    Tensor common = context.apply("aten::gcd", least, tensor(DType.INT8, 5, -1, -4));
    assertArrayEquals(new long[] {-1, 1, 2}, common.longs());
  }

  @Test
  void blocksWithoutDimensionsDoNotWidenTheOthers() {
    Tensor number = context.of(Shape.SCALAR, 3.0);
    Tensor blocks = context.apply("aten::block_diag", List.of(tensor(DType.FLOAT32, 1), number));
    assertEquals(DType.FLOAT32, blocks.dtype());
    assertArrayEquals(new double[] {1, 0, 0, 3}, blocks.doubles());
  }

  @Test
  void aTransformIsNotCutToALengthBelowOne() {
    Tensor signal = context.of(Shape.of(2), 1.0, 2.0);
    List<Long> dims = List.of(0L);
    Tensor whole = context.apply("aten::fft_rfftn", signal, List.of(-1L), dims, None.NONE);
    assertArrayEquals(new double[] {3, 0, -1, 0}, parts(whole), 1e-12);
    assertThrows(
        StaunchException.class,
        () -> context.applyValue("aten::fft_rfftn", signal, List.of(-2L), dims, None.NONE));
  }

  @Test
  void aHingeEmbeddingLossHasTheDtypeOfItsInput() {
    Tensor target = context.of(Shape.of(2), 1.0, -1.0);
    Tensor loss =
        context.apply("aten::hinge_embedding_loss", tensor(DType.FLOAT16, 3, -1), target, 1.0, 0L);
    assertEquals(DType.FLOAT16, loss.dtype());
    assertArrayEquals(new double[] {3, 2}, loss.doubles());
  }

  @Test
  void aRangeOfIntegersDoesNotTurnBackWithinOne() {
    long bytes = code(DType.UINT8);
    assertThrows(
        StaunchException.ValueException.class,
        () -> context.applyValue("aten::arange.start", 1.75, 1L, bytes));
    assertEquals(Shape.of(1), context.apply("aten::arange.start", 1.25, 1.75, bytes).shape());
  }

  @Test
  void anEmptyMatrixIsInCondition() {
    Tensor none = context.zeros(DType.FLOAT64, 2, 3, 0);
    assertArrayEquals(
        new double[] {0, 0}, context.apply("aten::linalg_cond", none, None.NONE).doubles());
    assertThrows(
        StaunchException.ValueException.class,
        () -> context.applyValue("aten::linalg_cond", context.ones(DType.FLOAT64, 2, 2), -234L));
  }

  @Test
  void singularFactorsAreRefusedUnlessAskedFor() {
    Tensor singular = context.of(Shape.of(2, 2), 1.0, 2.0, 1.0, 2.0);
    StaunchException refused =
        assertThrows(
            StaunchException.ValueException.class,
            () -> context.applyValue("aten::linalg_lu_factor", singular, true));
    assertEquals("the factor U is singular: its pivot 2 is zero", refused.fault().message());
    Tensor[] all = context.applyMany("aten::linalg_lu_factor_ex", 3, singular, true, false);
    assertEquals(2, all[2].item());
  }

  @Test
  void aComplexNumberKeepsThePrecisionOfTheReals() {
    Tensor doubles = context.of(Shape.of(2), 1 / 3.0, 2);
    Tensor number = context.apply("aten::squeeze.dim", complex(0, 1), 0L);
    Tensor single =
        context.apply("aten::complex", context.zeros(DType.FLOAT32), context.ones(DType.FLOAT32));
    Tensor product = context.apply("aten::mul.Tensor", doubles, single);
    assertEquals(DType.COMPLEX128, product.dtype());
    assertArrayEquals(new double[] {0, 1 / 3.0, 0, 2}, parts(product));
    assertEquals(
        code(DType.COMPLEX128), context.applyValue("aten::result_type.Tensor", doubles, single));
    Tensor floats = tensor(DType.FLOAT32, 1, 2);
    assertEquals(
        code(DType.COMPLEX64), context.applyValue("aten::result_type.Tensor", floats, number));
  }

  @Test
  void realsAreMultipliedByComplexScalars() {
    ComplexNumber number = new ComplexNumber(1, -2);
    Tensor product = context.apply("aten::mul.Scalar", tensor(DType.INT32, 3, 4), number);
    assertEquals(DType.COMPLEX64, product.dtype());
    assertArrayEquals(new double[] {3, -6, 4, -8}, parts(product));
    Tensor sum = context.apply("aten::add.Scalar", context.of(Shape.of(1), 0.5), number, 1L);
    assertArrayEquals(new double[] {1.5, -2}, parts(sum));
    Tensor own = context.of(Shape.of(1), 0.5);
    assertThrows(
        StaunchException.class, () -> context.applyValue("aten::mul_.Scalar", own, number));
  }

  @Test
  void narrowRealsAreScaledAsPartsOfComplexNumbers() {
    Tensor narrow = tensor(DType.BFLOAT16, 129);
    Tensor sum = context.apply("aten::sub.Tensor", complex(0, 1), narrow, 3L);
    assertArrayEquals(new double[] {-387, 1}, parts(sum));
  }

  @Test
  void aSourceOfOneElementIsScatteredOnce() {
    Tensor self = tensor(DType.INT64, 1, 2);
    Tensor source = context.apply("aten::squeeze.dim", tensor(DType.INT64, 7), 0L);
    Tensor added = context.apply("aten::scatter_add", self, 0L, tensor(DType.INT64, 1), source);
    assertArrayEquals(new long[] {1, 9}, added.longs());
    Tensor both = tensor(DType.INT64, 0, 1);
    assertThrows(
        StaunchException.ShapeException.class,
        () -> context.applyValue("aten::scatter_add", self, 0L, both, source));
  }

  @Test
  void aSoftmaxCastsItsInputFirst() {
    Tensor large = context.of(Shape.of(2), 1.0, 1e6).to(DType.FLOAT32);
    Tensor narrow = context.apply("aten::softmax.int", large, 0L, code(DType.FLOAT16));
    assertArrayEquals(new double[] {Double.NaN, Double.NaN}, narrow.doubles());
    Tensor wide = context.apply("aten::softmax.int", large, 0L, code(DType.FLOAT64));
    assertArrayEquals(new double[] {0, 1}, wide.doubles());
  }

  @Test
  void leastSquaresTakeAMatrixForAllMatrices() {
    Tensor matrices = context.ones(DType.FLOAT64, 3, 1, 1);
    Tensor right = context.of(Shape.of(1, 2), 4.0, 5);
    assertEquals(Shape.of(3, 1, 2), leastSquares(matrices, right).shape());
    assertEquals(Shape.of(3, 1), leastSquares(matrices, context.ones(DType.FLOAT64, 3, 1)).shape());
    assertThrows(
        StaunchException.ShapeException.class,
        () -> leastSquares(matrices, context.ones(DType.FLOAT64, 1)).doubles());
  }

  private Tensor leastSquares(Tensor matrices, Tensor right) {
    return context.applyMany("aten::linalg_lstsq", 4, matrices, right, None.NONE, None.NONE)[0];
  }

  @Test
  void pivotsThatAreNotUnpackedMayBeAny() {
    Tensor factors = context.of(Shape.of(2, 2), 1.0, 2, 3, 4);
    Tensor none = context.zeros(DType.INT32);
    Tensor[] found = context.applyMany("aten::lu_unpack", 3, factors, none, true, false);
    assertEquals(Shape.of(0), found[0].shape());
    assertArrayEquals(new double[] {1, 2, 0, 4}, found[2].doubles());
  }

  @Test
  void bytesAreRoundedAcrossBeforeTheyAreResizedDown() {
    Tensor picture =
        context.apply(
            "aten::reshape", tensor(DType.UINT8, 1, 1, 255, 1, 3, 254), List.of(1L, 1L, 2L, 3L));
    Tensor large =
        context.apply(
            "aten::upsample_bilinear2d", picture, List.of(3L, 5L), false, None.NONE, None.NONE);
    assertArrayEquals(
        new long[] {1, 1, 1, 153, 255, 1, 2, 2, 154, 255, 1, 2, 3, 154, 254}, large.longs());
  }

  @Test
  void smoothedProbabilitiesAreAsWideAsTheScores() {
    Tensor scores = context.of(Shape.of(1, 2), 0.0, 0);
    Tensor odds = tensor(DType.FLOAT64, 1, 1);
    Tensor narrow =
        context.apply(
            "aten::div.Scalar",
            context.apply("aten::reshape", tensor(DType.FLOAT16, 1, 1), List.of(1L, 2L)),
            3L);
    double third = narrow.doubles()[0];
    assertEquals(2, odds.shape().elements());
    assertEquals((2 * third * 0.8 + 0.2) * Math.log(2), smoothed(scores, narrow, 0.2), 1e-12);
    assertEquals(2 * third * Math.log(2), smoothed(scores, narrow, -0.2), 1e-12);
  }

  private double smoothed(Tensor scores, Tensor target, double smoothing) {
    return context
        .apply("aten::cross_entropy_loss", scores, target, None.NONE, 1L, -100L, smoothing)
        .item();
  }

  @Test
  void aComplexNumberWithoutDimensionsDoesNotWidenWhatItIsDividedBy() {
    Tensor number = context.apply("aten::reshape", complex(6, 0), List.of());
    Tensor narrow =
        context.apply("aten::complex", tensor(DType.FLOAT32, 2), tensor(DType.FLOAT32, 0));
    Tensor quotient = context.apply("aten::div.Tensor", number, narrow);
    assertEquals(DType.COMPLEX64, quotient.dtype());
    assertArrayEquals(new double[] {3, 0}, parts(quotient));
  }

  @Test
  void aPowerWithoutAnImaginaryPartStaysOneWhenItOverflows() {
    Tensor power = context.apply("aten::pow.Tensor_Scalar", complex(1e30, 0), 20L);
    assertArrayEquals(new double[] {Double.POSITIVE_INFINITY, 0}, parts(power));
    Tensor turned = context.apply("aten::exp", complex(1e3, 0, 0, Math.PI / 2));
    assertArrayEquals(new double[] {Double.POSITIVE_INFINITY, 0, 0, 1}, parts(turned), 1e-15);
  }

  @Test
  void whatIsNoNumberIsNotLostInAnInverse() {
    Tensor inverse =
        context.apply("aten::linalg_inv", context.of(Shape.of(2, 2), 1, Double.NaN, 0, 1));
    double none = Double.NaN;
    assertArrayEquals(new double[] {none, none, none, none}, inverse.doubles());
  }

  @Test
  void aTrapezoidOf16BitsIsRoundedOnce() {
    Tensor thirds = context.apply("aten::div.Scalar", tensor(DType.FLOAT16, 1, 1, 1), 3L);
    double third = thirds.doubles()[0];
    Tensor area = context.apply("aten::trapezoid.dx", thirds, 31L, -1L);
    assertEquals(DType.FLOAT16, area.dtype());
    assertEquals(Float.float16ToFloat(Float.floatToFloat16((float) (62 * third))), area.item());
    Tensor first = context.apply("aten::narrow", thirds, 0L, 0L, 1L);
    Tensor places =
        context.apply("aten::cat", List.of(first, tensor(DType.FLOAT16, 1000, 2000)), 0L);
    Tensor heights = tensor(DType.FLOAT16, 2, 0, -2);
    assertEquals(-third, context.apply("aten::trapezoid.x", heights, places, -1L).item());
  }

  @Test
  void labelsOfAnAlignmentAreWholeNumbers() {
    Tensor scores = context.zeros(DType.FLOAT64, 4, 1, 3);
    Tensor same = context.of(Shape.of(1, 2), 1.0, 1);
    Tensor fractions = context.of(Shape.of(1, 2), 1.2, 1.7);
    assertEquals(alignment(scores, same), alignment(scores, fractions));
    assertEquals(-Math.log(5), alignment(scores, same), 1e-12);
    assertEquals(-Math.log(15), alignment(scores, context.of(Shape.of(1, 2), 1.0, 2)), 1e-12);
  }

  private double alignment(Tensor scores, Tensor targets) {
    return context.apply(
            "aten::ctc_loss.IntList", scores, targets, List.of(4L), List.of(2L), 0L, 0L, false)
        .doubles()[0];
  }

  @Test
  void anOuterProductOfFlagsIsAddedToBytesAsBytes() {
    Tensor flags = tensor(DType.BOOL, 1);
    Tensor bytes = context.apply("aten::reshape", tensor(DType.UINT8, 3), List.of(1L, 1L));
    Tensor sum = context.apply("aten::addr", bytes, flags, flags, 1L, 1L);
    assertEquals(DType.UINT8, sum.dtype());
    assertArrayEquals(new long[] {4}, sum.longs());
  }
}
