package dev.staunch.execute;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a run from writing what others use at the same time: the first operation that would write
 * any of it ends the run before it has written anything, so that it can be run again, alone. For
 * one run; what the run returns is of no use if it {@linkplain #tried}.
 */
public final class StateGuard {
  private final Set<?> shared;
  private volatile boolean tried;

  /**
   * @param shared the storages of tensors, the lists, dicts and objects not to be written; told
   *     apart by identity
   */
  public StateGuard(Set<?> shared) {
    this.shared = shared;
  }

  /** Whether the run was ended for what it tried to write. */
  public boolean tried() {
    return tried;
  }

  /** Null if {@code target} may be written; else the fault that ends the run. */
  @Nullable Fault forbids(Object target) {
    if (!isShared(target)) {
      return null;
    }
    tried = true;
    return Fault.internal("a request of several that run at once tried to write what they share");
  }

  private boolean isShared(Object target) {
    if (target instanceof DenseTensor tensor) {
      return shared.contains(tensor.storage());
    }
    if (shared.contains(target)) {
      return true;
    }
    if (target instanceof List<?> list) {
      for (Object element : list) {
        if (element instanceof DenseTensor tensor && shared.contains(tensor.storage())) {
          return true;
        }
      }
    }
    return false;
  }
}
