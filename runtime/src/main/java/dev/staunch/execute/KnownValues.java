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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The values of a function that are known before it runs: contents of objects that nothing sets,
 * and lists of known numbers that nothing changes.
 */
final class KnownValues {
  private final Set<String> assigned;
  private final Map<Value, Object> known = new IdentityHashMap<>();

  /**
   * @param assigned the names of attributes that a call may set
   */
  KnownValues(Set<String> assigned) {
    this.assigned = assigned;
  }

  /** For another function of the same program, about which nothing is known yet. */
  KnownValues ofAnotherFunction() {
    return new KnownValues(assigned);
  }

  void know(Value value, @Nullable Object what) {
    if (what != null) {
      known.put(value, what);
    }
  }

  /** The value of {@code value}, or null if it is not known. */
  @Nullable Object of(Value value) {
    return known.get(value);
  }

  /**
   * The result of {@code operation}, or null if it is not known.
   *
   * @param onlyRead whether a list is never changed or passed on
   */
  @Nullable Object result(Operation operation, Predicate<Value> onlyRead) {
    return switch (operation.operator()) {
      case Structure.Constant constant -> Constants.valueOf(constant.value());
      case Structure.GetAttribute get
          when of(operation.operands().get(0)) instanceof ObjectValue object
              && !assigned.contains(get.attribute()) -> {
        int slot = object.layout().indexOf(get.attribute());
        yield slot < 0 ? null : object.get(slot);
      }
      case Structure.Plain plain when plain == Structure.Plain.LIST_CONSTRUCT ->
          list(operation, onlyRead);
      default -> null;
    };
  }

  private @Nullable List<Object> list(Operation operation, Predicate<Value> onlyRead) {
    List<Object> elements = new ArrayList<>();
    for (Value operand : operation.operands()) {
      Object element = of(operand);
      if (!(element instanceof Number || element instanceof Boolean)) {
        return null;
      }
      elements.add(element);
    }
    return onlyRead.test(operation.results().get(0)) ? List.copyOf(elements) : null;
  }
}
