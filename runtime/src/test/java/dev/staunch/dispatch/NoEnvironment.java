package dev.staunch.dispatch;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Environment;
import dev.staunch.kernel.RandomStream;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An environment for kernels that need none. */
final class NoEnvironment implements Environment {
  private final ResourceScope scope = ResourceScope.open(OffHeap.withBudget(1 << 20), "test");

  @Override
  public ResourceScope scope() {
    return scope;
  }

  @Override
  public Catalog catalog() {
    return StandardOperations.catalog();
  }

  @Override
  public boolean gradEnabled() {
    return false;
  }

  @Override
  public void setGradEnabled(boolean enabled) {}

  @Override
  public RandomStream random() {
    return new RandomStream(0, 0);
  }

  @Override
  public @Nullable Fault cancelled() {
    return null;
  }

  @Override
  public void cancel(String reason) {}

  @Override
  public Object later(Supplier<Object> work) {
    return work.get();
  }

  @Override
  public void print(String line) {}
}
