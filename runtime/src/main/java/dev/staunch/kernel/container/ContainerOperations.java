package dev.staunch.kernel.container;

import dev.staunch.kernel.Catalog;

/** Lists the groups of operations of lists, dicts and enums, which programs share as in Python. */
public final class ContainerOperations {
  private ContainerOperations() {}

  /** Adds all operations of this package. */
  public static void addTo(Catalog.Builder catalog) {
    ListOperations.addTo(catalog);
    ListSearches.addTo(catalog);
    ListReductions.addTo(catalog);
    DictOperations.addTo(catalog);
    EnumOperations.addTo(catalog);
  }
}
