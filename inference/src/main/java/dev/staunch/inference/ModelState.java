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
 * What the requests of a model share: its objects, their lists, dicts and tensors, and those of the
 * constants of its code. Tensors that can be reached from these belong to the model's scope,
 * whatever holds them.
 */
final class ModelState {
  private final List<Object> roots;
  private final ResourceScope home;
  private volatile Reachable reached;

  /**
   * The state of a module that was just loaded.
   *
   * @param constants of its code: an operation may write one, and an object may hold one for a time
   */
  ModelState(ObjectValue root, List<Object> constants, ResourceScope home) {
    this.roots = Stream.concat(Stream.of(root), constants.stream()).toList();
    this.home = home;
    this.reached = Reachable.of(roots);
    adopt(reached);
  }

  /** What may not be written but by one request alone, told apart by identity. */
  Set<Object> shared() {
    return reached.state();
  }

  /** Whether any of {@code values}, or of what they hold, is part of it. */
  boolean holdsAnyOf(List<?> values) {
    return !Collections.disjoint(Reachable.of(values).state(), shared());
  }

  /** Bytes of tensors that are read from a mapped file, not written since. */
  long mappedBytes() {
    long bytes = 0;
    for (Object part : reached.state()) {
      bytes += part instanceof Storage storage && storage.isReadOnly() ? storage.byteSize() : 0;
    }
    return bytes;
  }

  /**
   * Takes over what a request that ran alone has changed: tensors that the module holds now come to
   * the model's scope. If that throws, the state may be made again what it was.
   *
   * @return tensors that the module holds no longer, which are the request's
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

  /** Whoever owned them: a run holds what it may read by holding the model's scope (M1). */
  private void adopt(Reachable now) {
    for (DenseTensor tensor : now.tensors()) {
      if (!home.equals(tensor.scope())) {
        ResourceScope.moveTo(home, tensor);
      }
    }
  }
}
