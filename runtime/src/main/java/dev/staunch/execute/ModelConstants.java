package dev.staunch.execute;

import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.Reachable;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import dev.staunch.tensor.DenseTensor;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The tensors of a module's state, each a constant until an operation is about to write it, and
 * what kernels have packed of them, in the module's scope.
 */
final class ModelConstants {
  /** No tensor is one. */
  static final ModelConstants NONE = new ModelConstants(Map.of(), Map.of());

  private final Map<DenseTensor, Packed> tensors;

  /** Whether each storage was written. */
  private final Map<Storage, Writes> storages;

  /** What happened to a storage: views of it are constant as long as it is not written. */
  private static final class Writes {
    volatile boolean any;
  }

  private ModelConstants(Map<DenseTensor, Packed> tensors, Map<Storage, Writes> storages) {
    this.tensors = tensors;
    this.storages = storages;
  }

  /** Those of a loaded module; an object of one request has none. */
  static ModelConstants of(ObjectValue module) {
    ResourceScope home = module.home();
    if (home == null) {
      return NONE;
    }
    Map<DenseTensor, Packed> tensors = new IdentityHashMap<>();
    Map<Storage, Writes> storages = new IdentityHashMap<>();
    for (DenseTensor tensor : Reachable.of(module).tensors()) {
      Writes writes = storages.computeIfAbsent(tensor.storage(), fresh -> new Writes());
      tensors.put(tensor, new Packed(tensor, home, writes, new ConcurrentHashMap<>()));
    }
    return new ModelConstants(tensors, storages);
  }

  /** The constant that {@code tensor} is, or null. */
  @Nullable Constant find(DenseTensor tensor) {
    Packed known = tensors.get(tensor);
    return known == null || !known.isCurrent() ? null : known;
  }

  /** Whether the elements of {@code tensor} are the module's own. */
  boolean holds(DenseTensor tensor) {
    return storages.containsKey(tensor.storage());
  }

  /** To be told of each operand, a tensor or a list of some, before an operation writes it. */
  void beforeWrite(Object operand) {
    if (operand instanceof DenseTensor tensor) {
      Writes writes = storages.get(tensor.storage());
      if (writes != null) {
        writes.any = true;
      }
    } else if (operand instanceof List<?> list) {
      list.forEach(this::beforeWrite);
    }
  }

  private record Packed(
      DenseTensor tensor, ResourceScope home, Writes writes, Map<Object, DenseTensor> forms)
      implements Constant {

    @Override
    public boolean isCurrent() {
      return !writes.any;
    }

    @Override
    public @Nullable DenseTensor packed(Object format, Packing packing) {
      return forms.computeIfAbsent(format, key -> leavesRoom() ? made(packing) : null);
    }

    /**
     * Requests need memory more than packed weights do: those take half of what is free at most.
     */
    private boolean leavesRoom() {
      long free = home.memory().budgetBytes() - home.memory().account().bytes();
      return tensor.elements() * tensor.dtype().bytes() <= free / 2;
    }

    private @Nullable DenseTensor made(Packing packing) {
      return packing.pack(tensor, home) instanceof DenseTensor packed ? packed : null;
    }
  }
}
