package dev.staunch.execute;

import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.TupleValue;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps tensors alive that a script stores in an object which outlives the request, such as a
 * module's counter: they move to the object's own scope, and the one replaced moves to the
 * request's.
 */
final class StoredTensors {
  private StoredTensors() {}

  /** What to store in {@code object} for {@code value}, in place of {@code old}. */
  @SuppressWarnings("ReferenceEquality") // the very same value needs no move
  static Object keep(
      ObjectValue object, Object value, @Nullable Object old, ResourceScope request) {
    ResourceScope home = object.home();
    if (home == null || value == old) {
      return value;
    }
    if (value instanceof DenseTensor tensor && old instanceof DenseTensor replaced) {
      if (sameElements(tensor, replaced)) {
        return replaced; // an in-place operation: what is stored already shows the new elements
      }
      Object kept = tensor.view(home, tensor.layout());
      ResourceScope.moveTo(request, replaced);
      return kept instanceof DenseTensor ? kept : value;
    }
    move(value, request, home);
    return value;
  }

  private static boolean sameElements(DenseTensor a, DenseTensor b) {
    return a.storage() == b.storage()
        && a.dtype() == b.dtype()
        && a.requiresGrad() == b.requiresGrad()
        && a.layout().equals(b.layout());
  }

  private static void move(Object value, ResourceScope request, ResourceScope home) {
    switch (value) {
      case DenseTensor tensor when tensor.scope() == request -> ResourceScope.moveTo(home, tensor);
      case List<?> list -> list.forEach(element -> move(element, request, home));
      case Map<?, ?> map -> map.values().forEach(element -> move(element, request, home));
      case TupleValue tuple -> tuple.elements().forEach(element -> move(element, request, home));
      default -> {}
    }
  }
}
