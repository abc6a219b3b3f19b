package dev.staunch.kernel.pointwise;

import dev.staunch.kernel.Catalog;

/** Lists the groups of operations that combine tensors element by element. */
public final class PointwiseOperations {
  private PointwiseOperations() {}

  /** Adds all operations of this package. */
  public static void addTo(Catalog.Builder catalog) {
    TensorArithmetic.addTo(catalog);
    TensorDivision.addTo(catalog);
    TensorPowers.addTo(catalog);
    TensorComparisons.addTo(catalog);
    BitwiseOperations.addTo(catalog);
    TensorFunctions.addTo(catalog);
    Clamping.addTo(catalog);
    Activations.addTo(catalog);
    Selections.addTo(catalog);
    Interpolations.addTo(catalog);
    ShrinkingOperations.addTo(catalog);
    ShiftOperations.addTo(catalog);
    ClosenessOperations.addTo(catalog);
    PairFunctions.addTo(catalog);
  }
}
