package dev.staunch.kernel.reduce;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.PackedBools;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** How many bools of each group are true. Made for one call, used by its thread. */
final class TruthCounts {
  /** The most bools read at a time. */
  private static final int TILE = 1 << 12;

  /** The least number of neighbouring groups that are counted at once. */
  private static final int LEAST = 16;

  private final Reduction reduction;
  private final CancellationPoll poll;
  private final MemorySegment bools;

  private TruthCounts(Reduction reduction, CancellationPoll poll) {
    this.reduction = reduction;
    this.poll = poll;
    this.bools = reduction.self.segment();
  }

  /** What becomes of the number of a group. */
  interface Finish {
    long of(long count);
  }

  /** Whether neighbouring groups are counted at once. */
  static boolean areSideBySide(Reduction reduction) {
    return reduction.self().dtype() == DType.BOOL
        && reduction.groups.step() == 1
        && reduction.groups.width() >= LEAST
        && reduction.members.step() != 1;
  }

  /** A new tensor with what {@code finish} makes of the number of each group; or a fault. */
  static Object of(Call call, DType dtype, Reduction reduction, Finish finish) {
    Object made = call.allocate(dtype, reduction.resultShape);
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    CancellationPoll poll = new CancellationPoll(call);
    TruthCounts counts = new TruthCounts(reduction, poll);
    if (areSideBySide(reduction)) {
      counts.across(target, finish);
    } else {
      long[] tile = new long[PackedBools.words(Math.min(TILE, reduction.count))];
      reduction.each(
          poll,
          group -> {
            long count = finish.of(counts.along(group, tile));
            Elements.putLong(target.segment(), dtype, group, count);
          });
    }
    return CancellationPoll.finished(target, poll.fault());
  }

  private long along(int group, long[] tile) {
    long start = reduction.groups.at(group);
    long sum = 0;
    for (int i = 0; i < reduction.count && poll.fault() == null; ) {
      long at = start + reduction.members.at(i);
      int count = reduction.members.run(i, Math.min(TILE, reduction.count - i));
      PackedBools.load(bools, at, reduction.members.step(), count, tile);
      sum += PackedBools.trues(tile, count);
      poll.mayContinue(count);
      i += count; // not a whole tile: past the last one it may overflow an int
    }
    return sum;
  }

  /** Counts neighbouring groups at once: the bools at the same place of each lie in a row. */
  private void across(DenseTensor target, Finish finish) {
    byte[] row = new byte[(int) Math.min(TILE, reduction.groups.width())];
    int[] counts = new int[row.length];
    for (int group = 0; group < reduction.groupCount && poll.fault() == null; ) {
      long start = reduction.groups.at(group);
      int count = reduction.groups.run(group, Math.min(row.length, reduction.groupCount - group));
      Arrays.fill(counts, 0, count, 0);
      for (int i = 0; i < reduction.count && poll.mayContinue(count); i++) {
        MemorySegment.copy(bools, JAVA_BYTE, start + reduction.members.at(i), row, 0, count);
        add(row, counts, count);
      }
      for (int i = 0; i < count; i++) {
        Elements.putLong(target.segment(), target.dtype(), group + i, finish.of(counts[i]));
      }
      group += count;
    }
  }

  /** Any byte other than 0 is true. */
  private static void add(byte[] row, int[] counts, int count) {
    for (int i = 0; i < count; i++) {
      counts[i] += (row[i] | -row[i]) >>> (Integer.SIZE - 1);
    }
  }
}
