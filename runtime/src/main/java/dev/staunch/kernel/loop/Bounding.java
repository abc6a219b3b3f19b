package dev.staunch.kernel.loop;

import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The formula {@code clamp} with a number as its upper bound, by two of a kernel set's loops. */
record Bounding(RowFormula greater, RowFormula less, float most) implements RowFormula {

  /** The loop for {@code rule}; null if it is another formula, or if the set lacks a loop. */
  static @Nullable RowFormula of(KernelSet kernels, Rule rule, Object bound) {
    if (!rule.name().equals("clamp")
        || bound instanceof DenseTensor
        || bound instanceof ComplexNumber) {
      return null;
    }
    RowFormula greater = kernels.rowFormula("greater");
    RowFormula less = kernels.rowFormula("less");
    return greater == null || less == null
        ? null
        : new Bounding(greater, less, (float) Scalars.real(bound, DType.FLOAT32));
  }

  @Override
  public void run(
      MemorySegment a,
      long fromA,
      MemorySegment b,
      long fromB,
      MemorySegment out,
      long to,
      int count) {
    greater.run(a, fromA, b, fromB, out, to, count);
    less.run(out, to, most, out, to, count);
  }

  @Override
  public void run(MemorySegment a, long fromA, float b, MemorySegment out, long to, int count) {
    greater.run(a, fromA, b, out, to, count);
    less.run(out, to, most, out, to, count);
  }
}
