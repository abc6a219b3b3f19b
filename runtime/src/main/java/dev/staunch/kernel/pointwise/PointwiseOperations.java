package dev.staunch.kernel.pointwise;

import dev.staunch.kernel.Catalog;
import java.util.List;

/** Lists the groups of operations that combine tensors element by element. */
public final class PointwiseOperations {
  private PointwiseOperations() {}

  /** All operations of this package. */
  public static List<Catalog.Group> groups() {
    return List.of(
        TensorArithmetic::addTo,
        TensorDivision::addTo,
        TensorPowers::addTo,
        TensorComparisons::addTo,
        BitwiseOperations::addTo,
        TensorFunctions::addTo,
        Clamping::addTo,
        Activations::addTo,
        Selections::addTo,
        Interpolations::addTo,
        ShrinkingOperations::addTo,
        ShiftOperations::addTo,
        ClosenessOperations::addTo,
        PairFunctions::addTo);
  }
}
