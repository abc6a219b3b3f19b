package dev.staunch.kernel.spectral;

import dev.staunch.kernel.Catalog;

/** Everything that has to do with frequencies. */
public final class SpectralOperations {
  private SpectralOperations() {}

  /** Adds all operations of this package. */
  public static void addTo(Catalog.Builder catalog) {
    FourierOperations.addTo(catalog);
    ShortTimeOperations.addTo(catalog);
    ComplexNumbers.addTo(catalog);
    WindowOperations.addTo(catalog);
  }
}
