package dev.staunch.tfrt;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.standard.StandardOperations;

/**
 * Operations of MLIR programs, under the names of TensorFlow Runtime: scalars, chains, and those
 * that its own test programs need. Values: i1 is {@code Boolean}, i32 {@code Integer}, i64 {@code
 * Long}, f32 {@code Float}, f64 {@code Double}.
 */
public final class TfrtOperations {
  private TfrtOperations() {}

  /** The standard operations and those of this module. */
  public static Catalog catalog() {
    Catalog.Builder catalog = StandardOperations.catalog().toBuilder().closesOnFailure();
    addTo(catalog);
    return catalog.build();
  }

  /** Adds all operations of this module. */
  public static void addTo(Catalog.Builder catalog) {
    TestOperations.addTo(catalog);
    ScalarOperations.addTo(catalog);
  }
}
