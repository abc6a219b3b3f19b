package dev.staunch.inference;

import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.TupleValue;
import dev.staunch.tensor.DenseTensor;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds what the requests of a model share: its objects, their lists, dicts and storages. */
final class SharedState {
  private final Set<Object> found = Collections.newSetFromMap(new IdentityHashMap<>());

  private SharedState() {}

  /** All that can be reached from {@code root}, told apart by identity; never changed again. */
  static Set<Object> of(ObjectValue root) {
    SharedState state = new SharedState();
    state.visit(root);
    return Collections.unmodifiableSet(state.found);
  }

  private void visit(@Nullable Object value) {
    switch (value) {
      case DenseTensor tensor -> found.add(tensor.storage());
      case ObjectValue object when found.add(object) -> {
        for (int i = 0; i < object.layout().slots().size(); i++) {
          visit(object.get(i));
        }
      }
      case List<?> list when found.add(list) -> list.forEach(this::visit);
      case Map<?, ?> map when found.add(map) -> map.values().forEach(this::visit);
      case TupleValue tuple -> tuple.elements().forEach(this::visit);
      case null, default -> {}
    }
  }
}
