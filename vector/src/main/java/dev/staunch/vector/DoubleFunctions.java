package dev.staunch.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Functions of float64 vectors, each fit to be inlined into a loop, as {@link FloatFunctions}. */
final class DoubleFunctions {
  private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
  private static final double LOG2_OF_E = 0x1.71547652b82fep+0;

  /** ln 2 in two parts: the first has few digits, so its multiples are exact. */
  private static final double LN2_HIGH = 0x1.62e42feep-1;

  private static final double LN2_LOW = 0x1.a39ef35793c76p-33;

  /** Adding this to a double below 2^51 leaves the nearest integer in the lowest bits. */
  private static final double ROUNDING = 0x1.8p52;

  private static final long ROUNDING_BITS = Double.doubleToRawLongBits(ROUNDING);
  private static final int EXPONENT = 52;
  private static final long BIAS = 1023;

  /** Above this the result is infinite; below {@code LEAST} it rounds to 0. */
  private static final double GREATEST = 0x1.62e42fefa39efp+9;

  private static final double LEAST = -745.1332191019412;
  private static final long ROOT_OF_HALF = Double.doubleToRawLongBits(0x1.6a09e667f3bcdp-1);

  /** The bits of 2^52 and of the greatest exponents: an integer there is added to it. */
  private static final long INTEGER = 0x4330000000000000L;

  private DoubleFunctions() {}

  /** {@code (e^r - 1 - r) / r^2}, for r within half of ln 2. */
  private static DoubleVector beyond(DoubleVector r) {
    DoubleVector p = DoubleVector.broadcast(SPECIES, 1 / 6227020800.0);
    p = p.fma(r, DoubleVector.broadcast(SPECIES, 1 / 479001600.0));
    p = p.fma(r, DoubleVector.broadcast(SPECIES, 1 / 39916800.0));
    p = p.fma(r, DoubleVector.broadcast(SPECIES, 1 / 3628800.0));
    p = p.fma(r, DoubleVector.broadcast(SPECIES, 1 / 362880.0));
    p = p.fma(r, DoubleVector.broadcast(SPECIES, 1 / 40320.0));
    p = p.fma(r, DoubleVector.broadcast(SPECIES, 1 / 5040.0));
    p = p.fma(r, DoubleVector.broadcast(SPECIES, 1 / 720.0));
    p = p.fma(r, DoubleVector.broadcast(SPECIES, 1 / 120.0));
    p = p.fma(r, DoubleVector.broadcast(SPECIES, 1 / 24.0));
    p = p.fma(r, DoubleVector.broadcast(SPECIES, 1 / 6.0));
    return p.fma(r, DoubleVector.broadcast(SPECIES, 0.5));
  }

  /** {@code (2 artanh(s) - 2 s) / s^3} for the square z of s, which is at most 0.03. */
  private static DoubleVector arc(DoubleVector z) {
    DoubleVector p = DoubleVector.broadcast(SPECIES, 2 / 21.0);
    p = p.fma(z, DoubleVector.broadcast(SPECIES, 2 / 19.0));
    p = p.fma(z, DoubleVector.broadcast(SPECIES, 2 / 17.0));
    p = p.fma(z, DoubleVector.broadcast(SPECIES, 2 / 15.0));
    p = p.fma(z, DoubleVector.broadcast(SPECIES, 2 / 13.0));
    p = p.fma(z, DoubleVector.broadcast(SPECIES, 2 / 11.0));
    p = p.fma(z, DoubleVector.broadcast(SPECIES, 2 / 9.0));
    p = p.fma(z, DoubleVector.broadcast(SPECIES, 2 / 7.0));
    p = p.fma(z, DoubleVector.broadcast(SPECIES, 2 / 5.0));
    return p.fma(z, DoubleVector.broadcast(SPECIES, 2 / 3.0));
  }

