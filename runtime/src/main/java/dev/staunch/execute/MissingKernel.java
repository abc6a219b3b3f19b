package dev.staunch.execute;

import dev.staunch.kernel.CatalogEntry;
import dev.staunch.operation.Schema;
import java.util.List;

/** Stands in for an operation that the catalog lacks, so that it is an error only if reached. */
final class MissingKernel {
  private MissingKernel() {}

  static CatalogEntry named(String qualifiedName) {
    int dot = qualifiedName.indexOf('.', Math.max(0, qualifiedName.indexOf("::")));
    String name = dot < 0 ? qualifiedName : qualifiedName.substring(0, dot);
    String overload = dot < 0 ? "" : qualifiedName.substring(dot + 1);
    return new CatalogEntry(new Schema(name, overload, List.of(), List.of(), true, true), null);
  }
}
