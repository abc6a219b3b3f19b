package dev.staunch.kernel;

/** Operations of lists and dicts, which programs share by reference as in Python. */
final class ContainerOperations {
  private ContainerOperations() {}

  static void addTo(Catalog.Builder catalog) {
    ListOperations.addTo(catalog);
    ListSearches.addTo(catalog);
    ListReductions.addTo(catalog);
    DictOperations.addTo(catalog);
  }
}
