package dev.staunch.execute;

import dev.staunch.engine.CancelScope;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import dev.staunch.tensor.DenseTensor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Records the state of a model before a run changes it, so that the changes are either all kept or
 * all {@linkplain #undo undone}. Only what is written is recorded, before its first write: the
 * attributes of an object, the elements of a list or dict, and of a tensor the bytes between the
 * first and the last element that the operation may write. The copies are charged to the run. For a
 * run that has exclusive use of the state and of its thread.
 */
public final class StateJournal implements StateGuard {
  private static final long PIECE = 1L << 20;

  private final Supplier<? extends Set<?>> state;
  private final ResourceScope scratch;
  private final CancelScope cancel;
  private final List<Runnable> undoing = new ArrayList<>();
  private final ArrayList<Storage> copies = new ArrayList<>();
  private final Set<Object> remembered = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<Storage, Saved> saved = new IdentityHashMap<>();

  /** The recorded bytes of a storage: where each part of them begins and ends. */
  private static final class Saved {
    final TreeMap<Long, Long> parts = new TreeMap<>();
    long bytes;

    boolean covers(long from, long to) {
      Map.Entry<Long, Long> part = parts.floorEntry(from);
      return part != null && part.getValue() >= to;
    }

    void add(long from, long to) {
      parts.merge(from, to, Math::max);
      bytes += to - from;
    }
  }

  /**
   * @param state supplies the storages of tensors, the lists, dicts and objects to record, compared
   *     by identity; the same throughout the run
   * @param scratch owns the copies of bytes
   * @param cancel stops copying, and with it the run
   */
  public StateJournal(Supplier<? extends Set<?>> state, ResourceScope scratch, CancelScope cancel) {
    this.state = state;
    this.scratch = scratch;
    this.cancel = cancel;
  }

  /** Whether the run was about to write any of the state. */
  public boolean wrote() {
    return !undoing.isEmpty();
  }

  /** Whether that was more than elements of tensors: what is reachable may have changed. */
  public boolean rearranged() {
    return !remembered.isEmpty();
  }

  @Override
  public @Nullable Fault beforeWrite(Object target) {
    switch (target) {
      case DenseTensor tensor -> {
        return state.get().contains(tensor.storage()) ? remember(tensor) : null;
      }
      case List<?> list when isNew(list) -> {
        List<Object> before = new ArrayList<>(list);
        undoing.add(() -> refill(list, before));
      }
      case Map<?, ?> dict when isNew(dict) -> {
        Map<Object, Object> before = new LinkedHashMap<>(dict);
        undoing.add(() -> refill(dict, before));
      }
      case ObjectValue object when isNew(object) -> {
        @Nullable Object[] before = new Object[object.layout().slots().size()];
        for (int i = 0; i < before.length; i++) {
          before[i] = object.get(i);
        }
        undoing.add(() -> refill(object, before));
      }
      default -> {}
    }
    return null;
  }

  private boolean isNew(Object target) {
    return state.get().contains(target) && remembered.add(target);
  }

  private @Nullable Fault remember(DenseTensor tensor) {
    Storage storage = tensor.storage();
    long from = tensor.layout().offset() * tensor.dtype().bytes();
    long to = tensor.layout().extent() * tensor.dtype().bytes();
    Saved known = saved.computeIfAbsent(storage, absent -> new Saved());
    if (tensor.elements() == 0 || known.covers(from, to)) {
      return null;
    }
    if (known.bytes + to - from > storage.byteSize()) { // with many parts, the whole costs no more
      from = 0;
      to = storage.byteSize();
    }
    Fault fault = save(storage, from, to);
    if (fault == null) {
      known.add(from, to);
    }
    return fault;
  }

  private @Nullable Fault save(Storage storage, long from, long to) {
    copies.ensureCapacity(copies.size() + 1); // before there is a copy to lose
    Object allocated = scratch.allocate(to - from, cancel::check);
    if (!(allocated instanceof Storage copy)) {
      return (Fault) allocated;
    }
    copies.add(copy);
    for (long at = 0; at < to - from; at += PIECE) {
      Fault stopped = cancel.check();
      if (stopped != null) {
        return stopped;
      }
      long length = Math.min(PIECE, to - from - at);
      MemorySegment.copy(storage.segment(), from + at, copy.segment(), at, length);
    }
    undoing.add(() -> restore(storage, from, copy));
    return null;
  }

  private static void restore(Storage storage, long from, Storage copy) {
    if (!storage.isReadOnly()) { // otherwise nothing could be written
      MemorySegment.copy(copy.segment(), 0, storage.segment(), from, copy.byteSize());
    }
  }

  /** In place: a list that once had room for its elements does not need to allocate for them. */
  @SuppressWarnings("unchecked") // it gets its former elements back
  private static void refill(List<?> list, List<Object> before) {
    List<Object> target = (List<Object>) list;
    while (target.size() > before.size()) {
      target.removeLast();
    }
    for (int i = 0; i < before.size(); i++) {
      if (i < target.size()) {
        target.set(i, before.get(i));
      } else {
        target.add(before.get(i));
      }
    }
  }

  /** First adds the keys that were removed, which may need room. Nothing is removed before that. */
  @SuppressWarnings("unchecked") // it gets its former entries back
  private static void refill(Map<?, ?> dict, Map<Object, Object> before) {
    Map<Object, Object> target = (Map<Object, Object>) dict;
    target.putAll(before);
    target.keySet().retainAll(before.keySet());
    if (target instanceof LinkedHashMap<Object, Object> ordered) {
      before.forEach(ordered::putLast); // restored keys came last
    }
  }

  private static void refill(ObjectValue object, @Nullable Object[] before) {
    for (int i = 0; i < before.length; i++) {
      Object value = before[i];
      if (value != null) {
        object.set(i, value);
      }
    }
  }

  /**
   * Restores the state before the run. Call it at the end of the run, before {@link #end}. If a
   * part cannot be restored, for lack of heap, all others still are.
   */
  public void undo() {
    OutOfMemoryError error = null;
    for (int i = undoing.size() - 1; i >= 0; i--) {
      try {
        undoing.get(i).run();
      } catch (OutOfMemoryError e) {
        error = e;
      }
    }
    if (error != null) {
      throw error;
    }
  }

  /** Releases the copies; there is nothing to undo any more. */
  public void end() {
    undoing.clear();
    copies.forEach(Storage::release);
    copies.clear();
  }
}
