package dev.staunch.vector;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Transforms 4 x 4 pixels into factors, and products into 2 x 2 pixels; a vector holds channels of
 * one pixel. Positions and steps count bytes in segments, elements in arrays.
 */
final class FloatWinogradTile {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private FloatWinogradTile() {}

  private static FloatVector at(MemorySegment from, long place) {
    return FloatVector.fromMemorySegment(SPECIES, from, place, ORDER);
  }

  private static FloatVector at(float[] from, int place) {
    return FloatVector.fromArray(SPECIES, from, place);
  }

  /**
   * Writes {@code Bt d B}.
   *
   * @param places of its 16 elements, added to {@code to}
   */
  static void spread(
      MemorySegment from,
      long place,
      long row,
      long column,
      int channels,
      float[] into,
      int to,
      int[] places) {
    NativeSegments.require(from);
    for (int i = 0; i < channels; i += LANES) {
      long at = place + i * (long) Float.BYTES;
      int target = to + i;
      for (int y = 0; y < 4; y++) {
        // The y-th row of Bt d is a difference or a sum of two rows of d.
        long one = at + (y == 0 ? 0 : y == 2 ? 2 : 1) * row;
        long other = at + (y == 0 ? 2 : y == 1 ? 2 : y == 2 ? 1 : 3) * row;
        FloatVector a = at(from, one);
        FloatVector b = at(from, one + column);
        FloatVector c = at(from, one + 2 * column);
        FloatVector d = at(from, one + 3 * column);
        if (y == 1) {
          a = a.add(at(from, other));
          b = b.add(at(from, other + column));
          c = c.add(at(from, other + 2 * column));
          d = d.add(at(from, other + 3 * column));
        } else {
          a = a.sub(at(from, other));
          b = b.sub(at(from, other + column));
          c = c.sub(at(from, other + 2 * column));
          d = d.sub(at(from, other + 3 * column));
        }
        a.sub(c).intoArray(into, target + places[4 * y]);
        b.add(c).intoArray(into, target + places[4 * y + 1]);
        c.sub(b).intoArray(into, target + places[4 * y + 2]);
        b.sub(d).intoArray(into, target + places[4 * y + 3]);
      }
    }
  }

  /**
   * Writes {@code At m A} plus the bias.
   *
   * @param step from matrix to matrix
   * @param panelStep from panel to panel, each of which has {@link FloatPanels#WIDTH} channels
   * @return whether everything written is finite
   */
  static boolean gather(
      float[] from,
      int place,
      int step,
      int panelStep,
      int channels,
      MemorySegment bias,
      long biasAt,
      MemorySegment into,
      long to,
      long row,
      long column) {
    NativeSegments.require(bias, into);
    FloatVector none = FloatVector.zero(SPECIES);
    FloatVector sum = none; // becomes NaN when it meets a value that is not finite
    for (int i = 0; i < channels; i += LANES) {
      int at = place + i / FloatPanels.WIDTH * panelStep + i % FloatPanels.WIDTH;
      long shift = i * (long) Float.BYTES;
      FloatVector start = at(bias, biasAt + shift);
      FloatVector p = at(from, at + 4 * step);
      FloatVector q = at(from, at + 8 * step);
      FloatVector a = at(from, at).add(p).add(q);
      FloatVector e = p.sub(q).sub(at(from, at + 12 * step));
      p = at(from, at + 5 * step);
      q = at(from, at + 9 * step);
      FloatVector b = at(from, at + step).add(p).add(q);
      FloatVector f = p.sub(q).sub(at(from, at + 13 * step));
      p = at(from, at + 6 * step);
      q = at(from, at + 10 * step);
      FloatVector c = at(from, at + 2 * step).add(p).add(q);
      FloatVector g = p.sub(q).sub(at(from, at + 14 * step));
      p = at(from, at + 7 * step);
      q = at(from, at + 11 * step);
      FloatVector d = at(from, at + 3 * step).add(p).add(q);
      FloatVector h = p.sub(q).sub(at(from, at + 15 * step));
      FloatVector left = a.add(b).add(c).add(start);
      FloatVector right = b.sub(c).sub(d).add(start);
      left.intoMemorySegment(into, to + shift, ORDER);
      right.intoMemorySegment(into, to + shift + column, ORDER);
      sum = left.fma(none, right.fma(none, sum));
      left = e.add(f).add(g).add(start);
      right = f.sub(g).sub(h).add(start);
      left.intoMemorySegment(into, to + shift + row, ORDER);
      right.intoMemorySegment(into, to + shift + row + column, ORDER);
      sum = left.fma(none, right.fma(none, sum));
    }
    return !sum.test(VectorOperators.IS_NAN).anyTrue();
  }
}
