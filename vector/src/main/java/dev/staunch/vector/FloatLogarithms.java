package dev.staunch.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Logarithms of float32 vectors, and powers near 1 such as {@code e^x - 1}, each fit to be inlined
 * into a loop, with their ends written out, as {@link FloatFunctions} says.
 */
final class FloatLogarithms {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final float LOG2_OF_E = 0x1.715476p0f;
  private static final float LOG10_OF_E = 0.4342945f;

  /** A constant in two parts: the first has few digits, so its multiples are exact. */
  private static final float LN2_HIGH = 0.6933594f;

  private static final float LN2_LOW = -2.1219444e-4f;
  private static final float LOG10_OF_2_HIGH = 0.3010254f;
  private static final float LOG10_OF_2_LOW = 4.605039e-6f;

  private static final int ROOT_OF_HALF = Float.floatToRawIntBits(0.70710677f);
  private static final float ROOT_OF_TWO = 1.4142135f;
  private static final int EXPONENT = 23;
  private static final int BIAS = 127;
  private static final float ROUNDING = 0x1.8p23f;
  private static final int ROUNDING_BITS = Float.floatToRawIntBits(ROUNDING);

  /** Below this, {@code e^x - 1} is -1. */
  private static final float LEAST = -18f;

  /** From well below this on, neither a number nor its square changes by adding 1. */
  private static final float LARGE = 1e9f;

  private static final float GREATEST = 0x1.62e42ep6f;

  private FloatLogarithms() {}

  /** Scales subnormal numbers by 2^23. */
  private static FloatVector normal(FloatVector x, VectorMask<Float> small) {
    return x.mul(8388608f, small);
  }

  /** The power of two in a normal number, chosen so that the remaining factor is around 1. */
  private static IntVector power(FloatVector x) {
    return x.reinterpretAsInts().sub(ROOT_OF_HALF).lanewise(VectorOperators.ASHR, EXPONENT);
  }

  private static FloatVector exponent(IntVector power, VectorMask<Float> small) {
    FloatVector exponent = (FloatVector) power.convert(VectorOperators.I2F, 0);
    return exponent.sub(EXPONENT, small);
  }

  /** The remaining factor of a number, less 1. */
  private static FloatVector rest(FloatVector x, IntVector power) {
    IntVector bits = x.reinterpretAsInts().sub(power.lanewise(VectorOperators.LSHL, EXPONENT));
    return bits.reinterpretAsFloats().sub(1f);
  }

  /** {@code ln(1 + f) - f + f * f / 2} by the polynomial of Cephes, for f from -0.3 to 0.42. */
  private static FloatVector beyond(FloatVector f) {
    FloatVector p = FloatVector.broadcast(SPECIES, 0.070376836f);
    p = p.fma(f, FloatVector.broadcast(SPECIES, -0.1151461f));
    p = p.fma(f, FloatVector.broadcast(SPECIES, 0.11676999f));
    p = p.fma(f, FloatVector.broadcast(SPECIES, -0.12420141f));
    p = p.fma(f, FloatVector.broadcast(SPECIES, 0.14249323f));
    p = p.fma(f, FloatVector.broadcast(SPECIES, -0.16668057f));
    p = p.fma(f, FloatVector.broadcast(SPECIES, 0.20000714f));
    p = p.fma(f, FloatVector.broadcast(SPECIES, -0.24999994f));
    p = p.fma(f, FloatVector.broadcast(SPECIES, 0.3333333f));
    return p.mul(f).mul(f.mul(f));
  }

  /** The natural logarithm, within 2 ulp. */
  static FloatVector log(FloatVector x) {
    VectorMask<Float> small = x.compare(VectorOperators.LT, Float.MIN_NORMAL);
    FloatVector scaled = normal(x, small);
    IntVector power = power(scaled);
    FloatVector e = exponent(power, small);
    FloatVector f = rest(scaled, power);
    FloatVector y = e.fma(FloatVector.broadcast(SPECIES, LN2_LOW), beyond(f));
    y = f.mul(f).fma(FloatVector.broadcast(SPECIES, -0.5f), y);
    y = e.fma(FloatVector.broadcast(SPECIES, LN2_HIGH), f.add(y));
    y = y.blend(x, x.compare(VectorOperators.EQ, Float.POSITIVE_INFINITY));
    y = y.blend(Float.NEGATIVE_INFINITY, x.compare(VectorOperators.EQ, 0f));
    return y.blend(Float.NaN, x.compare(VectorOperators.GE, 0f).not());
  }

  /** The logarithm to the base 2, within 3 ulp; that of a power of two is exact. */
  static FloatVector log2(FloatVector x) {
    VectorMask<Float> small = x.compare(VectorOperators.LT, Float.MIN_NORMAL);
    FloatVector scaled = normal(x, small);
    IntVector power = power(scaled);
    FloatVector f = rest(scaled, power);
    FloatVector y = f.add(f.mul(f).fma(FloatVector.broadcast(SPECIES, -0.5f), beyond(f)));
    y = y.fma(FloatVector.broadcast(SPECIES, LOG2_OF_E), exponent(power, small));
    y = y.blend(x, x.compare(VectorOperators.EQ, Float.POSITIVE_INFINITY));
    y = y.blend(Float.NEGATIVE_INFINITY, x.compare(VectorOperators.EQ, 0f));
    return y.blend(Float.NaN, x.compare(VectorOperators.GE, 0f).not());
  }

