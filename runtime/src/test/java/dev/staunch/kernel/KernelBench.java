package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.ResourceScope;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An environment for one kernel at a time: no engine, no deadline; printed lines are dropped. */
public class KernelBench implements Environment {
  private final ResourceScope scope;
  private boolean gradEnabled;
  private @Nullable Fault cancelled;

  public KernelBench(ResourceScope scope) {
    this.scope = scope;
  }

  /**
   * Calls an operation of the standard catalog.
   *
   * @param name with its namespace
   * @return what the kernel returns: a value, an array of several, or a fault; null for an
   *     operation without results that did not fail
   */
  public @Nullable Object run(String name, Object... arguments) {
    CatalogEntry definition = Objects.requireNonNull(catalog().find(name), name);
    assertEquals(definition.schema().parameters().size(), arguments.length, name);
    Call call = new Call(this, arguments);
    Object outcome = definition.run(call);
    return outcome instanceof Object[] several && several.length == 0 ? null : outcome;
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
  public Generator generator() {
    return Generator.ofSeed(0);
  }

  @Override
  public @Nullable Fault cancelled() {
    return cancelled;
  }

  @Override
  public void cancel(String reason) {
    cancelled = Fault.of(FaultType.CANCELLED, reason);
  }

  @Override
  public Object defer(Supplier<Object> work) {
    return work.get();
  }

  @Override
  public void print(String line) {}
}
