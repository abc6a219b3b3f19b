package dev.staunch.vector;

import dev.staunch.kernel.primitive.RowFormula;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/** Elements of one row where a row of bools is true, and of another where it is not. */
final class FloatChoice implements RowFormula {
  /** The formula's name. */
  static final String NAME = "choose";

  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  @Override
  public void run(
      MemorySegment truths,
      long fromTruths,
      MemorySegment yes,
      long fromYes,
      MemorySegment no,
      long fromNo,
      MemorySegment out,
      long to,
      int count) {
    NativeSegments.require(truths, out);
    NativeSegments.require(yes, no);
    int whole = SPECIES.loopBound(count);
    for (int i = 0; i < whole; i += LANES) {
      long bits = Truths.load(truths, fromTruths + i, LANES);
      FloatVector a =
          FloatVector.fromMemorySegment(SPECIES, yes, (fromYes + i) * Float.BYTES, ORDER);
      FloatVector b = FloatVector.fromMemorySegment(SPECIES, no, (fromNo + i) * Float.BYTES, ORDER);
      b.blend(a, VectorMask.fromLong(SPECIES, bits))
          .intoMemorySegment(out, (to + i) * Float.BYTES, ORDER);
    }
    if (whole < count) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, count);
      long bits = Truths.loadFew(truths, fromTruths + whole, count - whole);
      FloatVector a =
          FloatVector.fromMemorySegment(SPECIES, yes, (fromYes + whole) * Float.BYTES, ORDER, rest);
      FloatVector b =
          FloatVector.fromMemorySegment(SPECIES, no, (fromNo + whole) * Float.BYTES, ORDER, rest);
      b.blend(a, VectorMask.fromLong(SPECIES, bits))
          .intoMemorySegment(out, (to + whole) * Float.BYTES, ORDER, rest);
    }
  }
}
