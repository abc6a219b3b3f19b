package dev.staunch.kernel.pointwise;

import dev.staunch.kernel.Catalog;
import java.util.List;

/** Lists the groups of operations that combine tensors element by element. */
public final class PointwiseOperations {
  private PointwiseOperations() {}

  /** All operations of this package. */
  public static List<Catalog.Group> groups() {
    return Catalog.Group.numbered(14, PointwiseOperations::addTo);
  }

  private static void addTo(Catalog.Builder catalog, int group) {
    switch (group) {
      case 0 -> TensorArithmetic.addTo(catalog);
      case 1 -> TensorDivision.addTo(catalog);
      case 2 -> TensorPowers.addTo(catalog);
      case 3 -> TensorComparisons.addTo(catalog);
      case 4 -> BitwiseOperations.addTo(catalog);
      case 5 -> TensorFunctions.addTo(catalog);
      case 6 -> Clamping.addTo(catalog);
      case 7 -> Activations.addTo(catalog);
      case 8 -> Selections.addTo(catalog);
      case 9 -> Interpolations.addTo(catalog);
      case 10 -> ShrinkingOperations.addTo(catalog);
      case 11 -> ShiftOperations.addTo(catalog);
      case 12 -> ClosenessOperations.addTo(catalog);
      case 13 -> PairFunctions.addTo(catalog);
      default -> throw new IllegalArgumentException("there is no group " + group);
    }
  }
}
