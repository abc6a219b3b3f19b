package dev.staunch.kernel.reduce;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.kernel.primitive.RowReduction;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Logarithms of sums of exponentials (logsumexp), by a kernel set's loops over rows. The
 * differences between the elements and their group's greatest element are computed in scratch
 * memory, a tile at a time. Made for one call.
 */
final class ExponentialSums {
  private static final int TILE = 512;

  /** The least number of elements of a row: fewer are summed as fast one by one. */
  private static final int LEAST = 16;

  private final CancellationPoll poll;
  private final Reduction reduction;
  private final MemorySegment self;
  private final MemorySegment scratch;

  /** Whether the elements of each group are adjacent, and not those of neighbouring groups. */
  private final boolean along;

  private final Pass[] most;
  private final Pass[] sum;

  /** What to subtract from all elements of a group. */
  private double less;

  private ExponentialSums(
      Call call,
      Reduction reduction,
      MemorySegment scratch,
      RowFormula subtract,
      RowFormula exponential,
      RowReduction greatest,
      RowReduction sum) {
    this.poll = new CancellationPoll(call);
    this.reduction = reduction;
    this.self = reduction.self.segment();
    this.scratch = scratch;
    Pass power = (results, at, count) -> exponential.run(scratch, 0, scratch, 0, scratch, 0, count);
    this.along = !isRow(reduction.groups);
    this.most =
        new Pass[] {
          along
              ? (results, at, count) -> results[0] = greatest.along(results[0], self, at, count)
              : (results, at, count) -> greatest.across(results, self, at, count)
        };
    this.sum =
        new Pass[] {
          along
              ? (results, at, count) -> subtract.run(self, at, less, scratch, 0, count)
              : (results, at, count) -> subtract.run(self, at, scratch, TILE, scratch, 0, count),
          power,
          along
              ? (results, at, count) -> results[0] = sum.along(results[0], scratch, 0, count)
              : (results, at, count) -> sum.across(results, scratch, 0, count)
        };
  }

  /**
   * A new tensor of the elements' dtype, or a fault; null if the kernel set lacks one of the loops,
   * or if elements lie apart from each other.
   */
  static @Nullable Object logarithms(Call call, DType dtype, Reduction reduction) {
    KernelSet kernels = call.environment().kernels();
    RowFormula subtract = kernels.rowFormula(dtype, "subtract");
    RowFormula exponential = kernels.rowFormula(dtype, "exp");
    RowReduction greatest = kernels.rowReduction(dtype, RowReduction.Kind.GREATEST);
    RowReduction sum = kernels.rowReduction(dtype, RowReduction.Kind.SUM);
    boolean fits =
        reduction.self.dtype() == dtype
            && !reduction.self.segment().isMapped()
            && (isRow(reduction.groups) || isRow(reduction.members));
    if (!fits || subtract == null || exponential == null || greatest == null || sum == null) {
      return null;
    }
    Object room = DenseTensor.allocate(call.scope(), dtype, Shape.of(2, TILE));
    if (!(room instanceof DenseTensor scratch)) {
      return room;
    }
    try (scratch) {
      Object made = call.allocate(dtype, reduction.resultShape);
      return made instanceof DenseTensor target
          ? new ExponentialSums(
                  call, reduction, scratch.segment(), subtract, exponential, greatest, sum)
              .into(target)
          : made;
    }
  }

  private static boolean isRow(Places places) {
    return places.step() == 1 && places.width() >= LEAST;
  }

  private Object into(DenseTensor target) {
    double[] greatest = new double[Math.min(TILE, Math.max(1, reduction.groupCount))];
    double[] sums = new double[greatest.length];
    for (int group = 0; group < reduction.groupCount && poll.fault() == null; ) {
      Arrays.fill(greatest, Double.NEGATIVE_INFINITY);
      Arrays.fill(sums, 0);
      int count = along ? along(group, greatest, sums) : across(group, greatest, sums);
      for (int i = 0; i < count; i++) {
        double result = shift(greatest[i]) + Math.log(sums[i]);
        Elements.putDouble(target.segment(), target.dtype(), (long) group + i, result);
      }
      group += count;
    }
    return CancellationPoll.finished(target, poll.fault());
  }

  /**
   * The number to subtract from the elements: never an infinity, because infinity minus itself is
   * NaN.
   */
  private static double shift(double most) {
    return Double.isInfinite(most) ? 0 : most;
  }

  /** Folds {@code group} alone; returns 1. */
  private int along(int group, double[] greatest, double[] sums) {
    long start = reduction.groups.at(group);
    along(start, most, greatest);
    less = shift(greatest[0]);
    along(start, sum, sums);
    return 1;
  }

  private void along(long start, Pass[] passes, double[] results) {
    for (int i = 0; i < reduction.count() && poll.fault() == null; ) {
      long at = start + reduction.members.at(i);
      int count = reduction.members.run(i, Math.min(TILE, reduction.count() - i));
      run(passes, results, at, count);
      poll.mayContinue(count);
      i += count;
    }
  }

  /** Folds {@code group} and adjacent ones; returns their number. */
  private int across(int group, double[] greatest, double[] sums) {
    long start = reduction.groups.at(group);
    int count = reduction.groups.run(group, Math.min(TILE, reduction.groupCount - group));
    across(start, count, most, greatest);
    for (int i = 0; i < count; i++) {
      Elements.putDouble(scratch, reduction.self.dtype(), TILE + i, shift(greatest[i]));
    }
    across(start, count, sum, sums);
    return count;
  }

  private void across(long start, int count, Pass[] passes, double[] results) {
    for (int i = 0; i < reduction.count() && poll.mayContinue(count); i++) {
      run(passes, results, start + reduction.members.at(i), count);
    }
  }

  private static void run(Pass[] passes, double[] results, long at, int count) {
    for (Pass pass : passes) {
      pass.run(results, at, count);
    }
  }

  /**
   * A loop over some elements. All loops are called at a single place, as members of arrays, so
   * that HotSpot inlines none of them into its caller. In a method that has already grown large, it
   * might not inline the calls of vector operations, and then each of their vectors would be
   * allocated on the heap.
   */
  private interface Pass {
    void run(double[] results, long at, int count);
  }
}
