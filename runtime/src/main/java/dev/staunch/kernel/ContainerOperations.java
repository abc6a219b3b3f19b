package dev.staunch.kernel;

/** Lists the groups of operations of lists, dicts and enums, which programs share as in Python. */
final class ContainerOperations {
  private ContainerOperations() {}

  static void addTo(Catalog.Builder catalog) {
    ListOperations.addTo(catalog);
    ListSearches.addTo(catalog);
    ListReductions.addTo(catalog);
    DictOperations.addTo(catalog);
    EnumOperations.addTo(catalog);
  }
}
