package dev.staunch.vector;

import java.util.function.DoubleUnaryOperator;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Trigonometric functions of float32 vectors, by the polynomials of Cephes. An angle is reduced to
 * a number of quarter turns and a remainder. The remainder is computed with a quarter turn in three
 * parts, whose multiples are exact when subtracted one after another. Larger angles, which rarely
 * occur, are left to {@link Math}.
 */
final class FloatAngles {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;

  /** Larger angles have more quarter turns than float32 can count. */
  private static final float LARGE = 1 << 15;

  private static final float QUARTERS = 0x1.45f306p-1f;
  private static final float QUARTER_HIGH = 0x1.921fb6p0f;
  private static final float QUARTER_MIDDLE = -0x1.777a5cp-25f;
  private static final float QUARTER_LOW = -0x1.ee59dap-50f;
  private static final float ROUNDING = 0x1.8p23f;
  private static final int SIGN = 31;
  private static final float PI = (float) Math.PI;
  private static final float HALF_PI = (float) (Math.PI / 2);
  private static final float QUARTER_PI = (float) (Math.PI / 4);

  /** The tangent of an eighth of a half turn. */
  private static final float TANGENT = 0.41421357f;

  private FloatAngles() {}

  private static FloatVector all(float number) {
    return FloatVector.broadcast(SPECIES, number);
  }

  /** The nearest number of quarter turns, in the lowest bits. */
  private static FloatVector rounded(FloatVector x) {
    return x.fma(all(QUARTERS), all(ROUNDING));
  }

  private static FloatVector rest(FloatVector x, FloatVector rounded) {
    FloatVector n = rounded.sub(ROUNDING);
    FloatVector r = n.fma(all(-QUARTER_HIGH), x);
    r = n.fma(all(-QUARTER_MIDDLE), r);
    return n.fma(all(-QUARTER_LOW), r);
  }

  /** The sine of an angle of at most an eighth of a turn. */
  private static FloatVector nearSine(FloatVector r, FloatVector square) {
    FloatVector p = all(-1.9515296e-4f);
    p = p.fma(square, all(0.008332161f));
    p = p.fma(square, all(-0.16666655f));
    return p.mul(square).fma(r, r);
  }

  /** The cosine of an angle of at most an eighth of a turn. */
  private static FloatVector nearCosine(FloatVector square) {
    FloatVector p = all(2.4433157e-5f);
    p = p.fma(square, all(-0.0013887316f));
    p = p.fma(square, all(0.041666646f));
    p = p.fma(square, all(-0.5f));
    return p.fma(square, all(1f));
  }

  /** The sine of {@code r} plus {@code quarters} quarter turns; bit 1 of these is the sign. */
  private static FloatVector turned(FloatVector r, IntVector quarters) {
    FloatVector square = r.mul(r);
    VectorMask<Float> odd = quarters.and(1).compare(VectorOperators.NE, 0).cast(SPECIES);
    FloatVector y = nearSine(r, square).blend(nearCosine(square), odd);
    IntVector sign = quarters.and(2).lanewise(VectorOperators.LSHL, SIGN - 1);
    return y.reinterpretAsInts().lanewise(VectorOperators.XOR, sign).reinterpretAsFloats();
  }

  private static FloatVector withLarge(FloatVector x, FloatVector y, DoubleUnaryOperator exact) {
    VectorMask<Float> near = x.abs().compare(VectorOperators.LT, LARGE);
    return near.allTrue() ? y : each(x, y, near, exact);
  }

  private static FloatVector each(
      FloatVector x, FloatVector y, VectorMask<Float> near, DoubleUnaryOperator exact) {
    float[] angles = x.toArray();
    float[] results = y.toArray();
    for (int i = 0; i < results.length; i++) {
      results[i] = near.laneIsSet(i) ? results[i] : (float) exact.applyAsDouble(angles[i]);
    }
    return FloatVector.fromArray(SPECIES, results, 0);
  }

  /** The sine, within 2 ulp. */
  static FloatVector sin(FloatVector x) {
    FloatVector rounded = rounded(x);
    FloatVector y = turned(rest(x, rounded), rounded.reinterpretAsInts());
    y = y.blend(x, x.compare(VectorOperators.EQ, 0f)); // keeps the sign of zero
    return withLarge(x, y, Math::sin);
  }

  /** The cosine, within 2 ulp. */
  static FloatVector cos(FloatVector x) {
    FloatVector rounded = rounded(x);
    FloatVector y = turned(rest(x, rounded), rounded.reinterpretAsInts().add(1));
    return withLarge(x, y, Math::cos);
  }

