package dev.staunch.kernel;

import dev.staunch.memory.Storage;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Everything that can be reached from a value through objects, lists, dicts and tuples,
 * distinguished by identity. A snapshot of one moment; it never changes.
 *
 * @param state everything that can be written: objects, lists, dicts, and the {@link Storage}s of
 *     tensors
 * @param tensors the tensors themselves
 */
public record Reachable(Set<Object> state, Set<DenseTensor> tensors) {

  /** Everything that can be reached from {@code root}, including itself. */
  public static Reachable of(Object root) {
    Set<Object> state = Collections.newSetFromMap(new IdentityHashMap<>());
    Set<DenseTensor> tensors = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Object> open = new ArrayDeque<>();
    open.add(root);
    for (Object value = open.poll(); value != null; value = open.poll()) {
      switch (value) {
        case DenseTensor tensor -> {
          state.add(tensor.storage());
          tensors.add(tensor);
        }
        case CompoundTensor compound -> open.addAll(compound.parts());
        case TupleValue tuple -> open.addAll(tuple.elements());
        default -> {
          if (isContainer(value) && state.add(value)) {
            addParts(value, open);
          }
        }
      }
    }
    return new Reachable(Collections.unmodifiableSet(state), Collections.unmodifiableSet(tensors));
  }

  private static boolean isContainer(Object value) {
    return value instanceof ObjectValue || value instanceof List<?> || value instanceof Map<?, ?>;
  }

  private static void addParts(Object container, Deque<Object> open) {
    if (container instanceof ObjectValue object) {
      for (int i = 0; i < object.layout().slots().size(); i++) {
        Object value = object.get(i);
        if (value != null) {
          open.add(value);
        }
      }
    } else if (container instanceof List<?> list) {
      open.addAll(list);
    } else if (container instanceof Map<?, ?> map) {
      open.addAll(map.keySet());
      open.addAll(map.values());
    }
  }
}
