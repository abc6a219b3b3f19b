package dev.staunch.execute;

import dev.staunch.ir.Block;
import dev.staunch.ir.Function;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.operation.Effects;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which tensors and lists of numbers of a function are only ever read: no operation writes them or
 * a view of them, and none leaves the function or enters anything that might. So one tensor, or
 * list, can stand for them in any number of concurrent calls.
 */
final class ReadOnlyValues {
  /** A use of a value; the operation is null if the value can no longer be tracked. */
  private record Use(@Nullable Operation operation, int operand) {
    static final Use UNKNOWN = new Use(null, 0);
  }

  private final Catalog catalog;
  private final Map<Value, List<Use>> uses = new IdentityHashMap<>();

  private ReadOnlyValues(Catalog catalog) {
    this.catalog = catalog;
  }

  static ReadOnlyValues of(Function function, Catalog catalog) {
    ReadOnlyValues found = new ReadOnlyValues(catalog);
    found.scan(function.body());
    for (Value result : function.body().results()) {
      found.add(result, Use.UNKNOWN);
    }
    return found;
  }

  private void scan(Block block) {
    for (Operation operation : block.operations()) {
      for (int i = 0; i < operation.operands().size(); i++) {
        add(operation.operands().get(i), new Use(operation, i));
      }
      for (Block inner : operation.blocks()) {
        scan(inner);
        for (int i = 0; i < inner.results().size(); i++) {
          boolean once = operation.operator() instanceof Structure.With;
          add(inner.results().get(i), once ? new Use(operation, ~i) : Use.UNKNOWN);
        }
      }
    }
  }

  private void add(Value value, Use use) {
    uses.computeIfAbsent(value, fresh -> new ArrayList<>(2)).add(use);
  }

  /** Whether {@code value} is only ever read. */
  boolean holds(Value value) {
    for (Use use : uses.getOrDefault(value, List.of())) {
      if (!isRead(use)) {
        return false;
      }
    }
    return true;
  }

  private boolean isRead(Use use) {
    Operation operation = use.operation;
    if (operation == null) {
      return false;
    }
    if (use.operand < 0) { // the result of a `with` block is its operation's result
      return holds(operation.results().get(~use.operand));
    }
    int fromLast = operation.operands().size() - use.operand;
    if (fromLast <= operation.handed()) {
      for (Block block : operation.blocks()) {
        if (!holds(block.parameters().get(block.parameters().size() - fromLast))) {
          return false;
        }
      }
      return true;
    }
    if (!(operation.operator() instanceof Operator.Entry entry) || !entry.attributes().isEmpty()) {
      return false;
    }
    CatalogEntry definition = catalog.find(entry.name());
    return definition != null
        && definition.closesOnFailure()
        && isRead(definition.effects(), operation, use.operand);
  }

  private boolean isRead(Effects effects, Operation operation, int operand) {
    if (effects.readsNumbers(operand)) {
      return true;
    }
    if (effects.writes(operand) || effects.updatesState() || !effects.borrows(operand)) {
      return false;
    }
    for (int i = 0; i < operation.results().size(); i++) {
      if (effects.viewed(i) == operand && !holds(operation.results().get(i))) {
        return false;
      }
    }
    return true;
  }
}
