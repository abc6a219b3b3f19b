package dev.staunch.kernel;

import dev.staunch.fault.SourceLocation;
import org.jspecify.annotations.Nullable;

/**
 * Sees every kernel call before it happens, may answer in the kernel's place, and sees the outcome.
 * Meant for recorders, breakpoints and fault injection. Called on the thread that runs the request.
 * An exception that it throws becomes the fault of the call.
 */
@FunctionalInterface
public interface Interceptor {
  /**
   * Returns null to let the kernel run; otherwise what replaces the kernel's return (a value, a
   * {@link dev.staunch.fault.Fault}, or an {@code Object[]} for several results).
   */
  @Nullable Object before(String operation, Object[] arguments, @Nullable SourceLocation source);

  /**
   * Receives the outcome of a call that {@link #before} has seen.
   *
   * @param outcome what the caller gets: a value, an {@code Object[]} of several or no values, or a
   *     {@link dev.staunch.fault.Fault} for all; do not close or change the values
   */
  default void after(
      String operation, Object[] arguments, Object outcome, @Nullable SourceLocation source) {}

  /** Called when a request begins. */
  default void requestBegins() {}

  /** Whether this also sees the operations that the program's operations are made of. */
  default boolean seesNestedCalls() {
    return false;
  }
}
