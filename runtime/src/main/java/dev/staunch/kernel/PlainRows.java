package dev.staunch.kernel;

import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.lang.foreign.MemorySegment;

/**
 * The short way for the commonest small case: a float32 tensor without gaps, combined with a number
 * or with a tensor of the same shape. Nothing has to be broadcast, converted or joined, so it costs
 * little more than the loop.
 */
final class PlainRows {
  /** Larger work goes the long way, which looks for cancellation in between. */
  private static final long MOST = 1 << 15;

  private PlainRows() {}

  /** Whether {@code rule} may be run on the operands by {@link #run}. */
  static boolean fit(DType computed, Rule rule, Object... operands) {
    return computed == DType.FLOAT32
        && rule.floats() != null
        && operands.length == 2
        && operands[0] instanceof DenseTensor a
        && isRow(a)
        && (operands[1] instanceof DenseTensor b
            ? isRow(b) && b.shape().equals(a.shape())
            : !(operands[1] instanceof ComplexNumber));
  }

  private static boolean isRow(DenseTensor tensor) {
    return tensor.dtype() == DType.FLOAT32 && tensor.isContiguous() && tensor.elements() <= MOST;
  }

  /** Whether {@code self}, the first operand, may be written while the second is read. */
  static boolean mayOverwrite(DenseTensor self, Object second) {
    return !(second instanceof DenseTensor other)
        || other.storage() != self.storage()
        || other.layout().offset() == self.layout().offset();
  }

  static void run(FloatRun run, DenseTensor target, DenseTensor first, Object second) {
    MemorySegment a = first.segment();
    MemorySegment out = target.segment();
    int count = (int) target.elements();
    long from = first.layout().offset();
    long to = target.layout().offset();
    if (second instanceof DenseTensor b) {
      run.rows(a, from, b.segment(), b.layout().offset(), out, to, count);
    } else {
      run.number(a, from, (float) Scalars.real(second), out, to, count);
    }
  }
}
