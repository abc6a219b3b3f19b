package dev.staunch.kernel;

import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.operation.Operands;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/** The elements in one place of all operands are combined by a formula. */
public non-sealed interface PointwiseBody extends Body {
  /**
   * How float32 rows are combined.
   *
   * @param first the place of the operand that is the first row
   * @param second that of the second row; negative if there is the number
   * @param number what is combined with the first row if no second one is
   */
  record Rows(RowFormula formula, int first, int second, float number) {}

  /**
   * What is combined for operands of these forms, and how: dtypes, formula, order of operands; or
   * the {@link dev.staunch.fault.Fault} of those that cannot be.
   */
  Object combination(Operands operands);

  /**
   * How a tensor of {@code shape}, new or the first operand, is computed of operands of these
   * forms, if all tensors among them are off-heap, without gaps, in no mapped file, of float32, and
   * of that shape or such that it ends with theirs: then the loop, run for each row of the shorter
   * one, gives the bits that a call does, and cannot fail. Null if that is not known.
   */
  @Nullable Rows rows(Operands operands, Shape shape, KernelSet kernels);

  /** Whether the result is the first operand, overwritten. */
  boolean inPlace();
}
