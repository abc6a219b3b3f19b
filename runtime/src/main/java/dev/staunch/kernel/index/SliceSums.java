package dev.staunch.kernel.index;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * {@code index_add} of contiguous float32 tensors: rows of one are added to rows of the other where
 * they lie.
 *
 * @param formula adds a row of the source, scaled, to one of the target; null for narrow rows,
 *     which are added one element after the other
 * @param outer the number of elements of the dimensions before {@code dim}
 * @param width the elements of a row: of the dimensions after {@code dim}
 */
record SliceSums(
    @Nullable RowFormula formula,
    DenseTensor target,
    DenseTensor source,
    int dim,
    long outer,
    int width) {
  /** The fewest elements of a row that is worth a call of its loop. */
  private static final int LEAST = 8;

  /** The most elements of a row between two polls for cancellation. */
  private static final long MOST = 1 << 16;

  /**
   * Null if the arguments {@code dim, index, source, alpha} need another way, or are wrong, or if
   * the kernel set has no loop for them.
   */
  static @Nullable SliceSums of(Call call, DenseTensor target) {
    DenseTensor source = call.tensor(3);
    int rank = target.rank();
    if (rank == 0
        || source.rank() != rank
        || target.dtype() != DType.FLOAT32
        || source.dtype() != DType.FLOAT32
        || !target.isContiguous()
        || !source.isContiguous()
        || !(Dimensions.wrap(call.integer(1), rank) instanceof Integer dim)
        || !(call.scalar(4) instanceof Number alpha)
        || OperandChecks.fits(alpha, DType.FLOAT32) != null) {
      return null;
    }
    long outer = 1;
    long width = 1;
    for (int d = 0; d < rank; d++) {
      outer *= d < dim ? target.shape().size(d) : 1;
      width *= d > dim ? target.shape().size(d) : 1;
    }
    boolean isNarrow = width < LEAST && alpha.doubleValue() == 1;
    boolean fits = width >= LEAST && width <= MOST;
    RowFormula formula = fits ? formula(call, target, source, alpha) : null;
    return formula == null && !isNarrow
        ? null
        : new SliceSums(formula, target, source, dim, outer, (int) width);
  }

  private static @Nullable RowFormula formula(
      Call call, DenseTensor target, DenseTensor source, Number alpha) {
    double factor = alpha.doubleValue();
    if (target.segment().isMapped() || source.segment().isMapped()) {
      return null;
    }
    KernelSet kernels = call.environment().kernels();
    return factor == 1
        ? kernels.rowFormula(DType.FLOAT32, "add")
        : kernels.rowFormula(DType.FLOAT32, "addScaled", factor);
  }

  /** Adds slice after slice, in the order of the index; returns the fault of a cancellation. */
  @Nullable Fault add(Integers slices, CancellationPoll poll) {
    long size = target.shape().size(dim);
    long count = slices.size();
    for (long o = 0; o < outer; o++) {
      long from = source.layout().offset() + o * count * width;
      long to = target.layout().offset() + o * size * width;
      for (long i = 0; i < count; i++) {
        long row = to + slices.at(i) * width;
        add(row, from + i * width);
        if (!poll.mayContinue(width)) {
          return poll.fault();
        }
      }
    }
    return poll.fault();
  }

  private void add(long to, long from) {
    MemorySegment sums = target.segment();
    if (formula != null) {
      formula.run(sums, to, source.segment(), from, sums, to, width);
      return;
    }
    for (int i = 0; i < width; i++) {
      float sum =
          sums.getAtIndex(JAVA_FLOAT, to + i) + source.segment().getAtIndex(JAVA_FLOAT, from + i);
      sums.setAtIndex(JAVA_FLOAT, to + i, sum);
    }
  }
}
