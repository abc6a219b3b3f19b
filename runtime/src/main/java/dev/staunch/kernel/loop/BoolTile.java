package dev.staunch.kernel.loop;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.PackedBools;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Combines bools to bools, as {@link PackedBools}. */
record BoolTile(long[][] in, long[] out) implements Tile {
  private static final int MOST = 1 << 12;

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
    int words = PackedBools.words((int) Math.min(MOST, width));
    return new BoolTile(new long[rule.operands()][words], new long[words]);
  }

  @Override
  public int size() {
    return MOST;
  }

  @Override
  public void fill(int k, Object number) {
    Arrays.fill(in[k], Scalars.integer(number, DType.BOOL) == 0 ? 0 : PackedBools.ONES);
  }

  @Override
  public void load(int k, int to, Operand from, long at, long step, int count) {
    long[] packed = in[k];
    if (step == 0) {
      boolean truth = from.segment().get(JAVA_BYTE, at) != 0;
      Arrays.fill(packed, 0, PackedBools.words(count), truth ? PackedBools.ONES : 0);
    } else {
      PackedBools.load(from.segment(), at, step, count, packed);
    }
  }

  @Override
  public void run(Rule rule, Operand target, long at, long step, int count) {
    rule.runPacked(in, out, PackedBools.words(count));
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
