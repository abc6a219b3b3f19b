package dev.staunch.eager;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Guard;
import dev.staunch.engine.Processors;
import dev.staunch.engine.Variable;
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

  /** What each operation reads, for whoever waits for all of them. */
  final @Nullable Variable calls;

  Surroundings(
      Context context,
      ResourceScope scope,
      @Nullable CancelScope cancel,
      @Nullable Variable calls) {
    this.context = context;
    this.scope = scope;
    this.cancel = cancel;
    this.calls = calls;
  }

  Surroundings in(ResourceScope other) {
    return new Surroundings(context, other, cancel, calls);
  }

  Surroundings in(ResourceScope other, Variable reads) {
    return new Surroundings(context, other, cancel, reads);
  }

  Surroundings in(CancelScope other) {
    return new Surroundings(context, scope, other, calls);
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
    return context.nextStream();
  }

  @Override
  public @Nullable Fault cancelled() {
    Fault fault = cancel == null ? null : cancel.check();
    return fault == null ? context.engineContext().closing() : fault;
  }

  @Override
  public @Nullable Fault parallel(long range, long grain, Piece work) {
    return Processors.ofProcess().run(range, grain, work::run);
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