  /**
   * e to the power of each element, within 2 ulp, by its Taylor series around a multiple of ln 2.
   * NaN and infinities are handled as by {@link Math#exp}.
   */
  static DoubleVector exp(DoubleVector x) {
    DoubleVector rounded =
        x.fma(
            DoubleVector.broadcast(SPECIES, LOG2_OF_E), DoubleVector.broadcast(SPECIES, ROUNDING));
    DoubleVector n = rounded.sub(ROUNDING);
    DoubleVector r = n.fma(DoubleVector.broadcast(SPECIES, -LN2_HIGH), x);
    r = n.fma(DoubleVector.broadcast(SPECIES, -LN2_LOW), r);
    DoubleVector p = beyond(r).fma(r.mul(r), r).add(1);
    // In two steps, because 2^n itself may not be a normal number.
    LongVector power = rounded.reinterpretAsLongs().sub(ROUNDING_BITS);
    LongVector half = power.lanewise(VectorOperators.ASHR, 1);
    LongVector low = half.add(BIAS).lanewise(VectorOperators.LSHL, EXPONENT);
    LongVector high = power.sub(half).add(BIAS).lanewise(VectorOperators.LSHL, EXPONENT);
    DoubleVector result = p.mul(low.reinterpretAsDoubles()).mul(high.reinterpretAsDoubles());
    result = result.blend(Double.POSITIVE_INFINITY, x.compare(VectorOperators.GT, GREATEST));
    return result.blend(0, x.compare(VectorOperators.LT, LEAST));
  }

  /** {@code 1 / (1 + exp(-x))}, without loss of precision for small results: within 4 ulp. */
  static DoubleVector sigmoid(DoubleVector x) {
    DoubleVector power = exp(x.abs().neg());
    DoubleVector one = DoubleVector.broadcast(SPECIES, 1);
    DoubleVector above = power.blend(one, x.compare(VectorOperators.GE, 0));
    return above.div(power.add(1));
  }

  /**
   * The natural logarithm, within 2 ulp: of a factor around 1 by the series of the inverse
   * hyperbolic tangent, as f less half its square and a rest.
   */
  static DoubleVector log(DoubleVector x) {
    VectorMask<Double> small = x.compare(VectorOperators.LT, Double.MIN_NORMAL);
    DoubleVector scaled = x.mul(0x1p52, small);
    LongVector bits = scaled.reinterpretAsLongs();
    LongVector power = bits.sub(ROOT_OF_HALF).lanewise(VectorOperators.ASHR, EXPONENT);
    DoubleVector e =
        power.add(INTEGER + 2048).reinterpretAsDoubles().sub(0x1p52 + 2048).sub(EXPONENT, small);
    DoubleVector f =
        bits.sub(power.lanewise(VectorOperators.LSHL, EXPONENT)).reinterpretAsDoubles().sub(1);
    DoubleVector s = f.div(f.add(2));
    DoubleVector z = s.mul(s);
    DoubleVector half = f.mul(f).mul(0.5);
    // ln(1 + f) = f - half + s * (half + z * p), to which the multiple of ln 2 is added.
    DoubleVector rest = arc(z).fma(z, half).mul(s);
    rest = e.fma(DoubleVector.broadcast(SPECIES, LN2_LOW), rest);
    DoubleVector y = f.sub(half.sub(rest));
    y = e.fma(DoubleVector.broadcast(SPECIES, LN2_HIGH), y);
    y = y.blend(x, x.compare(VectorOperators.EQ, Double.POSITIVE_INFINITY));
    y = y.blend(Double.NEGATIVE_INFINITY, x.compare(VectorOperators.EQ, 0));
    return y.blend(Double.NaN, x.compare(VectorOperators.GE, 0).not());
  }

  /** The hyperbolic tangent, within 4 ulp; near zero by the quotient of Cephes. */
  static DoubleVector tanh(DoubleVector x) {
    DoubleVector size = x.abs();
    DoubleVector far = exp(size.add(size)).add(1);
    far = DoubleVector.broadcast(SPECIES, 1).sub(DoubleVector.broadcast(SPECIES, 2).div(far));
    DoubleVector z = x.mul(x);
    DoubleVector p = z.mul(-0.9643991794250523).add(-99.28772310019185);
    p = p.fma(z, DoubleVector.broadcast(SPECIES, -1614.6876844170845));
    DoubleVector q = z.add(112.81167849163293);
    q = q.fma(z, DoubleVector.broadcast(SPECIES, 2235.4883906010045));
    q = q.fma(z, DoubleVector.broadcast(SPECIES, 4844.063053251255));
    DoubleVector near = p.div(q).mul(z).fma(size, size);
    LongVector bits = far.blend(near, size.compare(VectorOperators.LT, 0.625)).reinterpretAsLongs();
    return bits.or(x.reinterpretAsLongs().and(Long.MIN_VALUE)).reinterpretAsDoubles();
  }
}
