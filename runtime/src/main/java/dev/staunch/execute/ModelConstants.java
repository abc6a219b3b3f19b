package dev.staunch.execute;

import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.Reachable;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import dev.staunch.tensor.DenseTensor;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The tensors of a module's state, each a constant until an operation is about to write it; the
 * tensors computed from these alone; and what kernels packed from either. All are in the module's
 * scope.
 */
final class ModelConstants {
  /** Treats no tensor as a constant. */
  static final ModelConstants NONE = new ModelConstants(null, Map.of(), Map.of());

  /** The module's scope; null if there is none, and so no constant. */
  private final @Nullable ResourceScope home;

  private final Map<DenseTensor, Packed> tensors;

  /** Constants that were computed from others. */
  private final Map<DenseTensor, Packed> derived = new ConcurrentHashMap<>();

  /** Whether each storage was written. */
  private final Map<Storage, Writes> storages;

  /** The history of a storage: views of it are constant as long as it is not written. */
  private static final class Writes {
    volatile boolean any;
  }

  private ModelConstants(
      @Nullable ResourceScope home,
      Map<DenseTensor, Packed> tensors,
      Map<Storage, Writes> storages) {
    this.home = home;
    this.tensors = tensors;
    this.storages = storages;
  }

  /**
   * The constants of a loaded module; an object of one request has none.
   *
   * @param reached what can be reached from it
   */
  static ModelConstants of(ObjectValue module, Reachable reached) {
    ResourceScope home = module.home();
    if (home == null) {
      return NONE;
    }
    Map<DenseTensor, Packed> tensors = new IdentityHashMap<>();
    Map<Storage, Writes> storages = new IdentityHashMap<>();
    for (DenseTensor tensor : reached.tensors()) {
      Writes writes = storages.computeIfAbsent(tensor.storage(), fresh -> new Writes());
      tensors.put(
          tensor, new Packed(tensor, home, new Writes[] {writes}, new ConcurrentHashMap<>()));
    }
    return new ModelConstants(home, tensors, storages);
  }

  /** The constant for {@code tensor}, or null if it is not one. */
  @Nullable Constant find(DenseTensor tensor) {
    Packed known = packed(tensor);
    return known == null || !known.isCurrent() ? null : known;
  }

  private @Nullable Packed packed(DenseTensor tensor) {
    Packed known = tensors.get(tensor);
    return known == null ? derived.get(tensor) : known;
  }

  /** Whether each of {@code sources} is a constant. */
  boolean areCurrent(List<DenseTensor> sources) {
    for (DenseTensor source : sources) {
      if (find(source) == null) {
        return false;
      }
    }
    return true;
  }

  /**
   * Keeps {@code made}, which were computed from {@code sources} alone and which nothing writes:
   * they are constants as long as the sources are, and belong to the model from now on. Returns the
   * first of them; null if some of the sources are not constants, or if there is no room.
   */
  @Nullable Constant derive(List<DenseTensor> made, List<DenseTensor> sources) {
    if (home == null || !areCurrent(sources) || !leavesRoom(home, made)) {
      return null;
    }
    Set<Writes> storages = new HashSet<>();
    for (DenseTensor source : sources) {
      Packed known = packed(source);
      if (known != null) {
        storages.addAll(List.of(known.writes));
      }
    }
    Writes[] writes = storages.toArray(Writes[]::new);
    for (DenseTensor each : made) {
      ResourceScope.moveTo(home, each);
      derived.put(each, new Packed(each, home, writes, new ConcurrentHashMap<>()));
    }
    return derived.get(made.getFirst());
  }

  /** Whether the elements of {@code tensor} belong to the module. */
  boolean holds(DenseTensor tensor) {
    return storages.containsKey(tensor.storage());
  }

  /** Call this for each operand before an operation writes it. */
  void beforeWrite(Object operand) {
    if (operand instanceof DenseTensor tensor) {
      Writes writes = storages.get(tensor.storage());
      if (writes != null) {
        writes.any = true;
      }
    }
  }

  /**
   * Computed and packed tensors can be recomputed if they are not kept, but requests cannot do
   * without memory. So what is kept takes at most half of what is free.
   */
  private static boolean leavesRoom(ResourceScope home, List<DenseTensor> tensors) {
    long free = home.memory().budgetBytes() - home.memory().account().bytes();
    for (DenseTensor tensor : tensors) {
      free -= 2 * tensor.elements() * tensor.dtype().bytes();
    }
    return free >= 0;
  }

  /** {@code writes} tracks the storages that hold it, or from which it was computed. */
  private record Packed(
      DenseTensor tensor, ResourceScope home, Writes[] writes, Map<Object, DenseTensor> forms)
      implements Constant {

    @Override
    public boolean isCurrent() {
      for (Writes each : writes) {
        if (each.any) {
          return false;
        }
      }
      return true;
    }

    @Override
    public @Nullable DenseTensor packed(Object format, Packing packing) {
      return forms.computeIfAbsent(
          format, key -> leavesRoom(home, List.of(tensor)) ? made(packing) : null);
    }

    /** In a scope of its own, because packing may touch pages of mapped files that are gone. */
    private @Nullable DenseTensor made(Packing packing) {
      Object made = home.using("packed weight", scope -> packing.pack(tensor, scope));
      return made instanceof DenseTensor packed ? packed : null;
    }
  }
}