  /** The logarithm to the base 10, within 3 ulp. */
  static FloatVector log10(FloatVector x) {
    VectorMask<Float> small = x.compare(VectorOperators.LT, Float.MIN_NORMAL);
    FloatVector scaled = normal(x, small);
    IntVector power = power(scaled);
    FloatVector e = exponent(power, small);
    FloatVector f = rest(scaled, power);
    FloatVector y = f.add(f.mul(f).fma(FloatVector.broadcast(SPECIES, -0.5f), beyond(f)));
    y = e.fma(FloatVector.broadcast(SPECIES, LOG10_OF_2_LOW), y.mul(LOG10_OF_E));
    y = e.fma(FloatVector.broadcast(SPECIES, LOG10_OF_2_HIGH), y);
    y = y.blend(x, x.compare(VectorOperators.EQ, Float.POSITIVE_INFINITY));
    y = y.blend(Float.NEGATIVE_INFINITY, x.compare(VectorOperators.EQ, 0f));
    return y.blend(Float.NaN, x.compare(VectorOperators.GE, 0f).not());
  }

  /** {@code ln(1 + x)}, within 3 ulp: corrects for the digits lost in adding 1. */
  static FloatVector log1p(FloatVector x) {
    FloatVector sum = x.add(1f);
    FloatVector lost = x.sub(sum.sub(1f));
    FloatVector y = log(sum).add(lost.div(sum));
    y = y.blend(x, x.compare(VectorOperators.EQ, Float.POSITIVE_INFINITY));
    y = y.blend(Float.NEGATIVE_INFINITY, x.compare(VectorOperators.EQ, -1f));
    return y.blend(x, x.compare(VectorOperators.EQ, 0f)); // keeps the sign of zero
  }

  /** The inverse hyperbolic sine, within 5 ulp. */
  static FloatVector asinh(FloatVector x) {
    FloatVector size = x.abs();
    VectorMask<Float> large = size.compare(VectorOperators.GT, LARGE);
    FloatVector square = size.mul(size);
    FloatVector more = square.div(square.add(1f).sqrt().add(1f));
    FloatVector y = log1p(size.add(more.blend(0f, large))).add(LN2_HIGH + LN2_LOW, large);
    IntVector sign = x.reinterpretAsInts().and(Integer.MIN_VALUE);
    return y.reinterpretAsInts().or(sign).reinterpretAsFloats();
  }

  /** The inverse hyperbolic cosine, within 5 ulp. */
  static FloatVector acosh(FloatVector x) {
    FloatVector above = x.sub(1f);
    VectorMask<Float> large = x.compare(VectorOperators.GT, LARGE);
    FloatVector more = above.mul(above.add(2f)).sqrt().blend(0f, large);
    FloatVector y = log1p(above.add(more)).add(LN2_HIGH + LN2_LOW, large);
    return y.blend(Float.NaN, x.compare(VectorOperators.LT, 1f));
  }

  /** The inverse hyperbolic tangent, within 5 ulp. */
  static FloatVector atanh(FloatVector x) {
    FloatVector size = x.abs();
    FloatVector one = FloatVector.broadcast(SPECIES, 1f);
    FloatVector y = log1p(size.add(size).div(one.sub(size))).mul(0.5f);
    IntVector sign = x.reinterpretAsInts().and(Integer.MIN_VALUE);
    return y.reinterpretAsInts().or(sign).reinterpretAsFloats();
  }

  /**
   * {@code ln(x / (1 - x))}, within 6 ulp: where the quotient is near 1, by its distance from 1,
   * which has more digits.
   */
  static FloatVector logit(FloatVector x) {
    FloatVector rest = FloatVector.broadcast(SPECIES, 1f).sub(x);
    FloatVector more = x.add(x).sub(1f).div(rest);
    FloatVector sum = more.add(1f);
    FloatVector lost = more.sub(sum.sub(1f)).div(sum);
    VectorMask<Float> middle = x.sub(0.5f).abs().compare(VectorOperators.LT, 0.25f);
    return log(x.div(rest).blend(sum, middle)).add(lost, middle);
  }

  /** {@code ln(e^a + e^b)}, as near as its largest term; infinite as the greater number is. */
  static FloatVector logSum(FloatVector a, FloatVector b) {
    FloatVector rest = near(FloatFunctions.exp(a.sub(b).abs().neg()));
    FloatVector most = a.max(b);
    VectorMask<Float> infinite = most.abs().compare(VectorOperators.EQ, Float.POSITIVE_INFINITY);
    return most.add(rest).blend(most, infinite);
  }

