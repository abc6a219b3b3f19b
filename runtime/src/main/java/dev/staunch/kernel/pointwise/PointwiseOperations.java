package dev.staunch.kernel.pointwise;

import dev.staunch.kernel.Catalog;
import java.util.List;

/** Lists the groups of operations that combine tensors element by element. */
public final class PointwiseOperations {
  private PointwiseOperations() {}

  /** All operations of this package. */
  public static List<Catalog.Group> groups() {
    return Catalog.Group.numbered(19, PointwiseOperations::addTo);
  }

  private static void addTo(Catalog.Builder catalog, int group) {
    switch (group) {
      case 0 -> TensorArithmetic.addTo(catalog);
      case 1 -> TensorDivision.addTo(catalog);
      case 2 -> TensorPowers.addTo(catalog);
      case 3 -> TensorComparisons.addTo(catalog);
      case 4 -> BitwiseOperations.addTo(catalog);
      case 5 -> TensorFunctions.signs(catalog);
      case 6 -> Clamping.addTo(catalog);
      case 7 -> Activations.addTo(catalog);
      case 8 -> Selections.addTo(catalog);
      case 9 -> Interpolations.addTo(catalog);
      case 10 -> ShrinkingOperations.addTo(catalog);
      case 11 -> ShiftOperations.addTo(catalog);
      case 12 -> ClosenessOperations.addTo(catalog);
      case 13 -> PairFunctions.addTo(catalog);
      case 14 -> TensorFunctions.sigmoids(catalog);
      case 15 -> TensorFunctions.exponentials(catalog);
      case 16 -> TensorFunctions.trigonometry(catalog);
      case 17 -> Activations.addRelu(catalog);
      case 18 -> Activations.addSmooth(catalog);
      default -> throw new IllegalArgumentException("there is no group " + group);
    }
  }
}
