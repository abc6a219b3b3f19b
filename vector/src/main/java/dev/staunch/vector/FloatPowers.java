package dev.staunch.vector;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.kernel.primitive.RowFormula;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Powers of float32 numbers by way of a logarithm and a power of two in double precision, whose
 * relative errors are below 1e-9 together: within 0.51 ulp of the exact power. Numbers that are not
 * {@linkplain #isPlain plain} are replaced one by one. Each step is a loop of its own: together
 * they have more nodes than HotSpot inlines.
 */
record FloatPowers() implements RowFormula {
  private static final VectorSpecies<Double> WIDE = DoubleVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Float> SPECIES =
      VectorSpecies.of(float.class, VectorShape.forBitSize(WIDE.vectorBitSize() / 2));
  private static final int LANES = SPECIES.length();

  /** HotSpot has no conversions for two lanes, so narrower vectors leave powers to other sets. */
  private static final int LEAST = 4;

  static final Map<String, RowFormula> ALL =
      LANES < LEAST ? Map.of() : Map.of("power", new FloatPowers());

  /** Numbers at a time; a multiple of {@link #LANES}. */
  private static final int TILE = 256;

  /** A sum with this has no digits after the point; its lowest bit says whether it is odd. */
  private static final float ROUNDING = 3 << 22;

  /** The largest exponents for which that holds. */
  private static final float LARGE = 1 << 22;

  /** The bits of the square root of a half, less 1,024 steps of the exponent. */
  private static final long ROOT = 0x3fe6a09e667f3bcdL - (1024L << 52);

  private static final long BIAS = 1024L << 52;

  /** The bits of 2^52: a small integer in their place is added to it. */
  private static final long INTEGER = 0x4330000000000000L;

  /** Twice the logarithm of e to base 2. */
  private static final double TWICE = 0x1.71547652b82fep+1;

  private static final double WIDE_ROUNDING = 0x1.8p52;

  /** Powers of two beyond this are 0 or infinite in float32. */
  private static final double MOST = 300;

  @Override
  public void run(
      MemorySegment x,
      long fromX,
      MemorySegment y,
      long fromY,
      MemorySegment out,
      long to,
      int count) {
    Tile tile = new Tile();
    for (int done = 0; done < count; done += TILE) {
      int part = Math.min(TILE, count - done);
      MemorySegment.copy(y, JAVA_FLOAT, (fromY + done) * Float.BYTES, tile.b, 0, part);
      tile.run(x, fromX + done, out, to + done, part);
    }
  }

  @Override
  public void run(
      MemorySegment x, long fromX, double number, MemorySegment out, long to, int count) {
    Tile tile = new Tile();
    Arrays.fill(tile.b, (float) number);
    for (int done = 0; done < count; done += TILE) {
      tile.run(x, fromX + done, out, to + done, Math.min(TILE, count - done));
    }
  }

  /** A loop over a tile. A call finds one of several, so HotSpot inlines none into its caller. */
  private interface Step {
    void run(Tile tile, int count);
  }

  private static final Step[] STEPS = {
    FloatPowers::logarithms, FloatPowers::powersOfTwo, FloatPowers::round
  };

  /** Bases, exponents and powers, and what is between them; room for the last whole vector. */
  private static final class Tile {
    final float[] a = new float[TILE];
    final float[] b = new float[TILE];
    final double[] wide = new double[TILE];
    final float[] powers = new float[TILE];

    /** Whether {@link #isPlain} is true of all bases and exponents. */
    boolean plain;

    /** Raises {@code count} bases to the exponents that are in the array. */
    void run(MemorySegment x, long from, MemorySegment out, long to, int count) {
      MemorySegment.copy(x, JAVA_FLOAT, from * Float.BYTES, a, 0, count);
      for (Step step : STEPS) {
        step.run(this, count);
      }
      if (!plain) {
        replace(a, b, powers, count);
      }
      MemorySegment.copy(powers, 0, out, JAVA_FLOAT, to * Float.BYTES, count);
    }
  }

  private static void logarithms(Tile tile, int count) {
    float[] a = tile.a;
    float[] b = tile.b;
    double[] wide = tile.wide;
    for (int i = 0; i < count; i += LANES) {
      logarithm(wide(a, i).abs()).mul(wide(b, i)).intoArray(wide, i);
    }
  }

  private static void powersOfTwo(Tile tile, int count) {
    double[] wide = tile.wide;
    for (int i = 0; i < count; i += LANES) {
      powerOfTwo(DoubleVector.fromArray(WIDE, wide, i)).intoArray(wide, i);
    }
  }

  private static void round(Tile tile, int count) {
    float[] a = tile.a;
    float[] b = tile.b;
    double[] wide = tile.wide;
    float[] powers = tile.powers;
    boolean plain = true;
    for (int i = 0; i < count; i += LANES) {
      DoubleVector base = wide(a, i);
      DoubleVector exponent = wide(b, i);
      DoubleVector power = signed(DoubleVector.fromArray(WIDE, wide, i), base, exponent);
      ((FloatVector) power.convertShape(VectorOperators.D2F, SPECIES, 0)).intoArray(powers, i);
      plain &= arePlain(base, exponent);
    }
    tile.plain = plain;
  }

  private static void replace(float[] a, float[] b, float[] powers, int count) {
    for (int i = 0; i < count; i++) {
      if (!isPlain(a[i], b[i])) {
        powers[i] = power(a[i], b[i]);
      }
    }
  }

  /**
   * Whether the base is finite and the exponent below 2^22, whole for a negative base, and positive
   * for a zero.
   */
  private static boolean isPlain(float a, float b) {
    return Math.abs(a) <= Float.MAX_VALUE
        && Math.abs(b) < LARGE
        && (a != 0 || b > 0)
        && (Float.floatToRawIntBits(a) >= 0 || b + ROUNDING - ROUNDING == b);
  }

  private static boolean arePlain(DoubleVector a, DoubleVector b) {
    DoubleVector size = a.abs();
    VectorMask<Double> whole =
        b.add(WIDE_ROUNDING).sub(WIDE_ROUNDING).compare(VectorOperators.EQ, b);
    return size.compare(VectorOperators.LE, Float.MAX_VALUE)
        .and(b.abs().compare(VectorOperators.LT, LARGE))
        .and(size.compare(VectorOperators.GT, 0).or(b.compare(VectorOperators.GT, 0)))
        .and(a.reinterpretAsLongs().compare(VectorOperators.GE, 0).cast(WIDE).or(whole))
        .allTrue();
  }

  /**
   * Some floats as doubles. Nothing else is done with vectors of half the size: HotSpot shares one
   * profile of the Vector API among all vectors of floats, and compiles methods that take such
   * vectors well only where it has seen a single size.
   */
  private static DoubleVector wide(float[] numbers, int from) {
    return (DoubleVector)
        FloatVector.fromArray(SPECIES, numbers, from).convertShape(VectorOperators.F2D, WIDE, 0);
  }

  /** The power of zeros as well, and negative for an odd power of a negative number. */
  private static DoubleVector signed(DoubleVector power, DoubleVector a, DoubleVector b) {
    LongVector odd = b.add(WIDE_ROUNDING).reinterpretAsLongs().lanewise(VectorOperators.LSHL, 63);
    LongVector sign = a.reinterpretAsLongs().and(Long.MIN_VALUE).and(odd);
    DoubleVector size = power.blend(0, a.compare(VectorOperators.EQ, 0));
    return size.reinterpretAsLongs().or(sign).reinterpretAsDoubles();
  }

  private static DoubleVector all(double number) {
    return DoubleVector.broadcast(WIDE, number);
  }

  /** The logarithm to base 2 of a positive number: that of a factor around 1, by its series. */
  private static DoubleVector logarithm(DoubleVector x) {
    LongVector bits = x.reinterpretAsLongs();
    LongVector steps = bits.sub(ROOT).lanewise(VectorOperators.LSHR, 52);
    DoubleVector power =
        steps.or(INTEGER).reinterpretAsDoubles().sub(Double.longBitsToDouble(INTEGER) + 1024);
    DoubleVector m =
        bits.sub(steps.lanewise(VectorOperators.LSHL, 52).sub(BIAS)).reinterpretAsDoubles();
    DoubleVector s = m.sub(1).div(m.add(1));
    DoubleVector square = s.mul(s);
    DoubleVector p = all(TWICE / 13);
    p = p.fma(square, all(TWICE / 11));
    p = p.fma(square, all(TWICE / 9));
    p = p.fma(square, all(TWICE / 7));
    p = p.fma(square, all(TWICE / 5));
    p = p.fma(square, all(TWICE / 3));
    p = p.fma(square, all(TWICE));
    return p.fma(s, power);
  }

  private static DoubleVector powerOfTwo(DoubleVector exponent) {
    DoubleVector x = exponent.min(MOST).max(-MOST);
    DoubleVector rounded = x.add(WIDE_ROUNDING);
    DoubleVector f = x.sub(rounded.sub(WIDE_ROUNDING));
    DoubleVector p = all(0x1.62c0223a5c824p-20); // ln(2)^8 / 8!
    p = p.fma(f, all(0x1.ffcbfc588b0c7p-17));
    p = p.fma(f, all(0x1.430912f86c787p-13));
    p = p.fma(f, all(0x1.5d87fe78a6731p-10));
    p = p.fma(f, all(0x1.3b2ab6fba4e77p-7));
    p = p.fma(f, all(0x1.c6b08d704a0c0p-5));
    p = p.fma(f, all(0x1.ebfbdff82c58fp-3));
    p = p.fma(f, all(0x1.62e42fefa39efp-1));
    p = p.fma(f, all(1));
    LongVector power = rounded.reinterpretAsLongs().lanewise(VectorOperators.LSHL, 52);
    return power.add(p.reinterpretAsLongs()).reinterpretAsDoubles();
  }

  /** As in C: 1 to any power is 1, and -1 to an infinite power is 1. */
  private static float power(float base, float exponent) {
    boolean one = base == 1 || (base == -1 && Float.isInfinite(exponent));
    return one ? 1 : (float) Math.pow(base, exponent);
  }
}