  /** {@code a ln b}; 0 where a is, unless b is NaN. */
  static FloatVector timesLog(FloatVector a, FloatVector b) {
    FloatVector log = log(b);
    VectorMask<Float> zero = a.compare(VectorOperators.EQ, 0f);
    return a.mul(log).blend(0f, zero.and(b.compare(VectorOperators.EQ, b)));
  }

  /** {@code e^x - 1}, within 3 ulp. */
  static FloatVector expm1(FloatVector x) {
    FloatVector rounded =
        x.fma(FloatVector.broadcast(SPECIES, LOG2_OF_E), FloatVector.broadcast(SPECIES, ROUNDING));
    FloatVector n = rounded.sub(ROUNDING);
    FloatVector r = n.fma(FloatVector.broadcast(SPECIES, -LN2_HIGH), x);
    r = n.fma(FloatVector.broadcast(SPECIES, -LN2_LOW), r);
    FloatVector p = FloatVector.broadcast(SPECIES, 1.9875691e-4f);
    p = p.fma(r, FloatVector.broadcast(SPECIES, 0.0013981999f));
    p = p.fma(r, FloatVector.broadcast(SPECIES, 0.008333452f));
    p = p.fma(r, FloatVector.broadcast(SPECIES, 0.041665796f));
    p = p.fma(r, FloatVector.broadcast(SPECIES, 0.16666666f));
    p = p.fma(r, FloatVector.broadcast(SPECIES, 0.5f));
    p = p.fma(r.mul(r), r);
    // Half of it, because 2^128 is not a float.
    IntVector half = rounded.reinterpretAsInts().sub(ROUNDING_BITS).add(BIAS - 1);
    FloatVector scale = half.lanewise(VectorOperators.LSHL, EXPONENT).reinterpretAsFloats();
    FloatVector result = p.fma(scale, scale.sub(0.5f)).mul(2f);
    result = result.blend(Float.POSITIVE_INFINITY, x.compare(VectorOperators.GT, GREATEST));
    result = result.blend(-1f, x.compare(VectorOperators.LT, LEAST));
    return result.blend(x, x.compare(VectorOperators.EQ, 0f)); // keeps the sign of zero
  }

  /**
   * {@code (e^input - 1) * negative} where x is not positive, otherwise {@code x * positive}.
   *
   * @param input x, scaled
   */
  static FloatVector elu(FloatVector x, FloatVector input, float negative, float positive) {
    VectorMask<Float> above = x.compare(VectorOperators.GT, 0f);
    return expm1(input).mul(negative).blend(x.mul(positive), above);
  }

  /**
   * {@code ln(1 + e^scaled) / beta}; x where that would round to it.
   *
   * @param scaled {@code x * beta}
   * @param rest {@code ln(1 + e^-|scaled|)}
   */
  static FloatVector softplus(
      FloatVector x, FloatVector scaled, FloatVector rest, float beta, float threshold) {
    return rest.add(scaled.max(0f))
        .div(beta)
        .blend(x, scaled.compare(VectorOperators.GT, threshold));
  }

  /** {@code ln(1 + x)} for x from 0 to 1: like {@link #log1p}, with fewer cases. */
  static FloatVector near(FloatVector x) {
    FloatVector sum = x.add(1f);
    FloatVector lost = x.sub(sum.sub(1f)).div(sum);
    VectorMask<Float> wide = sum.compare(VectorOperators.GT, ROOT_OF_TWO);
    FloatVector f = sum.mul(0.5f, wide).sub(1f);
    FloatVector square = f.mul(f);
    FloatVector p = FloatVector.broadcast(SPECIES, 0.070376836f);
    p = p.fma(f, FloatVector.broadcast(SPECIES, -0.1151461f));
    p = p.fma(f, FloatVector.broadcast(SPECIES, 0.11676999f));
    p = p.fma(f, FloatVector.broadcast(SPECIES, -0.12420141f));
    p = p.fma(f, FloatVector.broadcast(SPECIES, 0.14249323f));
    p = p.fma(f, FloatVector.broadcast(SPECIES, -0.16668057f));
    p = p.fma(f, FloatVector.broadcast(SPECIES, 0.20000714f));
    p = p.fma(f, FloatVector.broadcast(SPECIES, -0.24999994f));
    p = p.fma(f, FloatVector.broadcast(SPECIES, 0.3333333f));
    p = p.mul(f).mul(square);
    FloatVector y = f.add(square.fma(FloatVector.broadcast(SPECIES, -0.5f), p)).add(lost);
    return y.add(LN2_HIGH + LN2_LOW, wide);
  }

  /**
   * {@code x} times the hyperbolic tangent of {@code ln(1 + e^x)}, expressed only in powers of e.
   */
  static FloatVector mish(FloatVector x) {
    FloatVector power = FloatFunctions.exp(x.min(20f)); // from there on, the factor rounds to 1
    FloatVector share = power.mul(power.add(2f));
    return x.mul(share.div(share.add(2f)));
  }
}
