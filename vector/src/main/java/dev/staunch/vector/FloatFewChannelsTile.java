package dev.staunch.vector;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** Multiplies a panel of filters by two rows of six pixels in a band of planes. */
final class FloatFewChannelsTile {
  static final int HEIGHT = 2;
  static final int WIDTH = 6;

  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final long HALF = SPECIES.vectorByteSize();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private FloatFewChannelsTile() {}

  /**
   * Writes the sums of the upper row's pixels, then those of the lower row's, one panel width each.
   *
   * @param panel a row for each element of the kernel; {@code at} in bytes
   * @param upper where an element at offset 0 meets the first pixel of the upper row; likewise
   *     {@code lower}
   * @param offsets of the kernel's elements
   */
  static void multiply(
      MemorySegment panel,
      long at,
      float[] band,
      int upper,
      int lower,
      int[] offsets,
      float[] sums) {
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector a0 = zero, a1 = zero, a2 = zero, a3 = zero, a4 = zero, a5 = zero;
    FloatVector b0 = zero, b1 = zero, b2 = zero, b3 = zero, b4 = zero, b5 = zero;
    FloatVector c0 = zero, c1 = zero, c2 = zero, c3 = zero, c4 = zero, c5 = zero;
    FloatVector d0 = zero, d1 = zero, d2 = zero, d3 = zero, d4 = zero, d5 = zero;
    for (int k = 0; k < offsets.length; k++) {
      FloatVector p = FloatVector.fromMemorySegment(SPECIES, panel, at + 2L * k * HALF, ORDER);
      FloatVector q =
          FloatVector.fromMemorySegment(SPECIES, panel, at + (2L * k + 1) * HALF, ORDER);
      int x = upper + offsets[k];
      FloatVector e = FloatVector.broadcast(SPECIES, band[x]);
      a0 = e.fma(p, a0);
      b0 = e.fma(q, b0);
      e = FloatVector.broadcast(SPECIES, band[x + 1]);
      a1 = e.fma(p, a1);
      b1 = e.fma(q, b1);
      e = FloatVector.broadcast(SPECIES, band[x + 2]);
      a2 = e.fma(p, a2);
      b2 = e.fma(q, b2);
      e = FloatVector.broadcast(SPECIES, band[x + 3]);
      a3 = e.fma(p, a3);
      b3 = e.fma(q, b3);
      e = FloatVector.broadcast(SPECIES, band[x + 4]);
      a4 = e.fma(p, a4);
      b4 = e.fma(q, b4);
      e = FloatVector.broadcast(SPECIES, band[x + 5]);
      a5 = e.fma(p, a5);
      b5 = e.fma(q, b5);
      int y = lower + offsets[k];
      e = FloatVector.broadcast(SPECIES, band[y]);
      c0 = e.fma(p, c0);
      d0 = e.fma(q, d0);
      e = FloatVector.broadcast(SPECIES, band[y + 1]);
      c1 = e.fma(p, c1);
      d1 = e.fma(q, d1);
      e = FloatVector.broadcast(SPECIES, band[y + 2]);
      c2 = e.fma(p, c2);
      d2 = e.fma(q, d2);
      e = FloatVector.broadcast(SPECIES, band[y + 3]);
      c3 = e.fma(p, c3);
      d3 = e.fma(q, d3);
      e = FloatVector.broadcast(SPECIES, band[y + 4]);
      c4 = e.fma(p, c4);
      d4 = e.fma(q, d4);
      e = FloatVector.broadcast(SPECIES, band[y + 5]);
      c5 = e.fma(p, c5);
      d5 = e.fma(q, d5);
    }
    a0.intoArray(sums, 0 * LANES);
    b0.intoArray(sums, 1 * LANES);
    a1.intoArray(sums, 2 * LANES);
    b1.intoArray(sums, 3 * LANES);
    a2.intoArray(sums, 4 * LANES);
    b2.intoArray(sums, 5 * LANES);
    a3.intoArray(sums, 6 * LANES);
    b3.intoArray(sums, 7 * LANES);
    a4.intoArray(sums, 8 * LANES);
    b4.intoArray(sums, 9 * LANES);
    a5.intoArray(sums, 10 * LANES);
    b5.intoArray(sums, 11 * LANES);
    c0.intoArray(sums, 12 * LANES);
    d0.intoArray(sums, 13 * LANES);
    c1.intoArray(sums, 14 * LANES);
    d1.intoArray(sums, 15 * LANES);
    c2.intoArray(sums, 16 * LANES);
    d2.intoArray(sums, 17 * LANES);
    c3.intoArray(sums, 18 * LANES);
    d3.intoArray(sums, 19 * LANES);
    c4.intoArray(sums, 20 * LANES);
    d4.intoArray(sums, 21 * LANES);
    c5.intoArray(sums, 22 * LANES);
    d5.intoArray(sums, 23 * LANES);
  }

  /**
   * Writes one row of sums with the bias.
   *
   * @param first the first of the filters, in {@code bias}
   * @param to the position of the first pixel's sums, in elements
   * @param step from pixel to pixel
   */
  static void store(
      float[] sums, int row, float[] bias, int first, MemorySegment into, long to, int step) {
    NativeSegments.require(into);
    FloatVector left = FloatVector.fromArray(SPECIES, bias, first);
    FloatVector right = FloatVector.fromArray(SPECIES, bias, first + LANES);
    for (int i = 0; i < WIDTH; i++) {
      int from = (row * WIDTH + i) * 2 * LANES;
      long at = (to + (long) i * step) * Float.BYTES;
      FloatVector.fromArray(SPECIES, sums, from).add(left).intoMemorySegment(into, at, ORDER);
      FloatVector.fromArray(SPECIES, sums, from + LANES)
          .add(right)
          .intoMemorySegment(into, at + HALF, ORDER);
    }
  }
}
