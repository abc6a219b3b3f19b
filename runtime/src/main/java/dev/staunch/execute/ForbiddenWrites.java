package dev.staunch.execute;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a run from writing what others use at the same time: the first operation that would write
 * any of it ends the run before it has written anything, so that it can be run again, alone. What
 * the run returns is of no use if it {@linkplain #tried}. Thread-safe.
 */
public final class ForbiddenWrites implements StateGuard {
  private final Supplier<? extends Set<?>> shared;
  private volatile boolean tried;

  /**
   * @param shared gives the storages of tensors, the lists, dicts and objects not to be written,
   *     told apart by identity; the same all through the run
   */
  public ForbiddenWrites(Supplier<? extends Set<?>> shared) {
    this.shared = shared;
  }

  /** Whether the run was ended for what it tried to write. */
  public boolean tried() {
    return tried;
  }

  @Override
  public @Nullable Fault beforeWrite(Object target) {
    if (!isShared(target)) {
      return null;
    }
    tried = true;
    return Fault.internal("a request of several that run at once tried to write what they share");
  }

  private boolean isShared(Object target) {
    return shared.get().contains(target instanceof DenseTensor tensor ? tensor.storage() : target);
  }
}
