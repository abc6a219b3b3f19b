package dev.staunch.dispatch;

import dev.staunch.kernel.TupleValue;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Tensors of other scopes that a user's code brings into a program. Nothing holds their scopes
 * while the program runs, so it gets references of its own: closing the originals does no harm
 * (M1).
 */
final class ForeignTensors {
  private ForeignTensors() {}

  /** {@code value}, with all tensors of other scopes replaced by views of them in {@code scope}. */
  static Object heldIn(ResourceScope scope, Object value) {
    return replaced(value, part -> part instanceof DenseTensor it ? held(it, scope) : null);
  }

  /** A view of {@code tensor} in {@code scope}; itself if it is a member there, or closed. */
  static DenseTensor held(DenseTensor tensor, ResourceScope scope) {
    if (scope.contains(tensor) || tensor.isClosed()) {
      return tensor;
    }
    return tensor.view(scope, tensor.layout()) instanceof DenseTensor view ? view : tensor;
  }

  /**
   * {@code value} and its parts, replaced by what {@code each} returns for them: null to look
   * inside. A list, dict or tuple is a new one only if something in it was replaced.
   */
  static Object replaced(Object value, Function<Object, @Nullable Object> each) {
    Object known = each.apply(value);
    if (known != null) {
      return known;
    }
    return switch (value) {
      case List<?> list -> {
        List<Object> elements = elements(list, each);
        yield isChanged(list, elements) ? elements : list;
      }
      case TupleValue tuple -> {
        List<Object> elements = elements(tuple.elements(), each);
        yield isChanged(tuple.elements(), elements) ? new TupleValue(elements) : tuple;
      }
      case Map<?, ?> map -> {
        List<Object> values = elements(map.values(), each);
        yield isChanged(map.values(), values) ? withValues(map, values) : map;
      }
      case null, default -> value;
    };
  }

  private static List<Object> elements(
      Collection<?> values, Function<Object, @Nullable Object> each) {
    List<Object> elements = new ArrayList<>(values.size());
    values.forEach(value -> elements.add(replaced(value, each)));
    return elements;
  }

  @SuppressWarnings("ReferenceEquality") // identity is the point
  private static boolean isChanged(Collection<?> values, List<Object> replaced) {
    int i = 0;
    for (Object value : values) {
      if (value != replaced.get(i++)) {
        return true;
      }
    }
    return false;
  }

  private static Map<Object, Object> withValues(Map<?, ?> map, List<Object> values) {
    Map<Object, Object> entries = new LinkedHashMap<>();
    int i = 0;
    for (Object key : map.keySet()) {
      entries.put(key, values.get(i++));
    }
    return entries;
  }
}
