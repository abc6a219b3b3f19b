package dev.staunch.kernel.attention;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.staunch.tensor.DenseTensor;
import java.lang.foreign.MemorySegment;
import java.util.function.LongUnaryOperator;

/**
 * A mask with one byte for each key of a row, such as a bool tensor. The loops have no branches,
 * because flags are often as good as random. For one thread.
 */
final class FlagMask implements AttentionScores.RowMask {
  private static final int HIDDEN = Float.floatToRawIntBits(Float.NEGATIVE_INFINITY);

  private final MemorySegment flags;
  private final LongUnaryOperator starts;
  private final long step;
  private final int inverted;
  private final byte[] row;

  /**
   * @param mask of a dtype of one byte
   * @param starts the position of the first flag of each row of scores
   * @param step from one flag of a row to the next
   * @param keys the most keys of a row
   * @param hidesSet whether a flag other than 0 hides its key; else 0 does
   */
  FlagMask(DenseTensor mask, LongUnaryOperator starts, long step, int keys, boolean hidesSet) {
    this.flags = mask.segment();
    this.starts = starts;
    this.step = step;
    this.inverted = hidesSet ? -1 : 0;
    this.row = new byte[keys];
  }

  @Override
  public void apply(long number, double[] scores) {
    load(number, scores.length);
    for (int j = 0; j < scores.length; j++) {
      scores[j] = shown(row[j]) == 0 ? Double.NEGATIVE_INFINITY : scores[j];
    }
  }

  @Override
  public void apply(long number, float[] scores) {
    load(number, scores.length);
    for (int j = 0; j < scores.length; j++) {
      int shown = shown(row[j]);
      int bits = Float.floatToRawIntBits(scores[j]);
      scores[j] = Float.intBitsToFloat((bits & shown) | (HIDDEN & ~shown));
    }
  }

  /** All bits set if the key is seen, none if it is hidden. */
  private int shown(int flag) {
    return ((flag | -flag) >> 31) ^ inverted;
  }

  private void load(long number, int keys) {
    long start = starts.applyAsLong(number);
    if (step == 1) {
      MemorySegment.copy(flags, JAVA_BYTE, start, row, 0, keys);
    } else {
      for (int j = 0; j < keys; j++) {
        row[j] = flags.get(JAVA_BYTE, start + j * step);
      }
    }
  }
}
