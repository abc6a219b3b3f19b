package dev.staunch.kernel.operand;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.staunch.kernel.primitive.RowCast;
import dev.staunch.type.DType;
import java.lang.foreign.MemorySegment;

/**
 * Casts rows without gaps between float32 and one of the two 16-bit floating dtypes, a tile at a
 * time, with the same results as the element-wise {@link dev.staunch.tensor.Elements}. A bfloat16
 * is the upper half of a float's bits, so bfloat16 values are handled as ints, whose loops C2
 * vectorises. For one thread.
 */
public final class Halves implements RowCast {
  /** Bit patterns above that of infinity are NaN. */
  private static final int INFINITY = 0x7f800000;

  private static final int NAN = 0x7fc0;
  private static final int HALF = 0x7fff;

  private final short[] halves;
  private final int[] bits;
  private final float[] floats;

  /**
   * @param dtype float16 or bfloat16
   * @param tile elements that are cast at a time
   */
  public Halves(DType dtype, int tile) {
    boolean brain = dtype == DType.BFLOAT16;
    this.halves = new short[tile];
    this.bits = new int[brain ? tile : 0];
    this.floats = new float[brain ? 0 : tile];
  }

  /** Whether {@code dtype} is one of the two. */
  public static boolean are(DType dtype) {
    return dtype == DType.FLOAT16 || dtype == DType.BFLOAT16;
  }

  @Override
  public void widen(MemorySegment from, long at, MemorySegment into, long to, int count) {
    for (int done = 0; done < count; done += halves.length) {
      int part = Math.min(halves.length, count - done);
      MemorySegment.copy(from, JAVA_SHORT, (at + done) * Short.BYTES, halves, 0, part);
      widen(into, (to + done) * Float.BYTES, part);
    }
  }

  private void widen(MemorySegment into, long to, int count) {
    if (bits.length > 0) {
      for (int i = 0; i < count; i++) {
        bits[i] = halves[i] << Short.SIZE;
      }
      MemorySegment.copy(bits, 0, into, JAVA_INT, to, count);
    } else {
      for (int i = 0; i < count; i++) {
        floats[i] = Float.float16ToFloat(halves[i]);
      }
      MemorySegment.copy(floats, 0, into, JAVA_FLOAT, to, count);
    }
  }

  @Override
  public void narrow(MemorySegment from, long at, MemorySegment into, long to, int count) {
    for (int done = 0; done < count; done += halves.length) {
      int part = Math.min(halves.length, count - done);
      narrow(from, (at + done) * Float.BYTES, part);
      MemorySegment.copy(halves, 0, into, JAVA_SHORT, (to + done) * Short.BYTES, part);
    }
  }

  private void narrow(MemorySegment from, long at, int count) {
    if (bits.length > 0) {
      MemorySegment.copy(from, JAVA_INT, at, bits, 0, count);
      for (int i = 0; i < count; i++) {
        int each = bits[i];
        int rounded = (each + HALF + ((each >>> Short.SIZE) & 1)) >>> Short.SIZE;
        int nan = (INFINITY - (each & Integer.MAX_VALUE)) >> (Integer.SIZE - 1);
        bits[i] = (rounded & ~nan) | (NAN & nan);
      }
      for (int i = 0; i < count; i++) { // alone, or C2 would use shorts, which it cannot vectorise
        halves[i] = (short) bits[i];
      }
    } else {
      MemorySegment.copy(from, JAVA_FLOAT, at, floats, 0, count);
      for (int i = 0; i < count; i++) {
        halves[i] = Float.floatToFloat16(floats[i]);
      }
    }
  }
}
