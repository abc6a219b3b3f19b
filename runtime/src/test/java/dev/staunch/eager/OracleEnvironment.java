package dev.staunch.eager;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Environment;
import dev.staunch.kernel.Generator;
import dev.staunch.memory.ResourceScope;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The environment of the oracle's kernels: alone, at once, never cancelled. */
record OracleEnvironment(ResourceScope scope, Generator generator) implements Environment {
  @Override
  public Catalog catalog() {
    return Programs.CATALOG;
  }

  @Override
  public boolean gradEnabled() {
    return true;
  }

  @Override
  public void setGradEnabled(boolean enabled) {
    throw new IllegalStateException("nothing orders the mode of gradients");
  }

  @Override
  public Generator generator() {
    return generator;
  }

  @Override
  public @Nullable Fault cancelled() {
    return null;
  }

  @Override
  public void cancel(String reason) {}

  @Override
  public Object defer(Supplier<Object> work) {
    return work.get();
  }

  @Override
  public void print(String line) {}
}
