package dev.staunch.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Functions of float32 vectors, each small enough to be inlined into a loop. HotSpot inlines no
 * further methods of this module into a loop that has grown large (NodeCountInliningCutoff), and
 * vectors that pass through a call are allocated on the heap. The end of {@link #exp}, and code
 * that follows it, is therefore written out.
 */
final class FloatFunctions {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final float LOG2_OF_E = 0x1.715476p0f;

  /** ln 2 in two parts: the first has few digits, so its multiples are exact. */
  private static final float LN2_HIGH = 0.6933594f;

  private static final float LN2_LOW = -2.1219444e-4f;

  /** Adding this to a float below 2^22 leaves the nearest integer in the lowest bits. */
  private static final float ROUNDING = 0x1.8p23f;

  private static final int ROUNDING_BITS = Float.floatToRawIntBits(ROUNDING);
  private static final int EXPONENT = 23;
  private static final int BIAS = 127;

  /** Above this the result is infinite; below {@code LEAST} it rounds to 0. */
  private static final float GREATEST = 0x1.62e42ep6f;

  private static final float LEAST = -103.98f;

  private static final float LN2 = 0.6931472f;

  /** More bits than 2^x can have before or after the point. */
  private static final float MOST_BITS = 160f;

  /** From here on, the upper tail of the normal distribution rounds to 0. */
  private static final float FARTHEST = 14.4f;

  /** Beyond this, the complement of the error function rounds to 0. */
  private static final float FARTHEST_COMPLEMENT = 10.054194f;

  private FloatFunctions() {}

  /**
   * e to the power of each element, within 2 ulp. Subnormal results are rounded once; NaN and
   * infinities are handled as by {@link Math#exp}. The polynomial is that of Cephes.
   */
  static FloatVector exp(FloatVector x) {
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
    p = p.fma(r.mul(r), r).add(1f);
    // In two steps, because 2^n itself may not be a normal number.
    IntVector power = rounded.reinterpretAsInts().sub(ROUNDING_BITS);
    IntVector half = power.lanewise(VectorOperators.ASHR, 1);
    IntVector low = half.add(BIAS).lanewise(VectorOperators.LSHL, EXPONENT);
    IntVector high = power.sub(half).add(BIAS).lanewise(VectorOperators.LSHL, EXPONENT);
    FloatVector result = p.mul(low.reinterpretAsFloats()).mul(high.reinterpretAsFloats());
    result = result.blend(Float.POSITIVE_INFINITY, x.compare(VectorOperators.GT, GREATEST));
    return result.blend(0f, x.compare(VectorOperators.LT, LEAST));
  }

  /** 2 to the power of each element, within 2 ulp. */
  static FloatVector exp2(FloatVector x) {
    FloatVector within = x.max(-MOST_BITS).min(MOST_BITS);
    FloatVector rounded = within.add(ROUNDING);
    FloatVector p = exp(within.sub(rounded.sub(ROUNDING)).mul(LN2));
    IntVector power = rounded.reinterpretAsInts().sub(ROUNDING_BITS);
    IntVector half = power.lanewise(VectorOperators.ASHR, 1);
    IntVector low = half.add(BIAS).lanewise(VectorOperators.LSHL, EXPONENT);
    IntVector high = power.sub(half).add(BIAS).lanewise(VectorOperators.LSHL, EXPONENT);
    return p.mul(low.reinterpretAsFloats()).mul(high.reinterpretAsFloats());
  }

  /** The hyperbolic cosine, within 5 ulp: half a power of e may be finite where that is not. */
  static FloatVector cosh(FloatVector x) {
    FloatVector root = exp(x.abs().mul(0.5f));
    FloatVector half = root.mul(0.5f).mul(root);
    return half.add(FloatVector.broadcast(SPECIES, 0.25f).div(half));
  }

  /** The hyperbolic sine, within 5 ulp; near zero by the polynomial of Cephes. */
  static FloatVector sinh(FloatVector x) {
    FloatVector size = x.abs();
    FloatVector root = exp(size.mul(0.5f));
    FloatVector half = root.mul(0.5f).mul(root);
    FloatVector far = half.sub(FloatVector.broadcast(SPECIES, 0.25f).div(half));
    FloatVector square = x.mul(x);
    FloatVector p = FloatVector.broadcast(SPECIES, 2.0372191e-4f);
    p = p.fma(square, FloatVector.broadcast(SPECIES, 0.008330284f));
    p = p.fma(square, FloatVector.broadcast(SPECIES, 0.16666716f));
    FloatVector near = p.mul(square).fma(size, size);
    IntVector bits = far.blend(near, size.compare(VectorOperators.LE, 1f)).reinterpretAsInts();
    IntVector sign = x.reinterpretAsInts().and(Integer.MIN_VALUE); // withSignOf, see the class
    return bits.or(sign).reinterpretAsFloats();
  }

  /** {@code 1 / (1 + exp(-x))}, without loss of precision for small results: within 4 ulp. */
  static FloatVector sigmoid(FloatVector x) {
    FloatVector power = exp(x.abs().neg());
    FloatVector one = FloatVector.broadcast(SPECIES, 1f);
    FloatVector above = power.blend(one, x.compare(VectorOperators.GE, 0f));
    return above.div(power.add(1f));
  }

  /** Returns {@code size}, which is not negative, with the sign of {@code signed}. */
  static FloatVector withSignOf(FloatVector size, FloatVector signed) {
    IntVector sign = signed.reinterpretAsInts().and(Integer.MIN_VALUE);
    return size.reinterpretAsInts().or(sign).reinterpretAsFloats();
  }

  /** The hyperbolic tangent, within 3 ulp; near zero by the polynomial of Cephes. */
  static FloatVector tanh(FloatVector x) {
    FloatVector size = x.abs();
    FloatVector square = x.mul(x);
    FloatVector p = FloatVector.broadcast(SPECIES, -0.0057049887f);
    p = p.fma(square, FloatVector.broadcast(SPECIES, 0.020639088f));
    p = p.fma(square, FloatVector.broadcast(SPECIES, -0.053739715f));
    p = p.fma(square, FloatVector.broadcast(SPECIES, 0.13331442f));
    p = p.fma(square, FloatVector.broadcast(SPECIES, -0.3333328f));
    FloatVector near = p.mul(square).fma(size, size);
    FloatVector far = exp(size.add(size)).add(1f);
    far = FloatVector.broadcast(SPECIES, 1f).sub(FloatVector.broadcast(SPECIES, 2f).div(far));
    IntVector bits = far.blend(near, size.compare(VectorOperators.LT, 0.625f)).reinterpretAsInts();
    IntVector sign = x.reinterpretAsInts().and(Integer.MIN_VALUE); // withSignOf, see the class
    return bits.or(sign).reinterpretAsFloats();
  }

  /**
   * {@code x} times the normal distribution function at x, within 16 ulp. For negative x, that
   * probability itself is computed rather than its complement. The polynomial is that of {@link
   * #erf}.
   */
  static FloatVector gelu(FloatVector x) {
    FloatVector size = x.abs();
    size = size.blend(FARTHEST, size.compare(VectorOperators.GT, FARTHEST));
    FloatVector one = FloatVector.broadcast(SPECIES, 1f);
    FloatVector t = one.div(size.fma(FloatVector.broadcast(SPECIES, 0.21213204f), one));
    FloatVector half = size.mul(0.5f);
    FloatVector square = half.mul(size);
    FloatVector lost = half.fma(size, square.neg()); // lost by rounding
    FloatVector power = exp(square.neg());
    power = power.sub(power.mul(lost));
    FloatVector p = FloatVector.broadcast(SPECIES, -0.13084516f);
    p = p.fma(t, FloatVector.broadcast(SPECIES, 0.49228653f));
    p = p.fma(t, FloatVector.broadcast(SPECIES, -0.52685606f));
    p = p.fma(t, FloatVector.broadcast(SPECIES, 0.565286f));
    p = p.fma(t, FloatVector.broadcast(SPECIES, -0.10748653f));
    p = p.fma(t, FloatVector.broadcast(SPECIES, 0.22073731f));
    p = p.fma(t, FloatVector.broadcast(SPECIES, 0.14675058f));
    p = p.fma(t, FloatVector.broadcast(SPECIES, 0.17095456f));
    p = p.fma(t, FloatVector.broadcast(SPECIES, 0.16917281f));
    FloatVector below = p.mul(t).mul(0.5f).mul(power);
    return x.mul(below.blend(one.sub(below), x.compare(VectorOperators.GE, 0f)));
  }

  /**
   * The error function, within 4 ulp. Near zero it is a polynomial, elsewhere 1 minus the
   * complement, for which {@code exp(z * z) * erfc(z) / t} is a polynomial in {@code t = 1 / (1 +
   * 0.3 * z)}, accurate to 2.5e-8 for z up to 10.2. Expressions are long because HotSpot would not
   * inline a method of more than 325 bytes of bytecode into a loop.
   *
   * @param power e to the power of {@code -x * x}
   */
  static FloatVector erf(FloatVector x, FloatVector power) {
    FloatVector size = x.abs();
    FloatVector t =
        size.fma(FloatVector.broadcast(SPECIES, 0.3f), FloatVector.broadcast(SPECIES, 1f));
    t = FloatVector.broadcast(SPECIES, 1f).div(t);
    FloatVector missing =
        FloatVector.broadcast(SPECIES, -0.13084516f)
            .fma(t, FloatVector.broadcast(SPECIES, 0.49228653f))
            .fma(t, FloatVector.broadcast(SPECIES, -0.52685606f))
            .fma(t, FloatVector.broadcast(SPECIES, 0.565286f))
            .fma(t, FloatVector.broadcast(SPECIES, -0.10748653f))
            .fma(t, FloatVector.broadcast(SPECIES, 0.22073731f))
            .fma(t, FloatVector.broadcast(SPECIES, 0.14675058f))
            .fma(t, FloatVector.broadcast(SPECIES, 0.17095456f))
            .fma(t, FloatVector.broadcast(SPECIES, 0.16917281f))
            .mul(t)
            .mul(power);
    t = x.mul(x);
    FloatVector near =
        FloatVector.broadcast(SPECIES, 7.8538615e-5f)
            .fma(t, FloatVector.broadcast(SPECIES, -8.0101937e-4f))
            .fma(t, FloatVector.broadcast(SPECIES, 0.0051883277f))
            .fma(t, FloatVector.broadcast(SPECIES, -0.026853813f))
            .fma(t, FloatVector.broadcast(SPECIES, 0.112835854f))
            .fma(t, FloatVector.broadcast(SPECIES, -0.37612626f))
            .fma(t, FloatVector.broadcast(SPECIES, 1.1283791f))
            .mul(x);
    FloatVector far = FloatVector.broadcast(SPECIES, 1f).sub(missing);
    far = far.blend(1f, size.compare(VectorOperators.GT, 5f));
    far = far.blend(far.neg(), x.compare(VectorOperators.LT, 0f));
    return far.blend(near, size.compare(VectorOperators.LT, 1f));
  }

  /**
   * The complement of the error function, within 10 ulp, by the polynomial of {@link #erf}; for
   * negative x, 2 minus the complement for -x.
   */
  static FloatVector erfc(FloatVector x) {
    FloatVector size = x.abs();
    FloatVector square = x.mul(x);
    FloatVector lost = size.fma(size, square.neg());
    FloatVector power = exp(square.neg());
    FloatVector one = FloatVector.broadcast(SPECIES, 1f);
    FloatVector t = one.div(size.fma(FloatVector.broadcast(SPECIES, 0.3f), one));
    FloatVector p = FloatVector.broadcast(SPECIES, -0.13084516f);
    p = p.fma(t, FloatVector.broadcast(SPECIES, 0.49228653f));
    p = p.fma(t, FloatVector.broadcast(SPECIES, -0.52685606f));
    p = p.fma(t, FloatVector.broadcast(SPECIES, 0.565286f));
    p = p.fma(t, FloatVector.broadcast(SPECIES, -0.10748653f));
    p = p.fma(t, FloatVector.broadcast(SPECIES, 0.22073731f));
    p = p.fma(t, FloatVector.broadcast(SPECIES, 0.14675058f));
    p = p.fma(t, FloatVector.broadcast(SPECIES, 0.17095456f));
    p = p.fma(t, FloatVector.broadcast(SPECIES, 0.16917281f));
    FloatVector beyond = p.mul(t).mul(power.sub(power.mul(lost)));
    beyond = beyond.blend(0f, size.compare(VectorOperators.GT, FARTHEST_COMPLEMENT));
    FloatVector below = FloatVector.broadcast(SPECIES, 2f).sub(beyond);
    return beyond.blend(below, x.compare(VectorOperators.LT, 0f));
  }

  /** 1, -1, or 0; NaN also gives 0. */
  static FloatVector sign(FloatVector x) {
    FloatVector zero = FloatVector.zero(SPECIES);
    return zero.blend(1f, x.compare(VectorOperators.GT, 0f))
        .blend(-1f, x.compare(VectorOperators.LT, 0f));
  }

  /**
   * {@code x} times the logistic function of {@code 2 * sqrt(2 / pi) * (x + 0.044715 * x^3)}, which
   * is half the hyperbolic tangent of half of that, plus a half.
   */
  static FloatVector tanhGelu(FloatVector x) {
    FloatVector inner =
        x.mul(x)
            .fma(
                FloatVector.broadcast(SPECIES, 0.071354814f),
                FloatVector.broadcast(SPECIES, 1.595769f))
            .mul(x);
    return x.mul(sigmoid(inner));
  }

  /** {@code x * min(max(x + 3, 0), 6) / 6}. */
  static FloatVector hardSwish(FloatVector x) {
    return x.mul(hardSigmoid(x));
  }

  /** {@code min(max(x + 3, 0), 6) / 6}. */
  static FloatVector hardSigmoid(FloatVector x) {
    return x.add(3f).max(0f).min(6f).div(6f);
  }

  /** {@code x} where it is positive, elsewhere {@code other}. */
  static FloatVector positiveOr(FloatVector x, FloatVector other) {
    return other.blend(x, x.compare(VectorOperators.GT, 0f));
  }

  static FloatVector softShrink(FloatVector x, float bound) {
    return x.mul(0f)
        .blend(x.sub(bound), x.compare(VectorOperators.GT, bound))
        .blend(x.add(bound), x.compare(VectorOperators.LT, -bound));
  }

  static FloatVector hardShrink(FloatVector x, float bound) {
    VectorMask<Float> near = x.compare(VectorOperators.GE, -bound);
    return x.blend(0f, near.and(x.compare(VectorOperators.LE, bound)));
  }

  static FloatVector replaceNonFinite(FloatVector x, float nan, float most, float least) {
    return x.blend(nan, x.test(VectorOperators.IS_NAN))
        .blend(most, x.compare(VectorOperators.EQ, Float.POSITIVE_INFINITY))
        .blend(least, x.compare(VectorOperators.EQ, Float.NEGATIVE_INFINITY));
  }

  static FloatVector threshold(FloatVector x, float bound, float value) {
    return x.blend(value, x.compare(VectorOperators.LE, bound));
  }

  /** The length of the sides {@code a} and {@code b}, neither negative: within 2 ulp. */
  static FloatVector hypot(FloatVector a, FloatVector b) {
    FloatVector longer = a.max(b);
    FloatVector share = a.min(b).div(longer);
    FloatVector one = FloatVector.broadcast(SPECIES, 1f);
    FloatVector length = longer.mul(share.fma(share, one).sqrt());
    length = length.blend(0f, longer.compare(VectorOperators.EQ, 0f));
    VectorMask<Float> infinite = a.compare(VectorOperators.EQ, Float.POSITIVE_INFINITY);
    infinite = infinite.or(b.compare(VectorOperators.EQ, Float.POSITIVE_INFINITY));
    return length.blend(Float.POSITIVE_INFINITY, infinite);
  }

  /** The loss for numbers that are {@code away} from their targets. */
  static FloatVector smoothL1(FloatVector away, float beta) {
    FloatVector near = away.mul(0.5f).mul(away).div(beta);
    return away.sub(0.5f * beta).blend(near, away.compare(VectorOperators.LT, beta));
  }

  /** The loss for numbers that are {@code away} from their targets. */
  static FloatVector huber(FloatVector away, float delta) {
    FloatVector near = away.mul(0.5f).mul(away);
    FloatVector far = away.sub(0.5f * delta).mul(delta);
    return far.blend(near, away.compare(VectorOperators.LE, delta));
  }

  /** Linear interpolation, from the nearer end. */
  static FloatVector lerp(FloatVector a, FloatVector way, FloatVector b, FloatVector weight) {
    FloatVector far = b.sub(way.mul(weight.neg().add(1f)));
    FloatVector near = weight.fma(way, a);
    return far.blend(near, weight.compare(VectorOperators.LT, 0.5f));
  }
}
