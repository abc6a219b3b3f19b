package dev.staunch.kernel;

/**
 * Operations on numbers: arithmetic, comparison, functions of one number, casts; and what programs
 * ask of the context.
 */
final class ScalarOperations {
  private ScalarOperations() {}

  static void addTo(Catalog.Builder catalog) {
    ArithmeticOperations.addTo(catalog);
    IntegerOperations.addTo(catalog);
    FloatOperations.addTo(catalog);
    ComplexOperations.addTo(catalog);
    ComparisonOperations.addTo(catalog);
    CastOperations.addTo(catalog);
    ContextOperations.addTo(catalog);
  }
}
