package dev.staunch.kernel.vision;

import dev.staunch.kernel.Catalog;
import java.util.List;

/** Everything that detectors and other vision models need in addition to their layers. */
public final class VisionOperations {
  private VisionOperations() {}

  /** All operations of this package. */
  public static List<Catalog.Group> groups() {
    return List.of(
        BoxOperations::addTo,
        RegionOperations::addTo,
        DeformableConvolution::addTo,
        PatchOperations::addTo,
        SmoothResizing::addTo);
  }
}
