package dev.staunch.kernel.algebra;

import dev.staunch.kernel.Catalog;
import java.util.List;

/** All operations that treat the last two dimensions as matrices, except their product. */
public final class AlgebraOperations {
  private AlgebraOperations() {}

  /** All operations of this package. */
  public static List<Catalog.Group> groups() {
    return List.of(
        SolvingOperations::addTo,
        LuOperations::addTo,
        FactorOperations::addTo,
        IndefiniteFactors::addTo,
        SpectrumOperations::addTo,
        PowerOperations::addTo);
  }
}
