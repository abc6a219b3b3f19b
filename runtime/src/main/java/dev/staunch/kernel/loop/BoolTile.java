package dev.staunch.kernel.loop;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Combines bools to bools, eight of them in a long: C2 vectorises loops over longs, and a bool
 * widened to a number would take eight times the memory.
 */
record BoolTile(long[][] in, long[] out) implements Tile {
  private static final int MOST = 1 << 12;
  private static final long ONES = 0x0101010101010101L;
  private static final long LOW_BITS = 0x7f * ONES;

  /** Whether all tensors and the result are bools, and {@code rule} takes packed bools. */
  static boolean fits(Rule rule, DenseTensor target, Object... operands) {
    boolean fits = target.dtype() == DType.BOOL && rule.takesPackedBools();
    for (Object each : operands) {
      fits &= !(each instanceof DenseTensor tensor) || tensor.dtype() == DType.BOOL;
    }
    return fits;
  }

  /** A tile for rows of {@code width} elements. */
  static Tile of(Rule rule, long width) {
    int words = words((int) Math.min(MOST, width));
    return new BoolTile(new long[rule.operands()][words], new long[words]);
  }

  private static int words(int count) {
    return Math.ceilDiv(count, Long.BYTES);
  }

  @Override
  public int size() {
    return MOST;
  }

  @Override
  public void fill(int k, Object number) {
    Arrays.fill(in[k], Scalars.integer(number, DType.BOOL) == 0 ? 0 : ONES);
  }

  /** Any byte other than 0 is true; memory that other code has written may hold such bytes. */
  @Override
  public void load(int k, Operand from, long at, long step, int count) {
    long[] packed = in[k];
    int words = words(count);
    if (step == 0) {
      Arrays.fill(packed, 0, words, from.segment().get(JAVA_BYTE, at) == 0 ? 0 : ONES);
      return;
    }
    MemorySegment bytes = MemorySegment.ofArray(packed);
    if (step == 1) {
      MemorySegment.copy(from.segment(), at, bytes, 0, count);
    } else {
      for (int i = 0; i < count; i++) {
        bytes.set(JAVA_BYTE, i, from.segment().get(JAVA_BYTE, at + i * step));
      }
    }
    for (int i = 0; i < words; i++) {
      long each = packed[i];
      packed[i] = ((((each & LOW_BITS) + LOW_BITS) | each) >>> (Byte.SIZE - 1)) & ONES;
    }
  }

  @Override
  public void run(Rule rule, Operand target, long at, long step, int count) {
    rule.runPacked(in, out, words(count));
    MemorySegment bytes = MemorySegment.ofArray(out);
    if (step == 1) {
      MemorySegment.copy(bytes, 0, target.segment(), at, count);
    } else {
      for (int i = 0; i < count; i++) {
        target.segment().set(JAVA_BYTE, at + i * step, bytes.get(JAVA_BYTE, i));
      }
    }
  }
}
