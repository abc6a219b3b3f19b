package dev.staunch.eager.operators;

/**
 * What the groups of operators stand on: calling an operation of the catalog by name. Each group is
 * an interface of its own that {@link dev.staunch.eager.Tensor} implements, so that a reader finds
 * an operator by what it is for.
 *
 * <p>Operators return handles and never throw: a fault of the call, or of an operand, is what the
 * handle holds, with the line of the program that called the operator. Those that return several
 * tensors say where they wait.
 *
 * @param <T> the handle
 */
public interface Applicable<T> {
  /** As {@link dev.staunch.eager.Context#apply}. */
  T apply(String operation, Object... arguments);

  /** As {@link dev.staunch.eager.Context#applyMany}. */
  T[] applyMany(String operation, int results, Object... arguments);

  /** As {@link dev.staunch.eager.Context#applyList}. */
  T[] applyList(String operation, Object... arguments);

  /**
   * Calls an operation that writes this tensor, its first argument, which is the result. If it
   * fails, this tensor holds the fault until it is overwritten as a whole. A call that would not
   * write this tensor is not made: that is such a fault, too.
   */
  T applyInPlace(String operation, Object... arguments);
}
