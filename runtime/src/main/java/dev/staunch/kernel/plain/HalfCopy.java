package dev.staunch.kernel.plain;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.staunch.kernel.operand.Operand;
import dev.staunch.type.DType;
import java.lang.foreign.MemorySegment;

/**
 * Casts rows without gaps between float32 and the two floating dtypes of half its size, a tile at a
 * time. A bfloat16 is the upper half of a float's bits, so these pass as ints, whose loops C2
 * vectorises. For one thread.
 */
final class HalfCopy {
  /** The most elements of a {@link #run}. */
  static final int TILE = 1024;

  /** Bits above those of infinity are those of NaN. */
  private static final int INFINITY = 0x7f800000;

  private static final int NAN = 0x7fc0;
  private static final int HALF = 0x7fff;

  private final Operand from;
  private final Operand into;
  private final short[] halves = new short[TILE];
  private final int[] bits;
  private final float[] floats;

  private HalfCopy(Operand from, Operand into, boolean brain) {
    this.from = from;
    this.into = into;
    this.bits = new int[brain ? TILE : 0];
    this.floats = new float[brain ? 0 : TILE];
  }

  /** Whether there is a cast from one to the other. */
  static boolean fits(DType from, DType into) {
    return (from == DType.FLOAT32 && isHalf(into)) || (into == DType.FLOAT32 && isHalf(from));
  }

  private static boolean isHalf(DType dtype) {
    return dtype == DType.FLOAT16 || dtype == DType.BFLOAT16;
  }

  /** For dtypes that {@linkplain #fits fit}. */
  static HalfCopy of(Operand from, Operand into) {
    boolean brain = from.dtype() == DType.BFLOAT16 || into.dtype() == DType.BFLOAT16;
    return new HalfCopy(from, into, brain);
  }

  /** Casts {@code count} elements. */
  void run(long at, long to, int count) {
    if (into.dtype() == DType.FLOAT32) {
      MemorySegment.copy(from.segment(), JAVA_SHORT, at * Short.BYTES, halves, 0, count);
      widen(to * Float.BYTES, count);
    } else {
      narrow(at * Float.BYTES, count);
      MemorySegment.copy(halves, 0, into.segment(), JAVA_SHORT, to * Short.BYTES, count);
    }
  }

  private void widen(long to, int count) {
    if (bits.length > 0) {
      for (int i = 0; i < count; i++) {
        bits[i] = halves[i] << Short.SIZE;
      }
      MemorySegment.copy(bits, 0, into.segment(), JAVA_INT, to, count);
    } else {
      for (int i = 0; i < count; i++) {
        floats[i] = Float.float16ToFloat(halves[i]);
      }
      MemorySegment.copy(floats, 0, into.segment(), JAVA_FLOAT, to, count);
    }
  }

  private void narrow(long at, int count) {
    if (bits.length > 0) {
      MemorySegment.copy(from.segment(), JAVA_INT, at, bits, 0, count);
      for (int i = 0; i < count; i++) {
        int each = bits[i];
        int rounded = (each + HALF + ((each >>> Short.SIZE) & 1)) >>> Short.SIZE; // ties to even
        int nan = (INFINITY - (each & Integer.MAX_VALUE)) >> (Integer.SIZE - 1);
        bits[i] = (rounded & ~nan) | (NAN & nan);
      }
      for (int i = 0; i < count; i++) { // apart, or C2 would compute with shorts, which it cannot
        halves[i] = (short) bits[i];
      }
    } else {
      MemorySegment.copy(from.segment(), JAVA_FLOAT, at, floats, 0, count);
      for (int i = 0; i < count; i++) {
        halves[i] = Float.floatToFloat16(floats[i]);
      }
    }
  }
}
