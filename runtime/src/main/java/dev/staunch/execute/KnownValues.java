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
   * @param onlyRead whether nobody changes a list, or hands it on
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
