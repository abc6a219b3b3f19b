package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.memory.ResourceScope;
import org.jspecify.annotations.Nullable;

/** Counts how often a kernel checks for cancellation. */
final class Looks implements ExecutionContext {
  private final ResourceScope scope;
  int count;

  Looks(ResourceScope scope) {
    this.scope = scope;
  }

  @Override
  public ResourceScope scope() {
    return scope;
  }

  @Override
  public @Nullable Fault cancelled() {
    count++;
    return null;
  }
}
