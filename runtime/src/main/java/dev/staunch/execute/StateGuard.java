package dev.staunch.execute;

import dev.staunch.fault.Fault;
import org.jspecify.annotations.Nullable;

/**
 * Asked by a run before it writes anything that may outlive it: the state of a model, which its
 * requests share. For one run, unless it says otherwise.
 */
public interface StateGuard {
  /**
   * Returns null if {@code target} may be written now; else the fault that ends the run.
   *
   * @param target a tensor, a list, a dict, or an object whose attribute is set; their contents do
   *     not matter
   */
  @Nullable Fault beforeWrite(Object target);
}
