package dev.staunch.kernel.container;

import dev.staunch.kernel.Catalog;
import java.util.List;

/** Lists the groups of operations on lists, dicts and enums, which programs share as in Python. */
public final class ContainerOperations {
  private ContainerOperations() {}

  /** All operations of this package. */
  public static List<Catalog.Group> groups() {
    return List.of(
        ListOperations::addTo,
        ListSearches::addTo,
        ListSort::addTo,
        ListReductions::addTo,
        DictOperations::addTo,
        EnumOperations::addTo);
  }
}
