package dev.staunch.kernel.algebra;

import dev.staunch.kernel.Catalog;

/** Everything that treats the last two dimensions as matrices, beyond their product. */
public final class AlgebraOperations {
  private AlgebraOperations() {}

  /** Adds all operations of this package. */
  public static void addTo(Catalog.Builder catalog) {
    SolvingOperations.addTo(catalog);
    FactorOperations.addTo(catalog);
    SpectrumOperations.addTo(catalog);
    PowerOperations.addTo(catalog);
  }
}
