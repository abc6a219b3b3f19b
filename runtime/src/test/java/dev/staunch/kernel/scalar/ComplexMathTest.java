package dev.staunch.kernel.scalar;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.kernel.ComplexNumber;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What C99, Annex G, says of functions that libtorch computes by formulas of its own. */
class ComplexMathTest {
  private static final double INF = Double.POSITIVE_INFINITY;
  private static final double NAN = Double.NaN;

  private static void assertValue(
      double re, double im, UnaryOperator<ComplexNumber> function, double x, double y) {
    ComplexNumber actual = function.apply(new ComplexNumber(x, y));
    assertPart(re, actual.re(), actual);
    assertPart(im, actual.im(), actual);
  }

  /** Within rounding; the signs of zeros count. */
  private static void assertPart(double expected, double actual, ComplexNumber whole) {
    if (expected == 0 || !Double.isFinite(expected)) {
      assertEquals(expected, actual, whole::toString);
    } else {
      assertEquals(expected, actual, 1e-14 * Math.abs(expected), whole::toString);
    }
  }

  @Test
  void anExponentialOfAnInfiniteNumberKeepsItsDirection() {
    assertValue(INF, 0.0, ComplexMath::exp, INF, 0.0);
    assertValue(INF, -0.0, ComplexMath::exp, INF, -0.0);
    assertValue(INF, NAN, ComplexMath::exp, INF, INF);
    assertValue(0.0, 0.0, ComplexMath::exp, -INF, NAN);
    assertValue(NAN, 0.0, ComplexMath::exp, NAN, 0.0);
    assertValue(NAN, NAN, ComplexMath::exp, 1.0, INF);
  }

  @Test
  void anExponentialOverflowsOnlyWhereThePartDoes() {
    double half = Math.exp(355.25);
    assertValue(INF, half * Math.sin(1e-3) * half, ComplexMath::exp, 710.5, 1e-3);
    assertValue(INF, half * Math.sin(1e-3) / 2 * half, ComplexMath::cosh, 710.5, 1e-3);
  }

  @Test
  void inverseFunctionsOfInfiniteNumbersAreAngles() {
    assertValue(0.0, INF, ComplexMath::asin, 0.0, INF);
    assertValue(Math.PI / 4, INF, ComplexMath::asin, INF, INF);
    assertValue(Math.PI / 2, -0.0, ComplexMath::acos, 0.0, 0.0);
    assertValue(3 * Math.PI / 4, -INF, ComplexMath::acos, -INF, INF);
    assertValue(Math.PI / 2, 0.0, ComplexMath::atan, INF, 1.0);
    assertValue(0.0, INF, ComplexMath::atan, 0.0, 1.0);
    assertValue(Math.PI / 2, 0.5 * Math.log(31.0 / 29), ComplexMath::atan, 0.0, 30.0);
  }

  @Test
  void rootsAndLogarithmsOfLargeNumbersDoNotOverflow() {
    double large = Double.MAX_VALUE;
    assertValue(Math.log(large) + Math.log(2) / 2, Math.PI / 4, ComplexMath::log, large, large);
    double root = Math.sqrt(large) * Math.sqrt((1 + Math.sqrt(2)) / 2);
    assertValue(root, root / (1 + Math.sqrt(2)), ComplexMath::sqrt, large, large);
    assertValue(INF, -INF, ComplexMath::sqrt, NAN, -INF);
  }
}
