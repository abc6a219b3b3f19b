package dev.staunch.kernel.reduce;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.Halves;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.RowCast;
import dev.staunch.kernel.primitive.RowReduction;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Folds the groups of a {@link Reduction}, several at once: side by side if their elements are
 * adjacent in memory, a few groups whose elements take turns in parts, otherwise a few abreast.
 * Made for one call, used by its thread.
 */
final class GroupFolding implements AutoCloseable {
  /** The most elements read at a time. */
  private static final int TILE = 512;

  /** The most elements of groups of which several are read together. */
  private static final int SHORT = 32;

  /** The most narrow elements that are widened at a time. */
  private static final int WIDE = 2048;

  /**
   * The most groups whose elements take turns, and the least number of elements of such a group.
   */
  private static final int TURNS = 64;

  /** The least number of elements of a row for which the kernel set's loop is used. */
  private static final int LEAST = 16;

  /** How the groups that are folded together lie in memory. */
  private enum Arrangement {
    /** Elements of neighbouring groups are closer than those of one group. */
    SIDE_BY_SIDE,

    /** All elements of a few groups take turns, without gaps. */
    IN_TURNS,

    /** Groups are short, without gaps, and follow one another. */
    SHORT_ROWS,

    APART
  }

  private final Reduction reduction;
  private final Fold fold;
  private final CancellationPoll poll;
  private final Operand elements;

  private final Arrangement arrangement;
  private final double[] results;
  private final double[][] rows;

  /** The kernel set's loop over rows without gaps; null if it has none, or they have gaps. */
  private final @Nullable RowReduction kernel;

  /** Casts narrow rows for the loop, into {@link #wide}; null for rows as they are. */
  private final @Nullable RowCast cast;

  private final @Nullable DenseTensor wide;

  GroupFolding(Call call, Reduction reduction, Fold fold, CancellationPoll poll) {
    this.reduction = reduction;
    this.fold = fold;
    this.poll = poll;
    this.elements = Operand.of(reduction.self());
    KernelSet kernels = call.environment().kernels();
    DType dtype = reduction.self().dtype();
    RowReduction loop =
        reduction.self().segment().isMapped()
            ? null
            : kernels.rowReduction(Halves.are(dtype) ? DType.FLOAT32 : dtype, fold.kind());
    this.arrangement = arrangement(reduction, loop);
    boolean inTurns = arrangement == Arrangement.IN_TURNS;
    Places inner = arrangement == Arrangement.SIDE_BY_SIDE ? reduction.groups : reduction.members;
    RowReduction own = inTurns || (inner.step() == 1 && inner.width() >= LEAST) ? loop : null;
    this.cast = own == null ? null : cast(kernels, dtype);
    this.wide =
        cast != null
                && DenseTensor.allocate(call.scope(), DType.FLOAT32, Shape.of(WIDE))
                    instanceof DenseTensor made
            ? made
            : null;
    this.kernel = cast == null || wide != null ? own : null;
    this.results = new double[together()];
    this.rows = new double[arrangement == Arrangement.APART ? Fold.ABREAST : 1][rowLength()];
  }

  private static Arrangement arrangement(Reduction reduction, @Nullable RowReduction loop) {
    boolean inTurns =
        loop != null // which need not keep to the order of a group's elements
            && reduction.groups.step() == 1
            && reduction.groupCount > 0
            && reduction.groups.width() <= TURNS
            && reduction.count() >= TURNS
            && reduction.members.width() == reduction.count()
            && reduction.members.step() == reduction.groups.width();
    if (inTurns) {
      return Arrangement.IN_TURNS;
    }
    if (reduction.count() >= Fold.ABREAST && reduction.areSideBySide(Fold.ABREAST)) {
      return Arrangement.SIDE_BY_SIDE;
    }
    return reduction.areRows(SHORT) ? Arrangement.SHORT_ROWS : Arrangement.APART;
  }

  /** The most groups that are folded together; in turns, the parts of a few. */
  private int together() {
    int least = Math.max(reduction.groupCount, Fold.ABREAST);
    return switch (arrangement) {
      case IN_TURNS -> lanes((int) reduction.groups.width());
      case SIDE_BY_SIDE -> Math.min(TILE, least);
      case SHORT_ROWS -> Math.min(TILE / SHORT * 8, least);
      case APART -> Fold.ABREAST;
    };
  }

