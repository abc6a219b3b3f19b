package dev.staunch.kernel.reduce;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.Arrays;

/**
 * Finds the first element of each group that equals the group's extreme, which is known. Of groups
 * that are short, or whose elements lie side by side, many are searched at once.
 */
final class ExtremePlaces {
  private static final int TILE = 1024;

  /** The most elements of groups of which several are read together. */
  private static final int SHORT = 256;

  /** From this many groups side by side on, they are searched at once. */
  private static final int WIDE = 4;

  private final Reduction reduction;
  private final CancellationPoll poll;
  private final Operand elements;
  private final RealRow row;
  private final boolean isSideBySide;
  private final boolean areRows;
  private final double[] values;
  private final double[] extremes;
  private final long[] places;

  /** Elements of a group of float32 that is searched on its own; else empty. */
  private final float[] singles;

  private ExtremePlaces(Reduction reduction, CancellationPoll poll) {
    this.reduction = reduction;
    this.poll = poll;
    this.elements = Operand.of(reduction.self());
    this.row = RealRow.of(reduction, poll);
    this.isSideBySide = reduction.areSideBySide(WIDE);
    this.areRows = !isSideBySide && reduction.areRows(SHORT);
    int groups = Math.min(TILE, reduction.groupCount);
    this.values = new double[isSideBySide ? groups : areRows ? TILE : 0];
    this.extremes = new double[groups];
    this.places = new long[groups];
    boolean apart = !isSideBySide && !areRows && reduction.self().dtype() == DType.FLOAT32;
    this.singles = new float[apart ? Math.min(TILE, reduction.count) : 0];
  }

  /**
   * A new tensor with the place of each group's extreme; or a fault.
   *
   * @param extremes one for each group, NaN if the group has a NaN; without gaps
   */
  static Object of(Call call, Reduction reduction, DenseTensor extremes) {
    Object made = call.allocate(DType.INT64, reduction.resultShape);
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    CancellationPoll poll = new CancellationPoll(call);
    ExtremePlaces search = new ExtremePlaces(reduction, poll);
    for (int group = 0; group < reduction.groupCount && poll.fault() == null; ) {
      int count = search.next(group, Operand.of(extremes), extremes.layout().offset());
      Operand.of(target).store(search.places, group, 1, count);
      group += count;
    }
    return CancellationPoll.finished(target, poll.fault());
  }

  /** Searches {@code group} and some after it; returns their number. */
  private int next(int group, Operand wanted, long offset) {
    int each = reduction.count;
    int left = Math.min(TILE, reduction.groupCount - group);
    long start = reduction.groups.at(group);
    int count =
        isSideBySide
            ? reduction.groups.run(group, left)
            : areRows ? Math.min(TILE / each, left) : 1;
    wanted.load(extremes, offset + group, 1, count);
    Arrays.fill(places, 0, count, -1);
    if (isSideBySide) {
      across(start, reduction.groups.step(), count);
    } else if (areRows) {
      elements.load(values, start, 1, count * each);
      for (int k = 0; k < count; k++) {
        places[k] = firstOf(values, k * each, each, extremes[k]);
      }
      poll.mayContinue((long) count * each);
    } else if (singles.length > 0) {
      places[0] = firstOf(start, (float) extremes[0]);
    } else {
      places[0] = firstOf(row.of(group), extremes[0]);
    }
    return count;
  }

  private void across(long start, long step, int count) {
    int missing = count;
    for (int i = 0; i < reduction.count && missing > 0 && poll.mayContinue(count); i++) {
      elements.load(values, start + reduction.members.at(i), step, count);
      for (int k = 0; k < count; k++) {
        if (places[k] < 0 && isExtreme(values[k], extremes[k])) {
          places[k] = i;
          missing--;
        }
      }
    }
  }

  /** Whether {@code value} is the extreme; a NaN is one whenever there is one. */
  private static boolean isExtreme(double value, double extreme) {
    return value == extreme || Double.isNaN(value);
  }

  /** The index of the extreme in the group of float32 that begins at {@code start}. */
  private int firstOf(long start, float extreme) {
    for (int i = 0; i < reduction.count && poll.fault() == null; ) {
      long at = start + reduction.members.at(i);
      int count = reduction.members.run(i, Math.min(singles.length, reduction.count - i));
      elements.load(singles, at, reduction.members.step(), count);
      int found = firstOf(singles, count, extreme);
      if (found < count) {
        return i + found;
      }
      poll.mayContinue(count);
      i += count;
    }
    return 0; // only after a cancellation
  }

  private static int firstOf(float[] values, int count, float extreme) {
    int i = 0;
    if (Float.isNaN(extreme)) {
      while (i < count && !Float.isNaN(values[i])) {
        i++;
      }
    } else {
      while (i < count && values[i] != extreme) {
        i++;
      }
    }
    return i;
  }

  private static int firstOf(RealRow row, double extreme) {
    for (row.rewind(); row.advance(); ) {
      int found = firstOf(row.values(), 0, row.count(), extreme);
      if (found < row.count()) {
        return row.start() + found;
      }
    }
    return 0; // only after a cancellation
  }

  /** The index of the extreme after {@code first}; {@code count} if it is not there. */
  private static int firstOf(double[] values, int first, int count, double extreme) {
    int i = 0;
    while (i < count && !isExtreme(values[first + i], extreme)) {
      i++;
    }
    return i;
  }
}
