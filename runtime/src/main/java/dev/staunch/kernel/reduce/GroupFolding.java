package dev.staunch.kernel.reduce;

import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.RowReduction;
import dev.staunch.type.DType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Folds the groups of a {@link Reduction}, several at once: side by side if their elements are
 * adjacent in memory, otherwise a few abreast. Made for one call, used by its thread.
 */
final class GroupFolding {
  /** The most elements read at a time. */
  private static final int TILE = 512;

  /** The least number of elements of a row for which the kernel set's loop is used. */
  private static final int LEAST = 16;

  private final Reduction reduction;
  private final Fold fold;
  private final CancellationPoll poll;
  private final Operand elements;

  /** Whether elements of neighbouring groups are closer in memory than those of one group. */
  private final boolean sideBySide;

  private final double[] results;
  private final double[][] rows;

  /** The kernel set's loop over rows without gaps; null if it has none, or they have gaps. */
  private final @Nullable RowReduction kernel;

  GroupFolding(KernelSet kernels, Reduction reduction, Fold fold, CancellationPoll poll) {
    this.reduction = reduction;
    this.fold = fold;
    this.poll = poll;
    this.elements = Operand.of(reduction.self());
    this.sideBySide =
        Math.min(reduction.groups.width(), reduction.count()) >= Fold.ABREAST
            && Math.abs(reduction.groups.step()) < Math.abs(reduction.members.step());
    Places inner = sideBySide ? reduction.groups : reduction.members;
    boolean takesKernel =
        inner.step() == 1
            && inner.width() >= LEAST
            && reduction.self().dtype() == DType.FLOAT32
            && !reduction.self().segment().isMapped();
    this.kernel = takesKernel ? kernels.rowReduction(fold.kind()) : null;
    int most = sideBySide ? TILE : Fold.ABREAST;
    this.results = new double[Math.min(most, Math.max(reduction.groupCount, Fold.ABREAST))];
    this.rows = new double[sideBySide ? 1 : Fold.ABREAST][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = new double[Math.min(TILE, sideBySide ? results.length : reduction.count())];
    }
  }

  /** The results of the groups that the last step folded, first to last. */
  double[] results() {
    return results;
  }

  /** Folds {@code group} and some after it; returns their number. */
  int next(int group) {
    Arrays.fill(results, fold.start());
    if (sideBySide) {
      return across(group);
    }
    if (kernel != null) {
      along(kernel, group);
      return 1;
    }
    int count = Math.min(Fold.ABREAST, reduction.groupCount - group);
    if (count < Fold.ABREAST) {
      along(group);
      return 1;
    }
    abreast(group);
    return count;
  }

  private int across(int group) {
    long start = reduction.groups.at(group);
    int count = reduction.groups.run(group, Math.min(TILE, reduction.groupCount - group));
    long step = reduction.groups.step();
    for (int i = 0; i < reduction.count() && poll.mayContinue(count); i++) {
      long at = start + reduction.members.at(i);
      if (kernel != null) {
        kernel.across(results, elements.segment(), at, count);
      } else {
        elements.load(rows[0], at, step, count);
        fold.across(results, rows[0], count);
      }
    }
    return count;
  }

  private void along(RowReduction loop, int group) {
    long start = reduction.groups.at(group);
    Places members = reduction.members;
    for (int i = 0; i < reduction.count() && poll.fault() == null; ) {
      long at = start + members.at(i);
      int count = members.run(i, Math.min(CancellationPoll.STRIDE, reduction.count() - i));
      results[0] = loop.along(results[0], elements.segment(), at, count);
      poll.mayContinue(count);
      i += count;
    }
  }

  private void along(int group) {
    double[] row = rows[0];
    for (int i = 0; i < reduction.count(); ) {
      int count = Math.min(row.length, reduction.count() - i);
      if (!poll.mayContinue(count)) {
        return;
      }
      reduction.load(group, i, count, row);
      results[0] = fold.along(results[0], row, count);
      i += count; // not a whole row: past the last one it may overflow an int
    }
  }

  private void abreast(int group) {
    int most = rows[0].length;
    for (int i = 0; i < reduction.count(); ) {
      int count = Math.min(most, reduction.count() - i);
      if (!poll.mayContinue((long) count * Fold.ABREAST)) {
        return;
      }
      for (int k = 0; k < Fold.ABREAST; k++) {
        reduction.load(group + k, i, count, rows[k]);
      }
      fold.abreast(results, rows, count);
      i += count;
    }
  }
}
