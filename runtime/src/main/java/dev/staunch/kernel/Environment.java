package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.memory.ResourceScope;
import org.jspecify.annotations.Nullable;

/**
 * What a running program offers its kernels: a scope for results, gradient mode, cancellation and an
 * output for what scripts print. One per request; used by one thread at a time.
 */
public interface Environment {
  /** Owns every tensor that kernels make. */
  ResourceScope scope();

  boolean gradEnabled();

  /** Set by {@code set_grad_enabled}; the runner restores it at the end of the request (S6). */
  void setGradEnabled(boolean enabled);

  /** The fault of the cancellation or deadline, if it came; long kernels poll this (C3). */
  @Nullable Fault cancelled();

  /** Takes one line that the script printed or warned; without line end. */
  void print(String line);
}
