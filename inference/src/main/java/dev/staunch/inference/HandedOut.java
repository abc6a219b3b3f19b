package dev.staunch.inference;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Reachable;
import dev.staunch.kernel.TupleValue;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns the result of a call into one that the caller may close, and whose lists and dicts it may
 * change, without affecting the model. A tensor that the model holds becomes a handle in the
 * caller's scope that shares its elements. The model's lists and dicts, and any containers of such
 * values, are copied. Objects of the script's classes stay the same. One instance serves one
 * result.
 */
final class HandedOut {
  private final ResourceScope home;
  private final Set<?> state;
  private final ResourceScope callers;

  /**
   * Replacements by identity, so that a tensor or list that occurs twice is still one object in the
   * copy.
   */
  private final Map<Object, Object> copies = new IdentityHashMap<>(0);

  private @Nullable Fault failed;

  /**
   * @param home the scope of the model's tensors
   * @param state the model's lists and dicts, compared by identity
   * @param callers the scope that handles belong to
   */
  HandedOut(ResourceScope home, Set<?> state, ResourceScope callers) {
    this.home = home;
    this.state = state;
    this.callers = callers;
  }

  /**
   * Returns {@code result} itself if no part of it belongs to the model; or the fault of a closed
   * scope.
   */
  Object of(Object result) {
    boolean whole = result instanceof TupleValue || isContainer(result);
    if (!(result instanceof DenseTensor) && !(whole && hasState(Reachable.of(result)))) {
      return result;
    }
    Object copy = copy(result);
    return failed == null ? copy : failed;
  }

  private static boolean isContainer(Object value) {
    return value instanceof List<?> || value instanceof Map<?, ?>;
  }

  private boolean hasState(Reachable found) {
    return found.tensors().stream().anyMatch(this::isHeld)
        || found.state().stream().anyMatch(each -> isContainer(each) && state.contains(each));
  }

  private boolean isHeld(DenseTensor tensor) {
    return home.equals(tensor.scope());
  }

  private Object copy(Object value) {
    Object known = copies.get(value);
    if (known != null) {
      return known;
    }
    return switch (value) {
      case DenseTensor tensor when isHeld(tensor) -> handle(tensor);
      case TupleValue tuple -> new TupleValue(tuple.elements().stream().map(this::copy).toList());
      case List<?> list -> {
        List<Object> elements = new ArrayList<>(list.size());
        copies.put(list, elements);
        list.forEach(element -> elements.add(copy(element)));
        yield elements;
      }
      case Map<?, ?> dict -> {
        Map<Object, Object> entries = LinkedHashMap.newLinkedHashMap(dict.size());
        copies.put(dict, entries);
        dict.forEach((key, element) -> entries.put(copy(key), copy(element)));
        yield entries;
      }
      default -> value;
    };
  }

  private Object handle(DenseTensor tensor) {
    Object made = tensor.view(callers, tensor.layout());
    if (made instanceof Fault fault) {
      failed = failed == null ? fault : failed;
    }
    copies.put(tensor, made);
    return made;
  }
}
