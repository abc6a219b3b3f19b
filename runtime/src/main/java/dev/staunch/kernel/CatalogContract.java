package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.operation.Schema;
import dev.staunch.type.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks the operands of an operation of MLIR text against its schema. Every operation takes one
 * chain more than its schema says, to be ordered by.
 */
public final class CatalogContract {
  private static final Type CHAIN = new Type.Named(Chain.TYPE);
  private final Catalog catalog;

  public CatalogContract(Catalog catalog) {
    this.catalog = catalog;
  }

  /** The types that an operation gives, or null if the catalog has no such operation. */
  public @Nullable List<Type> resultTypes(String operation) {
    CatalogEntry definition = catalog.find(operation);
    return definition == null
        ? null
        : definition.schema().results().stream().map(Schema.Result::type).toList();
  }

  /** Null if operands and results of these types match the operation's schema. */
  public @Nullable Fault check(String operation, List<Type> operands, List<Type> results) {
    CatalogEntry definition = catalog.find(operation);
    if (definition == null) {
      return Fault.of(FaultType.UNKNOWN_OPERATION, "there is no operation " + operation);
    }
    Schema schema = definition.schema();
    List<Type> wanted = schema.parameters().stream().map(Schema.Parameter::type).toList();
    int extra = operands.size() - wanted.size();
    boolean chained = extra == 1 && operands.getLast().equals(CHAIN);
    boolean fits =
        schema.variadic()
            || (extra >= 0
                && (extra == 0 || chained)
                && operands.subList(0, wanted.size()).equals(wanted));
    if (!fits) {
      String text = "%s takes %s, got %s";
      return Fault.of(
          FaultType.DATA_FORMAT,
          Message.of(text, operation, Message.listed(wanted), Message.listed(operands)));
    }
    List<Type> given = schema.results().stream().map(Schema.Result::type).toList();
    return given.equals(results)
        ? null
        : Fault.of(
            FaultType.DATA_FORMAT,
            Message.of(
                "%s gives %s, not %s", operation, Message.listed(given), Message.listed(results)));
  }
}
