package dev.staunch.kernel;

import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.operation.Operands;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/** An operation that combines the elements at the same position of all operands by a formula. */
public non-sealed interface PointwiseBody extends Body {
  /**
   * How to combine float32 rows.
   *
   * @param first the index of the operand that is the first row
   * @param second the index of the second row; negative to use {@code number} instead
   * @param number combined with the first row if there is no second one
   */
  record Rows(RowFormula formula, int first, int second, float number) {}

  /**
   * How to compute a tensor of {@code shape}, new or the first operand, from operands of these
   * forms. This holds if all tensors among them are float32, off-heap, without gaps and not in a
   * mapped file, and each has that shape or one that equals its last dimensions. Running the loop
   * for each row of the shorter operand then gives the same bits as a call, and cannot fail. Null
   * if this is not known.
   */
  @Nullable Rows rows(Operands operands, Shape shape, KernelSet kernels);

  /** Whether the result overwrites the first operand. */
  boolean inPlace();
}
