package dev.staunch.kernel;

/** The error function and its complement, by fdlibm's rational approximations (Sun, 1993). */
final class ErrorFunction {
  private static final double ERX = 8.45062911510467529297e-01;
  private static final double[] PP = {
    1.28379167095512558561e-01,
    -3.25042107247001499370e-01,
    -2.84817495755985104766e-02,
    -5.77027029648944159157e-03,
    -2.37630166566501626084e-05
  };
  private static final double[] QQ = {
    1,
    3.97917223959155352819e-01,
    6.50222499887672944485e-02,
    5.08130628187576562776e-03,
    1.32494738004321644526e-04,
    -3.96022827877536812320e-06
  };
  private static final double[] PA = {
    -2.36211856075265944077e-03, 4.14856118683748331666e-01, -3.72207876035701323847e-01,
    3.18346619901161753674e-01, -1.10894694282396677476e-01, 3.54783043256182359371e-02,
    -2.16637559486879084300e-03
  };
  private static final double[] QA = {
    1,
    1.06420880400844228286e-01,
    5.40397917702171048937e-01,
    7.18286544141962662868e-02,
    1.26171219808761642112e-01,
    1.36370839120290507362e-02,
    1.19844998467991074170e-02
  };
  private static final double[] RA = {
    -9.86494403484714822705e-03, -6.93858572707181764372e-01, -1.05586262253232909814e+01,
    -6.23753324503260060396e+01, -1.62396669462573470355e+02, -1.84605092906711035994e+02,
    -8.12874355063065934246e+01, -9.81432934416914548592e+00
  };
  private static final double[] SA = {
    1,
    1.96512716674392571292e+01,
    1.37657754143519042600e+02,
    4.34565877475229228821e+02,
    6.45387271733267880336e+02,
    4.29008140027567833386e+02,
    1.08635005541779435134e+02,
    6.57024977031928170135e+00,
    -6.04244152148580987438e-02
  };
  private static final double[] RB = {
    -9.86494292470009928597e-03, -7.99283237680523006574e-01, -1.77579549177547519889e+01,
    -1.60636384855821916062e+02, -6.37566443368389627722e+02, -1.02509513161107724954e+03,
    -4.83519191608651397019e+02
  };
  private static final double[] SB = {
    1,
    3.03380607434824582924e+01,
    3.25792512996573918826e+02,
    1.53672958608443695994e+03,
    3.19985821950859553908e+03,
    2.55305040643316442583e+03,
    4.74528541206955367215e+02,
    -2.24409524465858183362e+01
  };

  private ErrorFunction() {}

  static double erf(double x) {
    double size = Math.abs(x);
    if (Double.isNaN(x)) {
      return x;
    }
    if (size < 0.84375) {
      double z = x * x;
      return x + x * (polynomial(PP, z) / polynomial(QQ, z));
    }
    if (size < 1.25) {
      double s = size - 1;
      return Math.copySign(ERX + polynomial(PA, s) / polynomial(QA, s), x);
    }
    return Math.copySign(size >= 6 ? 1 : 1 - tail(size), x);
  }

  /** {@code 1 - erf(x)}, without cancellation for large {@code x}. */
  static double erfc(double x) {
    double size = Math.abs(x);
    if (Double.isNaN(x)) {
      return x;
    }
    if (size < 0.84375) {
      double z = x * x;
      double y = polynomial(PP, z) / polynomial(QQ, z);
      return x < 0.25 ? 1 - (x + x * y) : 0.5 - (x - 0.5 + x * y);
    }
    if (size < 1.25) {
      double s = size - 1;
      double y = polynomial(PA, s) / polynomial(QA, s);
      return x > 0 ? 1 - ERX - y : 1 + (ERX + y);
    }
    double tail = size >= 28 ? 0 : tail(size);
    return x > 0 ? tail : 2 - tail;
  }

  /** erfc for arguments from 1.25 on. */
  private static double tail(double x) {
    double s = 1 / (x * x);
    boolean near = x < 1 / 0.35;
    double ratio =
        near ? polynomial(RA, s) / polynomial(SA, s) : polynomial(RB, s) / polynomial(SB, s);
    double z = Double.longBitsToDouble(Double.doubleToRawLongBits(x) & 0xffffffff00000000L);
    return Math.exp(-z * z - 0.5625) * Math.exp((z - x) * (z + x) + ratio) / x;
  }

  /** The polynomial with these coefficients, lowest first. */
  static double polynomial(double[] coefficients, double x) {
    double value = 0;
    for (int i = coefficients.length - 1; i >= 0; i--) {
      value = value * x + coefficients[i];
    }
    return value;
  }
}
