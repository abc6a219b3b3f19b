package dev.staunch.kernel.volume;

import dev.staunch.kernel.Catalog;
import java.util.List;

/** Operations over the last three dimensions of [N, C, D, H, W] or [C, D, H, W]. */
public final class VolumeOperations {
  private VolumeOperations() {}

  /** All operations of this package. */
  public static List<Catalog.Group> groups() {
    return List.of(VolumeConvolution::addTo, VolumePooling::addTo, VolumeResizing::addTo);
  }
}
