package dev.staunch.execute;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.CompoundTensor;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.TupleValue;
import dev.staunch.memory.Hold;
import dev.staunch.memory.Holder;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a run keeps from being released (M1), from its start until all its deferred work has
 * finished: what is created in its scope, the scopes of the modules and constants that it uses, and
 * the tensors in the containers that it was given. Held once per run, not per step, because all
 * requests of a model share its weights.
 */
final class Holding {
  private final List<Hold> holds = new ArrayList<>(2);
  private final List<ResourceScope> used = new ArrayList<>(1);
  private final List<DenseTensor> tensors = new ArrayList<>(0);
  private @Nullable ResourceScope own;
  private @Nullable Holder run;

  /** Objects, lists and dicts that were visited, if there were any to visit. */
  private @Nullable Set<Object> seen;

  /**
   * Null once everything is held; or the fault of {@code scope}, which is closed, and nothing is
   * held.
   *
   * @param areHere whether no argument is yet to come: the run then uses no earlier member of its
   *     scope but those that it has references to
   */
  @Nullable Fault begin(
      Holder function,
      ResourceScope scope,
      Object[] constants,
      Object[] arguments,
      boolean areHere) {
    Hold hold = areHere ? scope.holdNewMembers(function) : scope.hold(function);
    if (hold == null) {
      return scope.closedFault();
    }
    holds.add(hold);
    own = scope;
    run = function;
    for (Object constant : constants) {
      use(constant);
    }
    for (Object argument : arguments) {
      if (!(argument instanceof DenseTensor tensor) || isOwn(tensor.home())) {
        use(argument); // for the others the run has views in its own scope
      }
    }
    seen = null;
    return null;
  }

  private void use(@Nullable Object value) {
    switch (value) {
      case DenseTensor tensor -> use(tensor);
      case CompoundTensor compound -> compound.parts().forEach(this::use);
      case ObjectValue object -> use(object);
      case TupleValue tuple -> tuple.elements().forEach(this::use);
      case List<?> list when isNew(list) -> list.forEach(this::use);
      case Map<?, ?> map when isNew(map) -> {
        map.keySet().forEach(this::use);
        map.values().forEach(this::use);
      }
      case null, default -> {}
    }
  }

  private void use(ObjectValue object) {
    ResourceScope home = object.home();
    if (home != null) {
      use(home);
      return;
    }
    if (isNew(object)) {
      for (int i = 0; i < object.layout().slots().size(); i++) {
        use(object.get(i));
      }
    }
  }

  private boolean isNew(Object container) {
    if (seen == null) {
      seen = Collections.newSetFromMap(new IdentityHashMap<>());
    }
    return seen.add(container);
  }

  /**
   * A tensor that was already closed needs no holding: whoever uses it gets the fault that says so.
   */
  private void use(DenseTensor tensor) {
    ResourceScope scope = tensor.scope();
    if (scope != null && !isOwn(scope)) {
      use(scope);
    }
    if ((scope == null || isOwn(scope) || tensor.scope() != scope) && tensor.retain()) {
      tensors.add(tensor);
    }
  }

  @SuppressWarnings("ReferenceEquality") // identity is the point
  private boolean isOwn(@Nullable ResourceScope scope) {
    return scope == own;
  }

  private void use(ResourceScope scope) {
    for (ResourceScope each : used) {
      if (each.equals(scope)) {
        return;
      }
    }
    Hold hold = scope.holdMembers(Objects.requireNonNull(run));
    if (hold != null) {
      holds.add(hold);
      used.add(scope);
    }
  }

  /** Releases all holds without allocating: the heap may be full. */
  void end() {
    for (int i = 0; i < tensors.size(); i++) {
      tensors.get(i).release();
    }
    for (int i = 0; i < holds.size(); i++) {
      holds.get(i).end();
    }
    tensors.clear();
    holds.clear();
    used.clear();
    own = null;
  }
}
