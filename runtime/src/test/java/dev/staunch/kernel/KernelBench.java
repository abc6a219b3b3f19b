package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.ResourceScope;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An environment for one kernel at a time: no engine, no deadline; printed lines are dropped. */
public final class KernelBench implements Environment {
  private final ResourceScope scope;
  private boolean gradEnabled;
  private @Nullable Fault cancelled;

  public KernelBench(ResourceScope scope) {
    this.scope = scope;
  }

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
    return gradEnabled;
  }

  @Override
  public void setGradEnabled(boolean enabled) {
    gradEnabled = enabled;
  }

  @Override
  public RandomStream random() {
    return new RandomStream(0, 0);
  }

  @Override
  public @Nullable Fault cancelled() {
    return cancelled;
  }

  @Override
  public void cancel(String reason) {
    cancelled = Fault.of(dev.staunch.fault.FaultType.CANCELLED, reason);
  }

  @Override
  public Object later(Supplier<Object> work) {
    return work.get();
  }

  @Override
  public void print(String line) {}
}
