package dev.staunch.execute;

import dev.staunch.ir.Operation;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.kernel.ObjectValue;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What values of a function are known to be before it runs: what objects hold and nothing sets, and
 * lists of known numbers that nobody changes.
 */
final class KnownValues {
  private final Set<String> assigned;
  private final Map<Value, Object> known = new IdentityHashMap<>();

  /**
   * @param assigned the names of attributes that some function of the program sets
   */
  KnownValues(Set<String> assigned) {
    this.assigned = assigned;
  }

  /** Of another function of the same program, of which nothing is known yet. */
  KnownValues ofAnotherFunction() {
    return new KnownValues(assigned);
  }

  void know(Value value, @Nullable Object what) {
    if (what != null) {
      known.put(value, what);
    }
  }

  /** What {@code value} is, or null if that is not known. */
  @Nullable Object of(Value value) {
    return known.get(value);
  }

  /**
   * What {@code operation} gives, or null if that is not known.
   *
   * @param uses says whether anybody changes a list, or hands it on; null if that is not known
   */
  @Nullable Object result(Operation operation, @Nullable Liveness uses) {
    if (operation.operator() == Structure.Plain.LIST_CONSTRUCT && uses != null) {
      return list(operation, uses);
    }
    return switch (operation.operator()) {
      case Structure.Constant constant -> Constants.valueOf(constant.value());
      case Structure.GetAttribute get
          when of(operation.operands().get(0)) instanceof ObjectValue object
              && !assigned.contains(get.attribute()) -> {
        int slot = object.layout().indexOf(get.attribute());
        yield slot < 0 ? null : object.get(slot);
      }
      default -> null;
    };
  }

  private @Nullable List<Object> list(Operation operation, Liveness uses) {
    List<Object> elements = new ArrayList<>();
    for (Value operand : operation.operands()) {
      Object element = of(operand);
      if (!(element instanceof Number || element instanceof Boolean)) {
        return null;
      }
      elements.add(element);
    }
    return uses.isOnlyRead(operation.results().get(0)) ? List.copyOf(elements) : null;
  }
}
