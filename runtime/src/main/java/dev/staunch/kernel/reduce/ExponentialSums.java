package dev.staunch.kernel.reduce;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

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
 * Logarithms of sums of powers of e, by the loops of a kernel set over float32 rows: what is left
 * of elements less their group's greatest one is computed in scratch memory, a tile at a time. Made
 * for one call.
 */
final class ExponentialSums {
  private static final int TILE = 512;

  /** Elements that a row has at least: fewer are summed as fast one by one. */
  private static final int LEAST = 16;

  private final CancellationPoll poll;
  private final Reduction reduction;
  private final MemorySegment self;
  private final MemorySegment scratch;
  private final RowFormula subtract;
  private final RowFormula exponential;
  private final RowReduction greatest;
  private final RowReduction sum;

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
    this.subtract = subtract;
    this.exponential = exponential;
    this.greatest = greatest;
    this.sum = sum;
  }

  /**
   * A new tensor of float32, or a fault; null if the kernel set has not all the loops, or the
   * elements do not lie in rows.
   */
  static @Nullable Object logarithms(Call call, DType dtype, Reduction reduction) {
    KernelSet kernels = call.environment().kernels();
    RowFormula subtract = kernels.rowFormula("subtract");
    RowFormula exponential = kernels.rowFormula("exp");
    RowReduction greatest = kernels.rowReduction(RowReduction.Kind.GREATEST);
    RowReduction sum = kernels.rowReduction(RowReduction.Kind.SUM);
    boolean fits =
        dtype == DType.FLOAT32
            && reduction.self.dtype() == dtype
            && !reduction.self.segment().isMapped()
            && (isRow(reduction.members) || isRow(reduction.groups));
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
    double[] most = new double[Math.min(TILE, Math.max(1, reduction.groupCount))];
    double[] sums = new double[most.length];
    boolean along = isRow(reduction.members);
    for (int group = 0; group < reduction.groupCount && poll.fault() == null; ) {
      int count = along ? 1 : across(group, most, sums);
      if (along) {
        most[0] = most(group);
        sums[0] = sum(group, shift(most[0]));
      }
      for (int i = 0; i < count; i++) {
        double result = shift(most[i]) + Math.log(sums[i]);
        Elements.putDouble(target.segment(), target.dtype(), (long) group + i, result);
      }
      group += count;
    }
    return CancellationPoll.finished(target, poll.fault());
  }

  /** What is taken from elements: not an infinity, which less itself is no number. */
  private static float shift(double most) {
    return Double.isInfinite(most) ? 0 : (float) most;
  }

  private interface Piece {
    /** {@code result} with so many elements more. */
    double fold(double result, long at, int count);
  }

  private double along(int group, double first, Piece piece) {
    long start = reduction.groups.at(group);
    double result = first;
    for (int i = 0; i < reduction.count() && poll.fault() == null; ) {
      long at = start + reduction.members.at(i);
      int count = reduction.members.run(i, Math.min(TILE, reduction.count() - i));
      result = piece.fold(result, at, count);
      poll.mayContinue(count);
      i += count;
    }
    return result;
  }

  private double most(int group) {
    return along(
        group,
        Double.NEGATIVE_INFINITY,
        (result, at, count) -> greatest.along(result, self, at, count));
  }

  private double sum(int group, float less) {
    return along(
        group,
        0,
        (result, at, count) -> {
          subtract.run(self, at, less, scratch, 0, count);
          exponential.run(scratch, 0, scratch, 0, scratch, 0, count);
          return sum.along(result, scratch, 0, count);
        });
  }

  /** Both for {@code group} and some that lie beside it; how many in all. */
  private int across(int group, double[] most, double[] sums) {
    Arrays.fill(most, Double.NEGATIVE_INFINITY);
    Arrays.fill(sums, 0);
    long start = reduction.groups.at(group);
    int count = reduction.groups.run(group, Math.min(TILE, reduction.groupCount - group));
    for (int i = 0; i < reduction.count() && poll.mayContinue(count); i++) {
      greatest.across(most, self, start + reduction.members.at(i), count);
    }
    for (int i = 0; i < count; i++) {
      scratch.setAtIndex(JAVA_FLOAT, TILE + i, shift(most[i]));
    }
    for (int i = 0; i < reduction.count() && poll.mayContinue(count); i++) {
      long at = start + reduction.members.at(i);
      subtract.run(self, at, scratch, TILE, scratch, 0, count);
      exponential.run(scratch, 0, scratch, 0, scratch, 0, count);
      sum.across(sums, scratch, 0, count);
    }
    return count;
  }
}
