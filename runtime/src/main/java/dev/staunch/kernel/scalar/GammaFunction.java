package dev.staunch.kernel.scalar;

import static dev.staunch.kernel.scalar.ErrorFunction.polynomial;

/**
 * The gamma function (Lanczos approximation with 13 terms) and its logarithm (fdlibm's rational
 * approximations).
 */
public final class GammaFunction {
  private static final double SHIFT = 5.52468004077673;
  private static final double[] LANCZOS = {
    23531376880.41076, 42919803642.6491, 35711959237.35567,
    17921034426.03721, 6039542586.352028, 1439720407.3117216,
    248874557.86205417, 31426415.585400194, 2876370.6289353725,
    186056.26539522348, 8071.672002365816, 210.82427775157936,
    2.5066282746310002
  };
  private static final double[] DIVISOR = {
    0, 39916800, 120543840, 150917976, 105258076, 45995730, 13339535, 2637558, 357423, 32670, 1925,
    66, 1
  };
  private static final double ROOT = 1.4616321449683622;
  private static final double MINIMUM = -0.12148629053584961;
  private static final double MINIMUM_REST = -3.638676997039505e-18;
  private static final double[] A = {
    0.07721566490153287, 0.3224670334241136, 0.06735230105312927,
    0.020580808432516733, 0.007385550860814029, 0.0028905138367341563,
    0.0011927076318336207, 0.0005100697921535113, 0.00022086279071390839,
    0.00010801156724758394, 2.5214456545125733e-5, 4.4864094961891516e-5
  };
  private static final double[] T = {
    0.48383612272381005, -0.1475877229945939, 0.06462494023913339,
    -0.032788541075985965, 0.01797067508118204, -0.010314224129834144,
    0.006100538702462913, -0.0036845201678113826, 0.0022596478090061247,
    -0.0014034646998923284, 0.000881081882437654, -0.0005385953053567405,
    0.00031563207090362595, -0.00031275416837512086, 0.0003355291926355191
  };
  private static final double[] U = {
    -0.07721566490153287, 0.6328270640250934, 1.4549225013723477,
    0.9777175279633727, 0.22896372806469245, 0.013381091853678766
  };
  private static final double[] V = {
    1,
    2.4559779371304113,
    2.128489763798934,
    0.7692851504566728,
    0.10422264559336913,
    0.003217092422824239
  };
  private static final double[] S = {
    -0.07721566490153287, 0.21498241596060885, 0.325778796408931,
    0.14635047265246445, 0.02664227030336386, 0.0018402845140733772,
    3.194753265841009e-5
  };
  private static final double[] R = {
    1,
    1.3920053346762105,
    0.7219355475671381,
    0.17193386563280308,
    0.01864591917156529,
    0.0007779424963818936,
    7.326684307446256e-6
  };
  private static final double[] W = {
    0.08333333333333297, -0.0027777777772877554, 0.0007936505586430196,
    -0.00059518755745034, 0.0008363399189962821, -0.0016309293409657527
  };

  private GammaFunction() {}

  static double gamma(double x) {
    if (x == 0) {
      return 1 / x;
    }
    if (Double.isNaN(x) || x == Double.NEGATIVE_INFINITY || (x < 0 && x == Math.rint(x))) {
      return Double.NaN;
    }
    if (x == Math.rint(x) && x <= 23) {
      return factorial((int) x - 1);
    }
    if (Math.abs(x) > 184) {
      return x > 0 ? Double.POSITIVE_INFINITY : Math.floor(x) % 2 == 0 ? 0.0 : -0.0;
    }
    return Math.abs(x) < 0x1p-54 ? 1 / x : lanczos(x);
  }

  private static double factorial(int n) {
    double product = 1;
    for (int i = 2; i <= n; i++) {
      product *= i;
    }
    return product;
  }

  private static double lanczos(double x) {
    double size = Math.abs(x);
    double y = size + SHIFT;
    double lost = size > SHIFT ? y - size - SHIFT : y - SHIFT - size;
    double power = size - 0.5;
    double result = series(size) * Math.exp(-y);
    if (x < 0) {
      result = -Math.PI / (sineOfPi(size) * size * result);
      lost = -lost;
      power = -power;
    }
    result += lost * (SHIFT + 0.5) * result / y;
    double half = Math.pow(y, 0.5 * power);
    return result * half * half;
  }

  private static double series(double x) {
    if (x < 8) {
      return polynomial(LANCZOS, x) / polynomial(DIVISOR, x);
    }
    double above = 0;
    double below = 0;
    for (int i = 0; i < LANCZOS.length; i++) {
      above = above / x + LANCZOS[i];
      below = below / x + DIVISOR[i];
    }
    return above / below;
  }

  /** sin(pi x), exact at the half integers. */
  private static double sineOfPi(double x) {
    double part = x % 2;
    double reduced = part > 1 ? part - 2 : part;
    double folded = reduced > 0.5 ? 1 - reduced : reduced < -0.5 ? -1 - reduced : reduced;
    return Math.sin(Math.PI * folded);
  }

  /** The logarithm of the absolute value of gamma. */
  public static double logGamma(double x) {
    if (Double.isNaN(x)) {
      return x;
    }
    if (Double.isInfinite(x) || (x <= 0 && x == Math.rint(x))) {
      return Double.POSITIVE_INFINITY;
    }
    if (Math.abs(x) < 0x1p-70) {
      return -Math.log(Math.abs(x));
    }
    return x < 0 ? Math.log(Math.PI / Math.abs(sineOfPi(-x) * x)) - positive(-x) : positive(x);
  }

  private static double positive(double x) {
    if (x == 1 || x == 2) {
      return 0;
    }
    if (x < 2) {
      return x <= 0.9 ? belowTwo(x + 1) - Math.log(x) : belowTwo(x);
    }
    if (x < 8) {
      int whole = (int) x;
      double y = x - whole;
      double product = 1;
      for (int i = 2; i < whole; i++) {
        product *= y + i;
      }
      return 0.5 * y + y * polynomial(S, y) / polynomial(R, y) + Math.log(product);
    }
    if (x >= 0x1p58) {
      return x * (Math.log(x) - 1);
    }
    double z = 1 / x;
    double rest = 0.4189385332046727 + z * polynomial(W, z * z);
    return (x - 0.5) * (Math.log(x) - 1) + rest;
  }

  /** For arguments between 0.9 and 2. */
  private static double belowTwo(double x) {
    if (x >= 1.7316) {
      double y = 2 - x;
      double z = y * y;
      double even = 0;
      double odd = 0;
      for (int i = 10; i >= 0; i -= 2) {
        even = even * z + A[i];
        odd = odd * z + A[i + 1];
      }
      return y * even + z * odd - 0.5 * y;
    }
    if (x >= 1.23164) {
      return aroundRoot(x - ROOT);
    }
    double y = x - 1;
    return -0.5 * y + y * polynomial(U, y) / polynomial(V, y);
  }

  private static double aroundRoot(double y) {
    double w = y * y * y;
    double[] sums = new double[3];
    for (int i = 12; i >= 0; i -= 3) {
      for (int k = 0; k < 3; k++) {
        sums[k] = sums[k] * w + T[i + k];
      }
    }
    return MINIMUM + (y * y * sums[0] - (MINIMUM_REST - w * (sums[1] + y * sums[2])));
  }
}
