package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.staunch.kernel.scalar.ErrorFunction;
import dev.staunch.kernel.scalar.InverseHyperbolic;
import java.util.Random;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import jdk.incubator.vector.FloatVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares functions of vectors with those of {@link Math}. */
class FloatFunctionsTest {
  private static final int LANES = FloatVector.SPECIES_PREFERRED.length();

  /** A prime, so that all exponents and many fractions occur. */
  private static final int STEP = 4099;

  /** Methods of the test itself have no vectors, so that JUnit can find them without the module. */
  interface Function extends UnaryOperator<FloatVector> {
    /** As the formula of this name is made up. */
    static FloatVector erf(FloatVector x) {
      return FloatFunctions.erf(x, FloatFunctions.exp(x.mul(x).neg()));
    }
  }

  static Stream<Arguments> functions() {
    return Stream.of(
        of("exp", 2, FloatFunctions::exp, Math::exp),
        of("log", 2, FloatLogarithms::log, Math::log),
        of("log2", 3, FloatLogarithms::log2, x -> Math.log(x) / Math.log(2)),
        of("log10", 3, FloatLogarithms::log10, Math::log10),
        of("log1p", 3, FloatLogarithms::log1p, Math::log1p),
        of("expm1", 3, FloatLogarithms::expm1, Math::expm1),
        of("sin", 2, FloatAngles::sin, Math::sin),
        of("cos", 2, FloatAngles::cos, Math::cos),
        of("tan", 4, FloatAngles::tan, Math::tan),
        of("atan", 3, FloatAngles::atan, Math::atan),
        of("asin", 3, FloatAngles::asin, Math::asin),
        of("acos", 3, FloatAngles::acos, Math::acos),
        of("exp2", 2, FloatFunctions::exp2, x -> Math.pow(2, x)),
        of("sinh", 5, FloatFunctions::sinh, Math::sinh),
        of("cosh", 5, FloatFunctions::cosh, Math::cosh),
        of("asinh", 5, FloatLogarithms::asinh, InverseHyperbolic::asinh),
        of("acosh", 5, FloatLogarithms::acosh, InverseHyperbolic::acosh),
        of("atanh", 5, FloatLogarithms::atanh, InverseHyperbolic::atanh),
        of("logit", 6, FloatLogarithms::logit, FloatFunctionsTest::logit),
        of("erfc", 10, FloatFunctions::erfc, ErrorFunction::erfc),
        of("tanh", 2, FloatFunctions::tanh, Math::tanh),
        of("sigmoid", 2, FloatFunctions::sigmoid, x -> 1 / (1 + Math.exp(-x))),
        of("erf", 3, Function::erf, ErrorFunction::erf),
        of("gelu", 8, FloatFunctions::gelu, FloatFunctionsTest::gelu));
  }

  /** Near a half, the logarithm of a quotient near 1. */
  private static double logit(double x) {
    return x > 0.25 && x < 0.75 ? Math.log1p((2 * x - 1) / (1 - x)) : Math.log(x / (1 - x));
  }

  private static double gelu(double x) {
    return x * ErrorFunction.erfc(-x / Math.sqrt(2)) / 2;
  }

  private static Arguments of(String name, int ulp, Function found, DoubleUnaryOperator exact) {
    return arguments(name, ulp, found, exact);
  }

  @ParameterizedTest(name = "{0} within {1} ulp")
  @MethodSource("functions")
  void aFunctionIsAsNearToTheExactOneAsItSaysForAllFloats(
      String name, int ulp, Function function, DoubleUnaryOperator exact) {
    float[] x = new float[LANES];
    float[] y = new float[LANES];
    double worst = 0;
    long bits = Integer.MIN_VALUE;
    while (bits <= Integer.MAX_VALUE) {
      for (int i = 0; i < LANES; i++, bits += STEP) {
        x[i] = Float.intBitsToFloat((int) Math.min(bits, Integer.MAX_VALUE));
      }
      function.apply(FloatVector.fromArray(FloatVector.SPECIES_PREFERRED, x, 0)).intoArray(y, 0);
      for (int i = 0; i < LANES; i++) {
        float of = x[i];
        double error = error(() -> name + " of " + of, exact.applyAsDouble(of), y[i]);
        worst = Math.max(worst, error);
      }
    }
    assertTrue(worst <= ulp, name + " is off by " + worst + " ulp");
  }

  @Test
  void anAngleOfTwoSidesIsWithinFourUlpInAllQuarters() {
    DoubleBinaryOperator exact = Math::atan2;
    float[] special = {
      0f, -0f, 1f, -1f, 1e-30f, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NaN
    };
    Random random = new Random(5);
    float[] a = new float[LANES];
    float[] b = new float[LANES];
    float[] found = new float[LANES];
    for (int round = 0; round < 20_000; round++) {
      for (int i = 0; i < LANES; i++) {
        a[i] = random.nextInt(9) == 0 ? special[random.nextInt(8)] : (float) random.nextGaussian();
        b[i] = random.nextInt(9) == 0 ? special[random.nextInt(8)] : (float) random.nextGaussian();
      }
      FloatVector y = FloatVector.fromArray(FloatVector.SPECIES_PREFERRED, a, 0);
      FloatVector x = FloatVector.fromArray(FloatVector.SPECIES_PREFERRED, b, 0);
      FloatAngles.around(FloatAngles.nearArc(FloatAngles.tangent(y, x)), y, x).intoArray(found, 0);
      for (int i = 0; i < LANES; i++) {
        float of = a[i];
        float and = b[i];
        Supplier<String> what = () -> "atan2 of " + of + " and " + and;
        double error = error(what, exact.applyAsDouble(of, and), found[i]);
        assertTrue(error <= 4, () -> what.get() + " is off by " + error + " ulp");
      }
    }
  }

  /** The error in ulp of the exact result; asserts equality where no such error is defined. */
  private static double error(Supplier<String> what, double exact, float found) {
    float rounded = (float) exact;
    if (Double.isNaN(exact) || Float.isInfinite(rounded) || rounded == 0) {
      assertEquals(rounded, found, what);
      return 0;
    }
    return Math.abs(found - exact) / Math.ulp(rounded);
  }
}