  /** The tangent, within 4 ulp. */
  static FloatVector tan(FloatVector x) {
    FloatVector rounded = rounded(x);
    FloatVector r = rest(x, rounded);
    FloatVector square = r.mul(r);
    FloatVector sine = nearSine(r, square);
    FloatVector cosine = nearCosine(square);
    VectorMask<Float> odd =
        rounded.reinterpretAsInts().and(1).compare(VectorOperators.NE, 0).cast(SPECIES);
    FloatVector y = sine.blend(cosine.neg(), odd).div(cosine.blend(sine, odd));
    y = y.blend(x, x.compare(VectorOperators.EQ, 0f)); // keeps the sign of zero
    return withLarge(x, y, Math::tan);
  }

  /**
   * The angle of a tangent from 0 to 1. Beyond an eighth of a half turn it is computed relative to
   * the middle of the quarter turn.
   */
  static FloatVector nearArc(FloatVector t) {
    VectorMask<Float> wide = t.compare(VectorOperators.GT, TANGENT);
    FloatVector z = t.blend(t.sub(1f).div(t.add(1f)), wide);
    FloatVector square = z.mul(z);
    FloatVector p = all(0.080537446f);
    p = p.fma(square, all(-0.13877685f));
    p = p.fma(square, all(0.19977711f));
    p = p.fma(square, all(-0.3333295f));
    p = p.mul(square).fma(z, z);
    return p.blend(p.add(QUARTER_PI), wide);
  }

  /** The arc tangent, within 3 ulp. */
  static FloatVector atan(FloatVector x) {
    FloatVector size = x.abs();
    VectorMask<Float> steep = size.compare(VectorOperators.GT, 1f);
    FloatVector arc = nearArc(size.blend(all(1f).div(size), steep));
    return FloatFunctions.withSignOf(arc.blend(all(HALF_PI).sub(arc), steep), x);
  }

  /** The ratio of the shorter of two sides to the longer, without signs. */
  static FloatVector tangent(FloatVector y, FloatVector x) {
    FloatVector up = y.abs();
    FloatVector aside = x.abs();
    FloatVector more = up.max(aside);
    FloatVector tangent = up.min(aside).div(more);
    tangent = tangent.blend(1f, up.compare(VectorOperators.EQ, aside)); // both may be infinite
    return tangent.blend(0f, more.compare(VectorOperators.EQ, 0f));
  }

  /**
   * The angle of the point {@code (x, y)}, from {@link #nearArc} of their {@link #tangent}: within
   * 4 ulp.
   */
  static FloatVector around(FloatVector arc, FloatVector y, FloatVector x) {
    VectorMask<Float> steep = y.abs().compare(VectorOperators.GT, x.abs());
    FloatVector angle = arc.blend(all(HALF_PI).sub(arc), steep);
    VectorMask<Float> left = x.reinterpretAsInts().compare(VectorOperators.LT, 0).cast(SPECIES);
    return FloatFunctions.withSignOf(angle.blend(all(PI).sub(angle), left), y);
  }

  /** The arc sine of a number from -0.5 to 0.5, by the polynomial of Cephes. */
  private static FloatVector nearArcSine(FloatVector x, FloatVector square) {
    FloatVector p = FloatVector.broadcast(SPECIES, 0.0421632f);
    p = p.fma(square, FloatVector.broadcast(SPECIES, 0.02418131f));
    p = p.fma(square, FloatVector.broadcast(SPECIES, 0.045470025f));
    p = p.fma(square, FloatVector.broadcast(SPECIES, 0.074953005f));
    p = p.fma(square, FloatVector.broadcast(SPECIES, 0.16666752f));
    return p.mul(square).fma(x, x);
  }

  /** The arc sine, within 3 ulp; beyond a half, by that of half the angle's complement. */
  static FloatVector asin(FloatVector x) {
    FloatVector size = x.abs();
    VectorMask<Float> far = size.compare(VectorOperators.GT, 0.5f);
    FloatVector square = size.mul(size).blend(all(1f).sub(size).mul(0.5f), far);
    FloatVector arc = nearArcSine(size.blend(square.sqrt(), far), square);
    FloatVector beyond = FloatVector.broadcast(SPECIES, HALF_PI).sub(arc.add(arc));
    IntVector sign = x.reinterpretAsInts().and(Integer.MIN_VALUE);
    return arc.blend(beyond, far).reinterpretAsInts().or(sign).reinterpretAsFloats();
  }

  /** The arc cosine, within 3 ulp. */
  static FloatVector acos(FloatVector x) {
    FloatVector size = x.abs();
    VectorMask<Float> far = size.compare(VectorOperators.GT, 0.5f);
    FloatVector square = size.mul(size).blend(all(1f).sub(size).mul(0.5f), far);
    FloatVector arc = nearArcSine(x.blend(square.sqrt(), far), square);
    FloatVector twice = arc.add(arc);
    FloatVector left = FloatVector.broadcast(SPECIES, PI).sub(twice);
    twice = twice.blend(left, x.compare(VectorOperators.LT, 0f));
    return FloatVector.broadcast(SPECIES, HALF_PI).sub(arc).blend(twice, far);
  }
}
