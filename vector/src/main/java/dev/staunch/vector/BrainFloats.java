package dev.staunch.vector;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.staunch.kernel.primitive.RowCast;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** Casts between float32 and bfloat16, which is the upper half of the bits of a float32. */
final class BrainFloats implements RowCast {
  private static final VectorSpecies<Integer> SPECIES = IntVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final VectorSpecies<Short> HALF =
      VectorSpecies.of(short.class, VectorShape.forBitSize(SPECIES.vectorBitSize() / 2));
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  /** Bit patterns above that of infinity are NaN. */
  private static final int INFINITY = 0x7f800000;

  private static final int NAN = 0x7fc0;
  private static final int BELOW_HALF = 0x7fff;

  @Override
  public void widen(MemorySegment from, long at, MemorySegment into, long to, int count) {
    NativeSegments.require(from, into);
    int whole = SPECIES.loopBound(count);
    for (int i = 0; i < whole; i += LANES) {
      ShortVector halves = ShortVector.fromMemorySegment(HALF, from, (at + i) * Short.BYTES, ORDER);
      IntVector bits = (IntVector) halves.convertShape(VectorOperators.S2I, SPECIES, 0);
      bits.lanewise(VectorOperators.LSHL, Short.SIZE)
          .intoMemorySegment(into, (to + i) * Float.BYTES, ORDER);
    }
    for (int i = whole; i < count; i++) {
      int bits = from.getAtIndex(JAVA_SHORT, at + i) << Short.SIZE;
      into.setAtIndex(JAVA_FLOAT, to + i, Float.intBitsToFloat(bits));
    }
  }

  @Override
  public void narrow(MemorySegment from, long at, MemorySegment into, long to, int count) {
    NativeSegments.require(from, into);
    int whole = SPECIES.loopBound(count);
    for (int i = 0; i < whole; i += LANES) {
      IntVector bits = IntVector.fromMemorySegment(SPECIES, from, (at + i) * Float.BYTES, ORDER);
      IntVector odd = bits.lanewise(VectorOperators.LSHR, Short.SIZE).and(1);
      IntVector rounded = bits.add(odd).add(BELOW_HALF).lanewise(VectorOperators.LSHR, Short.SIZE);
      rounded
          .blend(NAN, bits.and(Integer.MAX_VALUE).compare(VectorOperators.GT, INFINITY))
          .convertShape(VectorOperators.I2S, HALF, 0)
          .reinterpretAsShorts()
          .intoMemorySegment(into, (to + i) * Short.BYTES, ORDER);
    }
    for (int i = whole; i < count; i++) {
      into.setAtIndex(JAVA_SHORT, to + i, rounded(from.getAtIndex(JAVA_FLOAT, at + i)));
    }
  }

  private static short rounded(float value) {
    int bits = Float.floatToRawIntBits(value);
    int odd = (bits >>> Short.SIZE) & 1;
    return (short) (Float.isNaN(value) ? NAN : (bits + odd + BELOW_HALF) >>> Short.SIZE);
  }
}
