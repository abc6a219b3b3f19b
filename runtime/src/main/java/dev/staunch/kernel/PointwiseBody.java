package dev.staunch.kernel;

import dev.staunch.operation.Operands;

/** The elements in one place of all operands are combined by a formula. */
public non-sealed interface PointwiseBody extends Body {
  /**
   * What is combined for operands of these forms, and how: dtypes, formula, order of operands; or
   * the {@link dev.staunch.fault.Fault} of those that cannot be.
   */
  Object combination(Operands operands);

  /** Whether the result is the first operand, overwritten. */
  boolean inPlace();
}
