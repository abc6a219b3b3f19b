package dev.staunch.vector;

import dev.staunch.kernel.primitive.Window;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/** The loops of {@link FloatPooling} for means. Positions count elements. */
final class FloatMeans {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final VectorShuffle<Float> EVEN = VectorShuffle.makeUnzip(SPECIES, 0);

  private FloatMeans() {}

  /** The sums of rows that are {@code step} apart. */
  static void down(
      MemorySegment from, long at, long step, int rows, MemorySegment into, long to, int count) {
    NativeSegments.require(from, into);
    for (int i = 0; i < count; i += LANES) {
      FloatVector sum = FloatVector.zero(SPECIES);
      if (i + LANES <= count) {
        for (int row = 0; row < rows; row++) {
          long place = (at + row * step + i) * Float.BYTES;
          sum = FloatVector.fromMemorySegment(SPECIES, from, place, ORDER).add(sum);
        }
        sum.intoMemorySegment(into, (to + i) * Float.BYTES, ORDER);
      } else {
        VectorMask<Float> rest = SPECIES.indexInRange(i, count);
        for (int row = 0; row < rows; row++) {
          long place = (at + row * step + i) * Float.BYTES;
          sum = FloatVector.fromMemorySegment(SPECIES, from, place, ORDER, rest).add(sum);
        }
        sum.intoMemorySegment(into, (to + i) * Float.BYTES, ORDER, rest);
      }
    }
  }

  /**
   * The sums of windows along a row, which is long enough to be read in whole vectors, divided by
   * the counts of their columns, at {@code counts} in the same memory, times {@code rows}.
   */
  static void across(
      MemorySegment from,
      Window window,
      long counts,
      float rows,
      MemorySegment into,
      long to,
      int count) {
    NativeSegments.require(from, into);
    int taps = window.kernel();
    boolean inTwos = window.stride() == 2;
    for (int i = 0; i < count; i += LANES) {
      FloatVector sum = FloatVector.zero(SPECIES);
      for (int tap = 0; tap < taps; tap++) {
        long place = (inTwos ? 2L * i : i) + tap;
        FloatVector x = FloatVector.fromMemorySegment(SPECIES, from, place * Float.BYTES, ORDER);
        if (inTwos) {
          long next = (place + LANES) * Float.BYTES;
          x = x.rearrange(EVEN, FloatVector.fromMemorySegment(SPECIES, from, next, ORDER));
        }
        sum = x.add(sum);
      }
      long place = (counts + i) * Float.BYTES;
      if (i + LANES <= count) {
        FloatVector all = FloatVector.fromMemorySegment(SPECIES, from, place, ORDER).mul(rows);
        sum.div(all).intoMemorySegment(into, (to + i) * Float.BYTES, ORDER);
      } else {
        VectorMask<Float> rest = SPECIES.indexInRange(i, count);
        FloatVector all =
            FloatVector.fromMemorySegment(SPECIES, from, place, ORDER, rest).mul(rows);
        sum.div(all).intoMemorySegment(into, (to + i) * Float.BYTES, ORDER, rest);
      }
    }
  }
}
