package dev.staunch.kernel.loop;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.DoubleUnaryOperator;

/**
 * The short way for the commonest small cases: a float32 tensor without gaps, by itself, or
 * combined with a number, with a tensor of the same shape, or with a row that repeats along its
 * leading dimensions. Nothing has to be converted or joined, so it costs little more than the loop.
 */
final class PlainRows {
  /** Larger work goes the long way, which looks for cancellation in between. */
  private static final long MOST = 1 << 15;

  private PlainRows() {}

  /** Whether {@code rule} may be run on the operands by {@link #run}. */
  static boolean fit(DType computed, Rule rule, Object... operands) {
    if (computed != DType.FLOAT32 || !(operands[0] instanceof DenseTensor a) || !isRow(a)) {
      return false;
    }
    return operands.length == 1
        ? rule.single() != null
        : operands.length == 2 && rule.floats() != null && fits(a, operands[1]);
  }

  private static boolean fits(DenseTensor a, Object second) {
    return second instanceof DenseTensor b
        ? isRow(b) && (b.shape().equals(a.shape()) || repeats(a.shape(), b.shape()))
        : !(second instanceof ComplexNumber);
  }

  private static boolean isRow(DenseTensor tensor) {
    return tensor.dtype() == DType.FLOAT32 && tensor.isContiguous() && tensor.elements() <= MOST;
  }

  /** Whether {@code b}, but for leading ones, is what {@code a} ends with. */
  private static boolean repeats(Shape a, Shape b) {
    int lead = a.rank() - b.rank();
    if (lead < 0 || b.elements() == 0 || a.elements() == 0) {
      return false;
    }
    int dim = 0;
    while (dim < b.rank() && b.size(dim) == 1) {
      dim++;
    }
    while (dim < b.rank() && b.size(dim) == a.size(lead + dim)) {
      dim++;
    }
    return dim == b.rank();
  }

  /** Whether {@code self}, the first operand, may be written while the second is read. */
  static boolean mayOverwrite(DenseTensor self, Object second) {
    return !(second instanceof DenseTensor other)
        || other.storage() != self.storage()
        || (other.layout().offset() == self.layout().offset()
            && other.elements() == self.elements());
  }

  static void run(Rule rule, DenseTensor target, Object... operands) {
    DenseTensor first = (DenseTensor) operands[0];
    if (operands.length == 1) {
      each(Objects.requireNonNull(rule.single()), target, first);
    } else {
      run(Objects.requireNonNull(rule.floats()), target, first, operands[1]);
    }
  }

  private static void run(FloatRun run, DenseTensor target, DenseTensor first, Object second) {
    MemorySegment a = first.segment();
    MemorySegment out = target.segment();
    int count = (int) target.elements();
    long from = first.layout().offset();
    long to = target.layout().offset();
    if (!(second instanceof DenseTensor b)) {
      run.number(a, from, (float) Scalars.real(second, DType.FLOAT32), out, to, count);
    } else if (b.elements() == 1) {
      float number = b.segment().getAtIndex(JAVA_FLOAT, b.layout().offset());
      run.number(a, from, number, out, to, count);
    } else {
      int width = (int) b.elements();
      MemorySegment row = b.segment();
      for (int done = 0; done < count; done += width) {
        run.rows(a, from + done, row, b.layout().offset(), out, to + done, width);
      }
    }
  }

  private static void each(DoubleUnaryOperator function, DenseTensor target, DenseTensor first) {
    MemorySegment a = first.segment();
    MemorySegment out = target.segment();
    int count = (int) target.elements();
    long from = first.layout().offset();
    long to = target.layout().offset();
    for (int i = 0; i < count; i++) {
      double value = a.getAtIndex(JAVA_FLOAT, from + i);
      out.setAtIndex(JAVA_FLOAT, to + i, (float) function.applyAsDouble(value));
    }
  }
}
