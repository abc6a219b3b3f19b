package dev.staunch.ir;

import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.operation.OperationDefinition;
import dev.staunch.operation.Schema;
import java.util.List;

/** Operators for programs that tests build. */
public final class Entries {
  private Entries() {}

  /** A standard operation, or one of a test's own, of which only the name is known here. */
  public static Operator.Entry named(String name) {
    CatalogEntry known = StandardOperations.catalog().find(name);
    return new Operator.Entry(known == null ? unknown(name) : known.definition());
  }

  private static OperationDefinition unknown(String name) {
    return new OperationDefinition(new Schema(name, "", List.of(), List.of(), true, true));
  }
}
