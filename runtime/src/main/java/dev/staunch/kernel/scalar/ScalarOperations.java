package dev.staunch.kernel.scalar;

import dev.staunch.kernel.Catalog;
import java.util.List;

/**
 * Operations on numbers: arithmetic, comparison, functions of one number, casts; and queries about
 * the context that a program runs in.
 */
public final class ScalarOperations {
  private ScalarOperations() {}

  /** All operations of this package. */
  public static List<Catalog.Group> groups() {
    return List.of(
        ArithmeticOperations::addTo,
        IntegerOperations::addTo,
        FloatOperations::addTo,
        ComplexOperations::addTo,
        ComparisonOperations::addTo,
        CastOperations::addTo,
        HashOperation::addTo,
        ContextOperations::addTo);
  }
}
