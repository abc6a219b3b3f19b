package dev.staunch.eager;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Guard;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Environment;
import dev.staunch.kernel.RandomStream;
import dev.staunch.memory.ResourceScope;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where an eager operation happens: who owns its results and what cancels it. Also what its kernel
 * sees of the context.
 */
final class Surroundings implements Environment {
  final Context context;
  private final ResourceScope scope;
  final @Nullable CancelScope cancel;

  Surroundings(Context context, ResourceScope scope, @Nullable CancelScope cancel) {
    this.context = context;
    this.scope = scope;
    this.cancel = cancel;
  }

  Surroundings in(ResourceScope other) {
    return new Surroundings(context, other, cancel);
  }

  Surroundings in(CancelScope other) {
    return new Surroundings(context, scope, other);
  }

  @Override
  public ResourceScope scope() {
    return scope;
  }

  @Override
  public Catalog catalog() {
    return context.catalog();
  }

  @Override
  public boolean gradEnabled() {
    return context.isGradEnabled();
  }

  @Override
  public void setGradEnabled(boolean enabled) {
    context.setGradEnabled(enabled);
  }

  @Override
  public RandomStream random() {
    return context.generator().next();
  }

  @Override
  public @Nullable Fault cancelled() {
    Fault fault = cancel == null ? null : cancel.check();
    return fault == null ? context.engineContext().closing() : fault;
  }

  @Override
  public void cancel(String reason) {
    if (cancel != null) {
      cancel.cancel(reason);
    }
  }

  @Override
  public Object later(Supplier<Object> work) {
    return Guard.attempt(Supplier::get, work);
  }

  @Override
  public void print(String line) {
    System.getLogger(Context.class.getName()).log(System.Logger.Level.INFO, line);
  }
}
