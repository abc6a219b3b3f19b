package dev.staunch.kernel;

import static dev.staunch.kernel.ErrorFunction.polynomial;

/**
 * The gamma function (Lanczos approximation with 13 terms) and its logarithm (fdlibm's rational
 * approximations).
 */
final class GammaFunction {
  private static final double SHIFT = 5.524680040776729583740234375;
  private static final double[] LANCZOS = {
    23531376880.410759688572, 42919803642.649098768957, 35711959237.355668049440,
    17921034426.037209699919, 6039542586.3520280050642, 1439720407.3117216736632,
    248874557.86205415651146, 31426415.585400194380614, 2876370.6289353724412254,
    186056.26539522349504029, 8071.6720023658162106380, 210.82427775157934587250,
    2.5066282746310002701649
  };
  private static final double[] DIVISOR = {
    0, 39916800, 120543840, 150917976, 105258076, 45995730, 13339535, 2637558, 357423, 32670, 1925,
    66, 1
  };
  private static final double ROOT = 1.46163214496836224576e+00;
  private static final double MINIMUM = -1.21486290535849611461e-01;
  private static final double MINIMUM_REST = -3.63867699703950536541e-18;
  private static final double[] A = {
    7.72156649015328655494e-02, 3.22467033424113591611e-01, 6.73523010531292681824e-02,
    2.05808084325167332806e-02, 7.38555086081402883957e-03, 2.89051383673415629091e-03,
    1.19270763183362067845e-03, 5.10069792153511336608e-04, 2.20862790713908385557e-04,
    1.08011567247583939954e-04, 2.52144565451257326939e-05, 4.48640949618915160150e-05
  };
  private static final double[] T = {
    4.83836122723810047042e-01, -1.47587722994593911752e-01, 6.46249402391333854778e-02,
    -3.27885410759859649565e-02, 1.79706750811820387126e-02, -1.03142241298341437450e-02,
    6.10053870246291332635e-03, -3.68452016781138256760e-03, 2.25964780900612472250e-03,
    -1.40346469989232843813e-03, 8.81081882437654011382e-04, -5.38595305356740546715e-04,
    3.15632070903625950361e-04, -3.12754168375120860518e-04, 3.35529192635519073543e-04
  };
  private static final double[] U = {
    -7.72156649015328655494e-02, 6.32827064025093366517e-01, 1.45492250137234768737e+00,
    9.77717527963372745603e-01, 2.28963728064692451092e-01, 1.33810918536787660377e-02
  };
  private static final double[] V = {
    1,
    2.45597793713041134822e+00,
    2.12848976379893395361e+00,
    7.69285150456672783825e-01,
    1.04222645593369134254e-01,
    3.21709242282423911810e-03
  };
  private static final double[] S = {
    -7.72156649015328655494e-02, 2.14982415960608852501e-01, 3.25778796408930981787e-01,
    1.46350472652464452805e-01, 2.66422703033638609560e-02, 1.84028451407337715652e-03,
    3.19475326584100867617e-05
  };
  private static final double[] R = {
    1,
    1.39200533467621045958e+00,
    7.21935547567138069525e-01,
    1.71933865632803078993e-01,
    1.86459191715652901344e-02,
    7.77942496381893596434e-04,
    7.32668430744625636189e-06
  };
  private static final double[] W = {
    8.33333333333329678849e-02, -2.77777777728775536470e-03, 7.93650558643019558500e-04,
    -5.95187557450339963135e-04, 8.36339918996282139126e-04, -1.63092934096575273989e-03
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
  static double logGamma(double x) {
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
    double rest = 4.18938533204672725052e-01 + z * polynomial(W, z * z);
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
