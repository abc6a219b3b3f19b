package dev.staunch.inference;

import dev.staunch.execute.StateJournal;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.Reachable;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The state that the requests of a model share: its objects with their lists, dicts and tensors,
 * and the constants of its code. The model's scope owns every tensor reachable from these, whatever
 * else holds it.
 */
final class ModelState {
  private final List<Object> roots;
  private final ResourceScope home;
  private volatile Reachable reached;

  /**
   * The state of a newly loaded module.
   *
   * @param constants the constants of its code: an operation may write to one, and an object may
   *     refer to one for a while
   */
  ModelState(ObjectValue root, List<Object> constants, ResourceScope home) {
    this.roots = Stream.concat(Stream.of(root), constants.stream()).toList();
    this.home = home;
    this.reached = Reachable.of(roots);
    adopt(reached);
  }

  /** The objects that only a request running alone may write, compared by identity. */
  Set<Object> shared() {
    return reached.state();
  }

  /** Whether any of {@code values}, or anything reachable from them, is part of the state. */
  boolean holdsAnyOf(List<?> values) {
    return !Collections.disjoint(Reachable.of(values).state(), shared());
  }

  /** Bytes of tensors that are read from a mapped file and have not been written since. */
  long mappedBytes() {
    long bytes = 0;
    for (Object part : reached.state()) {
      bytes += part instanceof Storage storage && storage.isReadOnly() ? storage.byteSize() : 0;
    }
    return bytes;
  }

  /**
   * Adopts the changes of a request that ran alone: tensors that the module now holds move to the
   * model's scope. If this throws, the caller may still undo the changes.
   *
   * @return tensors that the module no longer holds; they now belong to the request
   */
  List<DenseTensor> take(StateJournal journal) {
    if (!journal.rearranged()) {
      return List.of();
    }
    Reachable now = Reachable.of(roots);
    List<DenseTensor> dropped = new ArrayList<>();
    for (DenseTensor tensor : reached.tensors()) {
      if (!now.tensors().contains(tensor) && home.equals(tensor.scope())) {
        dropped.add(tensor);
      }
    }
    adopt(now);
    reached = now;
    return dropped;
  }

  /**
   * Adopts tensors of any owner: a run keeps what it may read alive by holding the model's scope
   * (M1).
   */
  private void adopt(Reachable now) {
    for (DenseTensor tensor : now.tensors()) {
      if (!home.equals(tensor.scope())) {
        ResourceScope.moveTo(home, tensor);
      }
    }
  }
}
