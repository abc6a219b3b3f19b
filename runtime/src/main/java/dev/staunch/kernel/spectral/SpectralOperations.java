package dev.staunch.kernel.spectral;

import dev.staunch.kernel.Catalog;
import java.util.List;

/** All operations in the frequency domain. */
public final class SpectralOperations {
  private SpectralOperations() {}

  /** All operations of this package. */
  public static List<Catalog.Group> groups() {
    return List.of(
        FourierOperations::addTo,
        ShortTimeOperations::addTo,
        RecursiveFilters::addTo,
        ComplexNumbers::addTo,
        WindowOperations::addTo);
  }
}
