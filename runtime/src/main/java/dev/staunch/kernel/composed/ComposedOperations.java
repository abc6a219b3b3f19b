package dev.staunch.kernel.composed;

import dev.staunch.kernel.Catalog;

/** Everything that is said best in other operations. */
public final class ComposedOperations {
  private ComposedOperations() {}

  /** Adds all operations of this package. */
  public static void addTo(Catalog.Builder catalog) {
    StridedViews.addTo(catalog);
    ArrangedTensors.addTo(catalog);
    NormedTensors.addTo(catalog);
    LabelLosses.addTo(catalog);
    AlignmentLoss.addTo(catalog);
    NumberPairs.addTo(catalog);
    PickedTensors.addTo(catalog);
  }
}
