package dev.staunch.eager.operators;

/**
 * The basis of the operator groups: calls an operation of the catalog by name. Each group is an
 * interface of its own that {@link dev.staunch.eager.Tensor} implements, so that readers find an
 * operator by its purpose.
 *
 * <p>Operators return handles and never throw. If the call fails or an operand holds a fault, the
 * returned handle holds that fault, with the line of the program that called the operator.
 * Operators that return several tensors document where they wait.
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
   * Calls an operation that writes this tensor, its first argument, and returns this tensor. If the
   * call fails, this tensor holds the fault until it is overwritten as a whole. A call that would
   * not write this tensor is not made, and leaves such a fault too.
   */
  T applyInPlace(String operation, Object... arguments);
}
