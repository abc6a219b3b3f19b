package dev.staunch.kernel.scalar;

/** The error function and its complement, by fdlibm's rational approximations (Sun, 1993). */
public final class ErrorFunction {
  private static final double ERX = 0.8450629115104675;
  private static final double[] PP = {
    0.12837916709551256,
    -0.3250421072470015,
    -0.02848174957559851,
    -0.005770270296489442,
    -2.3763016656650163e-5
  };
  private static final double[] QQ = {
    1,
    0.39791722395915535,
    0.0650222499887673,
    0.005081306281875766,
    0.00013249473800432164,
    -3.960228278775368e-6
  };
  private static final double[] PA = {
    -0.0023621185607526594, 0.41485611868374833, -0.3722078760357013,
    0.31834661990116175, -0.11089469428239668, 0.035478304325618236,
    -0.002166375594868791
  };
  private static final double[] QA = {
    1,
    0.10642088040084423,
    0.540397917702171,
    0.07182865441419627,
    0.12617121980876164,
    0.01363708391202905,
    0.011984499846799107
  };
  private static final double[] RA = {
    -0.009864944034847148, -0.6938585727071818, -10.558626225323291,
    -62.375332450326006, -162.39666946257347, -184.60509290671104,
    -81.2874355063066, -9.814329344169145
  };
  private static final double[] SA = {
    1,
    19.651271667439257,
    137.65775414351904,
    434.56587747522923,
    645.3872717332679,
    429.00814002756783,
    108.63500554177944,
    6.570249770319282,
    -0.0604244152148581
  };
  private static final double[] RB = {
    -0.0098649429247001, -0.799283237680523, -17.757954917754752,
    -160.63638485582192, -637.5664433683896, -1025.0951316110772,
    -483.5191916086514
  };
  private static final double[] SB = {
    1,
    30.33806074348246,
    325.7925129965739,
    1536.729586084437,
    3199.8582195085955,
    2553.0504064331644,
    474.52854120695537,
    -22.44095244658582
  };

  private ErrorFunction() {}

  /** Accurate to about one ulp for all {@code x}; NaN for NaN. */
  public static double erf(double x) {
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
  public static double erfc(double x) {
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
