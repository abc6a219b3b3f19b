package dev.staunch.eager;

import dev.staunch.fault.Fault;

/**
 * What the groups of operators stand on: calling an operation of the catalog by name. Each group is
 * an interface of its own that {@link Tensor} alone implements, so that a reader finds an operator
 * by what it is for.
 *
 * <p>Operators return handles and never throw: a fault of the call, or of an operand, is what the
 * handle holds (F1, F2), with the line of the program that called the operator. Those that return
 * several tensors say where they wait.
 */
public sealed interface Applicable
    permits ActivationFunctions,
        Arithmetic,
        Comparisons,
        Conversions,
        InPlace,
        Indexing,
        Layers,
        LinearAlgebra,
        MathFunctions,
        RandomFills,
        Reading,
        Reductions,
        Shaping,
        Sorting {

  /** The context that owns this. */
  Context context();

  /** The fault, or null. */
  @org.jspecify.annotations.Nullable
  Fault fault();

  /** As {@link Context#apply}. */
  default Tensor apply(String operation, Object... arguments) {
    return context().apply(operation, arguments);
  }

  /** As {@link Context#applyMany}. */
  default Tensor[] applyMany(String operation, int results, Object... arguments) {
    return context().applyMany(operation, results, arguments);
  }

  /** As {@link Context#applyList}. */
  default Tensor[] applyList(String operation, Object... arguments) {
    return context().applyList(operation, arguments);
  }

  /**
   * Calls an operation that writes this tensor, which is the result. If it fails, this tensor holds
   * the fault until it is overwritten as a whole (F1, F4).
   */
  default Tensor applyInPlace(String operation, Object... arguments) {
    return apply(operation, arguments);
  }
}
