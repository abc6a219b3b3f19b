package dev.staunch.kernel.special;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.CountdownEnvironment;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import org.junit.jupiter.api.Test;

/** Values computed with 30 digits, where those of libtorch have few. */
class SpecialFunctionsTest {
  private static final double ERROR = 2e-15;

  /** Each row has x, J0, J1, Y0, Y1, K0 and K1. */
  private static final double[][] BESSEL = {
    {
      0.75,
      0.8642422751666486,
      0.34924360217486217,
      -0.1371727693857724,
      -1.0375945507692854,
      0.6105824221164641,
      0.9495804669621403
    },
    {
      2.4,
      0.002507683297243859,
      0.520185268181931,
      0.5104147486657438,
      0.10048893833108442,
      0.0702173415434159,
      0.08372483875483219
    },
    {
      3.5,
      -0.3801277399872634,
      0.1373775273623272,
      0.1890219439208265,
      0.41018841788751187,
      0.01959889717036849,
      0.022239392925923834
    },
    {
      4.5,
      -0.32054250898512143,
      -0.23106043192337064,
      -0.19470500862950454,
      0.3009973230696546,
      0.006399857243233975,
      0.00707809490896809
    },
    {
      6.0,
      0.15064525725099692,
      -0.27668385812756563,
      -0.28819468398157916,
      -0.17501034430039825,
      0.0012439943280131232,
      0.001343919717735509
    },
    {
      9.5,
      -0.19392874768742235,
      0.16126443075752986,
      0.17121062620272384,
      0.20317989938720768,
      3.0057884957934336e-05,
      3.160203411042674e-05
    },
    {
      17.25,
      -0.14061184950308583,
      -0.13496424275615052,
      -0.13083724626447651,
      0.13688138127709584,
      9.661057599343263e-09,
      9.937246041171892e-09
    },
    {
      26.0,
      0.15599931552242113,
      0.015045730586915811,
      0.012044625860755602,
      -0.15579655322960265,
      1.2498773979850725e-12,
      1.2736907792389236e-12
    },
  };

  /** Each row has x and Ai. */
  private static final double[][] AIRY = {
    {-30.5, -0.004333637288742865},
    {-9.5, 0.3191032477191282},
    {-8.5, -0.33029023763020887},
    {-6.0, -0.3291451736298231},
    {-2.4, -0.04333414044030945},
    {-2.1, 0.16348451299929267},
    {0.5, 0.23169360648083348},
    {1.5, 0.07174949700810541},
    {4.0, 0.0009515638512048018},
    {20.0, 1.6916728686705404e-27},
  };

  private record Value(OrthogonalPolynomial family, double degree, double x, double expected) {}

  private static final Value[] VALUES = {
    new Value(OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_T, 101, 0.3125, 0.632105627009605),
    new Value(OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_T, 101, -0.25, -0.37830501403427147),
    new Value(OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_T, 1000, 0.75, 0.9859316110106398),
    new Value(OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_T, 65, 1.5, 7.368231066978956e+26),
    new Value(OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_T, 65, -1.5, -7.368231066978956e+26),
    new Value(OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_T, 64, -1.25, 9.223372036854776e+18),
    new Value(OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_U, 101, 0.3125, 0.8870231665803884),
    new Value(OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_U, 101, -0.25, -0.617314820856297),
    new Value(OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_U, 1000, 0.75, 1.1754610002468215),
    new Value(OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_U, 65, 1.5, 1.7253750390793406e+27),
    new Value(OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_U, 65, -1.5, -1.7253750390793406e+27),
    new Value(OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_U, 64, -1.25, 2.4595658764946067e+19),
    new Value(OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_V, 101, 0.3125, 0.07128703995388175),
    new Value(OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_V, 101, -0.25, -1.5733540481443993),
    new Value(OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_V, 1000, 0.75, 0.9227551479319125),
    new Value(OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_V, 65, 1.5, 1.0663404174917106e+27),
    new Value(OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_V, 65, -1.5, -2.3844096606669707e+27),
    new Value(OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_V, 64, -1.25, 3.6893488147419103e+19),
    new Value(OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_W, 101, 0.3125, 1.702759293206895),
    new Value(OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_W, 101, -0.25, 0.33872440643180524),
    new Value(OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_W, 1000, 0.75, 1.4281668525617304),
    new Value(OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_W, 65, 1.5, 2.3844096606669707e+27),
    new Value(OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_W, 65, -1.5, -1.0663404174917106e+27),
    new Value(OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_W, 64, -1.25, 1.2297829382473034e+19),
  };

  @Test
  void theSmallestAndTheLargestNumbersHaveTheirValues() {
    assertEquals(744.5560034370396, MacdonaldFunction.plain(0, Double.MIN_VALUE), 744 * ERROR);
    assertEquals(-38.46740561714434, NormalDistribution.quantile(Double.MIN_VALUE), 38 * ERROR);
    assertEquals(Double.POSITIVE_INFINITY, BesselFunctions.plain(0, Double.MAX_VALUE));
    assertEquals(2.975447e-155, BesselFunctions.scaled(0, Double.MAX_VALUE), 1e-161);
    assertEquals(0, GammaFamily.polygamma(1, Double.POSITIVE_INFINITY));
    assertEquals(1, GammaFamily.lower(Double.NaN, Double.POSITIVE_INFINITY));
  }

  @Test
  void besselFunctionsAreExactToTheLastDigits() {
    for (double[] row : BESSEL) {
      double x = row[0];
      assertEquals(row[1], CylinderFunctions.first(0, x), ERROR);
      assertEquals(row[2], CylinderFunctions.first(1, x), ERROR);
      assertEquals(row[3], CylinderFunctions.second(0, x), ERROR);
      assertEquals(row[4], CylinderFunctions.second(1, x), ERROR * Math.max(1, -row[4]));
      assertEquals(1, MacdonaldFunction.plain(0, x) / row[5], ERROR);
      assertEquals(1, MacdonaldFunction.plain(1, x) / row[6], ERROR);
      assertEquals(1, MacdonaldFunction.scaled(0, x) / (row[5] * Math.exp(x)), 2 * ERROR);
      assertEquals(1, MacdonaldFunction.scaled(1, x) / (row[6] * Math.exp(x)), 2 * ERROR);
    }
  }

  @Test
  void theAiryFunctionIsExactToTheLastDigits() {
    for (double[] row : AIRY) {
      double size = Math.abs(row[0]);
      double phase = Math.max(1, size * Math.sqrt(size)); // relative to what its rounding changes
      double amplitude = row[0] < 0 ? 0.5 : row[1];
      assertEquals(row[1], AiryFunction.of(row[0]), ERROR * phase * amplitude);
    }
  }

  @Test
  void polynomialsOfHighDegreeAreWavesWithinOneAndGrowBeyond() {
    try (OffHeap memory = OffHeap.withBudget(1 << 10);
        ResourceScope scope = ResourceScope.open(memory, "test")) {
      CancellationPoll poll = new CancellationPoll(new CountdownEnvironment(scope, Long.MAX_VALUE));
      for (Value value : VALUES) {
        double found = value.family().at(value.x(), value.degree(), poll);
        assertEquals(1, found / value.expected(), 1e-12, value::toString);
      }
      OrthogonalPolynomial third = OrthogonalPolynomial.CHEBYSHEV_POLYNOMIAL_V;
      assertEquals(1, third.at(1, 1e6, poll));
      assertEquals(2e6 + 1, third.at(-1, 1e6, poll));
      assertEquals(Double.NaN, third.at(0.5, Double.NaN, poll));
    }
  }
}
