package dev.staunch.kernel;

import dev.staunch.fault.SourceLocation;
import org.jspecify.annotations.Nullable;

/**
 * Sees every call of a kernel before it happens, and may answer in its place, and what came of it:
 * for recorders, breakpoints and fault injection. Called on the thread that runs the request. What
 * it throws is the fault of the call.
 */
@FunctionalInterface
public interface Interceptor {
  /**
   * Null to let the kernel run; otherwise what stands in for the kernel's return (a value, a {@link
   * dev.staunch.fault.Fault}, or an {@code Object[]} for several results).
   */
  @Nullable Object before(String operation, Object[] arguments, @Nullable SourceLocation source);

  /**
   * Tells what came out of a call that {@link #before} has seen.
   *
   * @param outcome what the caller gets: a value, an {@code Object[]} of several or of none, which
   *     are neither to be closed nor changed, or a {@link dev.staunch.fault.Fault} for all
   */
  default void after(
      String operation, Object[] arguments, Object outcome, @Nullable SourceLocation source) {}

  /** A request begins. */
  default void begins() {}

  /** Whether this sees the operations, too, that those of the program are made of. */
  default boolean seesParts() {
    return false;
  }
}