  /** The most elements that are read into one array. */
  private int rowLength() {
    return switch (arrangement) {
      case IN_TURNS, SIDE_BY_SIDE -> results.length;
      case SHORT_ROWS -> results.length * reduction.count();
      case APART -> Math.min(TILE, reduction.count());
    };
  }

  /** As many parts of each group as there may be results, a power of two. */
  private static int lanes(int groups) {
    return groups * Integer.highestOneBit(TILE / groups);
  }

  private static @Nullable RowCast cast(KernelSet kernels, DType dtype) {
    if (!Halves.are(dtype)) {
      return null;
    }
    RowCast own = kernels.rowCast(dtype);
    return own == null ? new Halves(dtype, TILE) : own;
  }

  @Override
  public void close() {
    if (wide != null) {
      wide.close();
    }
  }

  /** The results of the groups that the last step folded, first to last. */
  double[] results() {
    return results;
  }

  /** Folds {@code group} and some after it; returns their number. */
  int next(int group) {
    Arrays.fill(results, fold.start());
    return switch (arrangement) {
      case SIDE_BY_SIDE -> across(group);
      case IN_TURNS -> inTurns(group);
      case SHORT_ROWS -> several(group);
      case APART -> apart(group);
    };
  }

  private int apart(int group) {
    int count = Math.min(Fold.ABREAST, reduction.groupCount - group);
    if (kernel != null) {
      for (int k = 0; k < count; k++) {
        along(kernel, group + k, k);
      }
      return count;
    }
    if (count < Fold.ABREAST) {
      along(group);
      return 1;
    }
    abreast(group);
    return count;
  }

  /** Short groups that follow one another, read together. */
  private int several(int group) {
    int each = reduction.count();
    int count = Math.min(results.length, reduction.groupCount - group);
    elements.load(rows[0], reduction.groups.at(group), 1, count * each);
    for (int k = 0; k < count; k++) {
      results[k] = fold.along(results[k], rows[0], k * each, each);
    }
    poll.mayContinue((long) count * each);
    return count;
  }

  /**
   * A few groups whose elements take turns: parts of them side by side, which are then combined.
   */
  private int inTurns(int group) {
    int groups = (int) reduction.groups.width();
    long start = reduction.groups.at(group);
    long elements = (long) groups * reduction.count();
    for (long done = 0; done < elements && poll.fault() == null; done += results.length) {
      int count = (int) Math.min(results.length, elements - done);
      across(start + done, 1, count);
      poll.mayContinue(count);
    }
    for (int half = results.length / 2; half >= groups; half /= 2) {
      System.arraycopy(results, half, rows[0], 0, half);
      fold.ofParts().across(results, rows[0], half);
    }
    return groups;
  }

  private int across(int group) {
    long start = reduction.groups.at(group);
    int count = reduction.groups.run(group, Math.min(TILE, reduction.groupCount - group));
    long step = reduction.groups.step();
    for (int i = 0; i < reduction.count() && poll.mayContinue(count); i++) {
      across(start + reduction.members.at(i), step, count);
    }
    return count;
  }

  /** Combines each result with one element, from {@code at} on. */
  private void across(long at, long step, int count) {
    if (kernel != null) {
      kernel.across(results, row(at, count), wide == null ? at : 0, count);
    } else {
      elements.load(rows[0], at, step, count);
      fold.across(results, rows[0], count);
    }
  }

  private void along(RowReduction loop, int group, int k) {
    long start = reduction.groups.at(group);
    Places members = reduction.members;
    for (int i = 0; i < reduction.count() && poll.fault() == null; ) {
      long at = start + members.at(i);
      int most = wide == null ? CancellationPoll.STRIDE : WIDE;
      int count = members.run(i, Math.min(most, reduction.count() - i));
      results[k] = loop.along(results[k], row(at, count), wide == null ? at : 0, count);
      poll.mayContinue(count);
      i += count;
    }
  }

  /** The elements from {@code at} on, or where they are as float32. */
  private MemorySegment row(long at, int count) {
    if (cast == null || wide == null) {
      return elements.segment();
    }
    cast.widen(elements.segment(), at, wide.segment(), 0, count);
    return wide.segment();
  }

  private void along(int group) {
    double[] row = rows[0];
    for (int i = 0; i < reduction.count(); ) {
      int count = Math.min(row.length, reduction.count() - i);
      if (!poll.mayContinue(count)) {
        return;
      }
      reduction.load(group, i, count, row);
      results[0] = fold.along(results[0], row, 0, count);
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
