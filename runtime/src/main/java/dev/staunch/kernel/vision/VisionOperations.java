package dev.staunch.kernel.vision;

import dev.staunch.kernel.Catalog;

/** Everything that detectors and other models of pictures need beyond their layers. */
public final class VisionOperations {
  private VisionOperations() {}

  /** Adds all operations of this package. */
  public static void addTo(Catalog.Builder catalog) {
    BoxOperations.addTo(catalog);
    RegionOperations.addTo(catalog);
    DeformableConvolution.addTo(catalog);
    PatchOperations.addTo(catalog);
    SmoothResizing.addTo(catalog);
    GridSampler.addTo(catalog);
  }
}
