package dev.staunch.dispatch;

import dev.staunch.fault.SourceLocation;
import org.jspecify.annotations.Nullable;

/**
 * Sees every call of a kernel before it happens, and may answer in its place: for recorders,
 * breakpoints and fault injection. Called on the thread that runs the request. What it throws is
 * the fault of the call (F11).
 */
@FunctionalInterface
public interface Interceptor {
  /**
   * Null to let the kernel run; otherwise what stands in for the kernel's return (a value, a {@link
   * dev.staunch.fault.Fault}, or an {@code Object[]} for several results).
   */
  @Nullable Object before(String operation, Object[] arguments, @Nullable SourceLocation source);
}
