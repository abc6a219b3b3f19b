package dev.staunch.kernel;

/**
 * Pairs of standard normal numbers from pairs of uniform ones, to the bit as {@link StrictMath}
 * computes them: {@code sqrt(-2 log u)} times the cosine and the sine of an angle. The steps are
 * those of fdlibm's {@code log}, {@code sin} and {@code cos}, for numbers from 2^-53 to 1 and
 * angles from 0 to 2 pi. Each is a loop over arrays without branches, which C2 vectorises: where
 * fdlibm has a choice, both results are computed and the other one is multiplied by 0. The rare
 * numbers that fdlibm treats apart are left to {@link StrictMath}. For one thread.
 */
final class BoxMuller {
  private static final double UNIT = 0x1p-53;
  private static final int HIGH_FRACTION = 0xfffff;
  private static final long FRACTION = 0xfffffffffffffL;

  /** The logarithm of 2 in two parts, and fdlibm's coefficients of the logarithm. */
  private static final double LN2 = 0.6931471803691238;

  private static final double LN2_REST = 1.9082149292705877E-10;
  private static final double L1 = 0.6666666666666735;
  private static final double L2 = 0.3999999999940942;
  private static final double L3 = 0.2857142874366239;
  private static final double L4 = 0.22222198432149784;
  private static final double L5 = 0.1818357216161805;
  private static final double L6 = 0.15313837699209373;
  private static final double L7 = 0.14798198605116586;

  /** Fractions from the first number on, and below the second, take the logarithm's other form. */
  private static final double OTHER_FROM = 0x6147ap-20;

  private static final double OTHER_BELOW = 0x6b852p-21 - 0.5;

  /** Fractions below this one are treated apart. */
  private static final double NEAR_ONE = 0x1p-19;

  /** Half of pi in two parts, and 1 divided by it. */
  private static final double HALF_PI = 1.5707963267341256;

  private static final double HALF_PI_REST = 6.077100506506192E-11;
  private static final double PER_HALF_PI = 0.6366197723675814;

  private static final double S1 = -0.16666666666666632;
  private static final double S2 = 0.00833333333332249;
  private static final double S3 = -0.0001984126982985795;
  private static final double S4 = 2.7557313707070068E-6;
  private static final double S5 = -2.5050760253406863E-8;
  private static final double S6 = 1.58969099521155E-10;

  private static final double C1 = 0.0416666666666666;
  private static final double C2 = -0.001388888888887411;
  private static final double C3 = 2.480158728947673E-5;
  private static final double C4 = -2.7557314351390663E-7;
  private static final double C5 = 2.087572321298175E-9;
  private static final double C6 = -1.1359647557788195E-11;

  /** From the first angle on, the cosine subtracts a number; from the second on, always this. */
  private static final double SOME_FROM = Double.longBitsToDouble(0x3fd33333L << Integer.SIZE);

  private static final double FIXED_FROM = Double.longBitsToDouble(0x3fe90001L << Integer.SIZE);
  private static final double FIXED = 0.28125;

  /**
   * Angles that are reduced to less than the first number, or more than the second, may be rare.
   */
  private static final double SMALL = 0x1p-16;

  private static final double LARGE = 0.785397;

  private final double[] angles;
  private final double[] quadrants;

  /** An angle reduced to less than a quarter of pi, and what rounding it left. */
  private final double[] reduced;

  private final double[] rests;

  /** A number is 1 plus a fraction, times a power of two. */
  private final double[] fractions;

  private final double[] exponents;

  /** The logarithm; at last the radius. */
  private final double[] radii;

  private final double[] sines;
  private final double[] cosines;
  private final double[] work;

  /** For at most {@code pairs} at a time. */
  BoxMuller(int pairs) {
    this.angles = new double[pairs];
    this.quadrants = new double[pairs];
    this.reduced = new double[pairs];
    this.rests = new double[pairs];
    this.fractions = new double[pairs];
    this.exponents = new double[pairs];
    this.radii = new double[pairs];
    this.sines = new double[pairs];
    this.cosines = new double[pairs];
    this.work = new double[pairs];
  }

  /** Replaces pairs of 64 random bits each, from {@code from} on, by the bits of normal numbers. */
  void run(long[] words, int from, int pairs) {
    split(words, from, pairs);
    boolean isNearOne = logarithms(pairs);
    boolean isRare = reduce(pairs);
    sines(pairs);
    subtrahends(pairs);
    cosines(pairs);
    turn(pairs);
    for (int i = 0; isNearOne && i < pairs; i++) {
      if (Math.abs(fractions[i]) < NEAR_ONE) {
        radii[i] = StrictMath.log(number(words[from + 2 * i]));
      }
    }
    for (int i = 0; isRare && i < pairs; i++) {
      double angle = Math.abs(reduced[i]);
      if (angle < SMALL || angle > LARGE) {
        cosines[i] = StrictMath.cos(angles[i]);
        sines[i] = StrictMath.sin(angles[i]);
      }
    }
    for (int i = 0; i < pairs; i++) {
      radii[i] = Math.sqrt(-2 * radii[i]);
    }
    for (int i = 0; i < pairs; i++) {
      words[from + 2 * i] = Double.doubleToRawLongBits(radii[i] * cosines[i]);
      words[from + 2 * i + 1] = Double.doubleToRawLongBits(radii[i] * sines[i]);
    }
  }

