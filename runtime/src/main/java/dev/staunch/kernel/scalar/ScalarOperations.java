package dev.staunch.kernel.scalar;

import dev.staunch.kernel.Catalog;

/**
 * Operations on numbers: arithmetic, comparison, functions of one number, casts; and what programs
 * ask of the context.
 */
public final class ScalarOperations {
  private ScalarOperations() {}

  /** Adds all operations of this package. */
  public static void addTo(Catalog.Builder catalog) {
    ArithmeticOperations.addTo(catalog);
    IntegerOperations.addTo(catalog);
    FloatOperations.addTo(catalog);
    ComplexOperations.addTo(catalog);
    ComparisonOperations.addTo(catalog);
    CastOperations.addTo(catalog);
    ContextOperations.addTo(catalog);
  }
}
