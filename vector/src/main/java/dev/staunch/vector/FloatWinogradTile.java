package dev.staunch.vector;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Four by four pixels as what is multiplied, and the products as two by two pixels; a vector has
 * the channels of one pixel. Places and steps count bytes.
 */
final class FloatWinogradTile {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private FloatWinogradTile() {}

  private static FloatVector at(MemorySegment from, long place) {
    return FloatVector.fromMemorySegment(SPECIES, from, place, ORDER);
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
      MemorySegment into,
      long to,
      long[] places) {
    NativeSegments.require(into);
    for (int i = 0; i < channels; i += LANES) {
      long at = place + i * (long) Float.BYTES;
      long target = to + i * (long) Float.BYTES;
      for (int y = 0; y < 4; y++) {
        // The y-th row of Bt d is a difference, or a sum, of two rows of d.
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
        a.sub(c).intoMemorySegment(into, target + places[4 * y], ORDER);
        b.add(c).intoMemorySegment(into, target + places[4 * y + 1], ORDER);
        c.sub(b).intoMemorySegment(into, target + places[4 * y + 2], ORDER);
        b.sub(d).intoMemorySegment(into, target + places[4 * y + 3], ORDER);
      }
    }
  }

  /**
   * Writes {@code At m A}.
   *
   * @param step from matrix to matrix
   * @return whether what it wrote is finite
   */
  static boolean gather(
      MemorySegment from,
      long place,
      long step,
      int channels,
      MemorySegment into,
      long to,
      long row,
      long column) {
    NativeSegments.require(into);
    FloatVector none = FloatVector.zero(SPECIES);
    FloatVector sum = none; // NaN, once it has met what is not finite
    for (int i = 0; i < channels; i += LANES) {
      long at = place + i * (long) Float.BYTES;
      long target = to + i * (long) Float.BYTES;
      FloatVector a = at(from, at).add(at(from, at + 4 * step)).add(at(from, at + 8 * step));
      FloatVector b = at(from, at + step).add(at(from, at + 5 * step)).add(at(from, at + 9 * step));
      FloatVector c =
          at(from, at + 2 * step).add(at(from, at + 6 * step)).add(at(from, at + 10 * step));
      FloatVector d =
          at(from, at + 3 * step).add(at(from, at + 7 * step)).add(at(from, at + 11 * step));
      FloatVector left = a.add(b).add(c);
      FloatVector right = b.sub(c).sub(d);
      left.intoMemorySegment(into, target, ORDER);
      right.intoMemorySegment(into, target + column, ORDER);
      sum = left.fma(none, right.fma(none, sum));
      a = at(from, at + 4 * step).sub(at(from, at + 8 * step)).sub(at(from, at + 12 * step));
      b = at(from, at + 5 * step).sub(at(from, at + 9 * step)).sub(at(from, at + 13 * step));
      c = at(from, at + 6 * step).sub(at(from, at + 10 * step)).sub(at(from, at + 14 * step));
      d = at(from, at + 7 * step).sub(at(from, at + 11 * step)).sub(at(from, at + 15 * step));
      left = a.add(b).add(c);
      right = b.sub(c).sub(d);
      left.intoMemorySegment(into, target + row, ORDER);
      right.intoMemorySegment(into, target + row + column, ORDER);
      sum = left.fma(none, right.fma(none, sum));
    }
    return !sum.test(VectorOperators.IS_NAN).anyTrue();
  }
}