  /** Uniform in (0, 1], with 53 bits. */
  private static double number(long word) {
    return ((word >>> 11) + 1) * UNIT;
  }

  private void split(long[] words, int from, int pairs) {
    for (int i = 0; i < pairs; i++) {
      long bits = Double.doubleToRawLongBits(number(words[from + 2 * i]));
      int high = (int) (bits >>> Integer.SIZE) & HIGH_FRACTION;
      int up = (high + 0x95f64) & 0x100000; // from the root of 2 on, of half the number
      exponents[i] = (int) (bits >>> 52) - 1023 + (up >> 20);
      long one = (long) (up ^ 0x3ff00000) << Integer.SIZE;
      fractions[i] = Double.longBitsToDouble((bits & FRACTION) | one) - 1;
      angles[i] = 2 * Math.PI * ((words[from + 2 * i + 1] >>> 11) * UNIT);
    }
  }

  /** Computes logarithms; returns whether there is one of a number close to a power of two. */
  private boolean logarithms(int pairs) {
    double least = 1;
    for (int i = 0; i < pairs; i++) {
      double f = fractions[i];
      least = Math.min(least, Math.abs(f));
      work[i] = f / (2 + f);
    }
    for (int i = 0; i < pairs; i++) {
      double z = work[i] * work[i];
      double w = z * z;
      double even = w * (L2 + w * (L4 + w * L6));
      double odd = z * (L1 + w * (L3 + w * (L5 + w * L7)));
      radii[i] = odd + even;
    }
    for (int i = 0; i < pairs; i++) {
      double f = fractions[i];
      double s = work[i];
      double rest = exponents[i] * LN2_REST;
      double half = 0.5 * f * f;
      // 1 if the number is in the range, else 0
      double other = 1 + Math.floor(f - OTHER_FROM) - Math.floor(f - OTHER_BELOW);
      double first = s * (f - radii[i]) - rest;
      double second = half - (s * (half + radii[i]) + rest);
      radii[i] = exponents[i] * LN2 - (((1 - other) * first + other * second) - f);
    }
    return least < NEAR_ONE;
  }

  /** Reduces the angles; returns whether one may be rare. */
  private boolean reduce(int pairs) {
    double least = 1;
    double most = 0;
    for (int i = 0; i < pairs; i++) {
      double quadrant = Math.floor(angles[i] * PER_HALF_PI + 0.5);
      double angle = angles[i] - quadrant * HALF_PI;
      double rest = quadrant * HALF_PI_REST;
      double rounded = angle - rest;
      quadrants[i] = quadrant;
      reduced[i] = rounded;
      rests[i] = (angle - rounded) - rest;
      least = Math.min(least, Math.abs(rounded));
      most = Math.max(most, Math.abs(rounded));
    }
    return least < SMALL || most > LARGE;
  }

  private void sines(int pairs) {
    for (int i = 0; i < pairs; i++) {
      double x = reduced[i];
      double z = x * x;
      double v = z * x;
      double r = S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)));
      double exact = x + v * (S1 + z * r); // of an angle that was not reduced
      double other = x - ((z * (0.5 * rests[i] - v * r) - rests[i]) - v * S1);
      double isExact = Math.max(0, 1 - quadrants[i]);
      sines[i] = exact * isExact + other * (1 - isExact);
    }
  }

  /** What the cosine subtracts from 1 first: a quarter of the angle, with 20 bits; or less. */
  private void subtrahends(int pairs) {
    for (int i = 0; i < pairs; i++) {
      double x = Math.abs(reduced[i]);
      double half = Math.floor(2 * x); // 1 from a half on, else 0
      double cut = Math.floor(x * (0x1p22 - half * 0x1p21)) * (0x1p-24 + half * 0x1p-24);
      double some = 1 + Math.floor(x - SOME_FROM);
      double fixed = 1 + Math.floor(x - FIXED_FROM);
      work[i] = some * ((1 - fixed) * cut + fixed * FIXED);
    }
  }

  private void cosines(int pairs) {
    for (int i = 0; i < pairs; i++) {
      double x = reduced[i];
      double z = x * x;
      double r = z * (C1 + z * (C2 + z * (C3 + z * (C4 + z * (C5 + z * C6)))));
      cosines[i] = (1 - work[i]) - ((0.5 * z - work[i]) - (z * r - x * rests[i]));
    }
  }

  /** Exchanges and negates sines and cosines by quadrant. */
  private void turn(int pairs) {
    for (int i = 0; i < pairs; i++) {
      double quadrant = quadrants[i];
      double low = Math.floor(quadrant * 0.5);
      double high = Math.floor((quadrant + 1) * 0.5);
      double odd = quadrant - 2 * low;
      double even = 1 - odd;
      double sine = sines[i];
      double cosine = cosines[i];
      double sign = 1 - 2 * (low - 2 * Math.floor(low * 0.5));
      double otherSign = 1 - 2 * (high - 2 * Math.floor(high * 0.5));
      sines[i] = sign * (even * sine + odd * cosine);
      cosines[i] = otherSign * (even * cosine + odd * sine);
    }
  }
}
