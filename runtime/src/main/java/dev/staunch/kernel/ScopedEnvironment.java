package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.memory.ResourceScope;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Delegates to another environment, but makes tensors in a scope of its own. */
public class ScopedEnvironment implements Environment {
  private final Environment outer;
  private final ResourceScope scope;

  public ScopedEnvironment(Environment outer, ResourceScope scope) {
    this.outer = outer;
    this.scope = scope;
  }

  @Override
  public final ResourceScope scope() {
    return scope;
  }

  @Override
  public Catalog catalog() {
    return outer.catalog();
  }

  @Override
  public boolean gradEnabled() {
    return outer.gradEnabled();
  }

  @Override
  public void setGradEnabled(boolean enabled) {
    outer.setGradEnabled(enabled);
  }

  @Override
  public Generator generator() {
    return outer.generator();
  }

  @Override
  public @Nullable Fault cancelled() {
    return outer.cancelled();
  }

  @Override
  public @Nullable Fault parallel(long range, long grain, Piece work) {
    return outer.parallel(range, grain, work);
  }

  @Override
  public void cancel(String reason) {
    outer.cancel(reason);
  }

  @Override
  public Object defer(Supplier<Object> work) {
    return outer.defer(work);
  }

  @Override
  public Object runNested(CatalogEntry operation, Call call) {
    return outer.runNested(operation, call);
  }

  @Override
  public void print(String line) {
    outer.print(line);
  }
}
