package dev.staunch.eager;

import dev.staunch.engine.Bulk;
import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Guard;
import dev.staunch.engine.Task;
import dev.staunch.engine.Variable;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Environment;
import dev.staunch.kernel.Generator;
import dev.staunch.memory.ResourceScope;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where an eager operation happens: which scope owns its results, what cancels it, and what its
 * kernel sees of the context.
 */
final class CallEnvironment implements Environment {
  final ContextState context;
  private final ResourceScope scope;
  final @Nullable CancelScope cancel;

  /** A variable that each operation reads, so that a caller can wait for all of them. */
  final @Nullable Variable calls;

  /** The bulk through which operations are pushed, if there is one. */
  private final @Nullable Bulk bulk;

  private CallEnvironment(
      ContextState context,
      ResourceScope scope,
      @Nullable CancelScope cancel,
      @Nullable Variable calls,
      @Nullable Bulk bulk) {
    this.context = context;
    this.scope = scope;
    this.cancel = cancel;
    this.calls = calls;
    this.bulk = bulk;
  }

  static CallEnvironment of(ContextState context) {
    return new CallEnvironment(context, context.scope, null, null, null);
  }

  CallEnvironment in(ResourceScope other) {
    return new CallEnvironment(context, other, cancel, calls, bulk);
  }

  CallEnvironment in(ResourceScope other, Variable reads) {
    return new CallEnvironment(context, other, cancel, reads, bulk);
  }

  CallEnvironment in(CancelScope other) {
    return new CallEnvironment(context, scope, other, calls, bulk);
  }

  CallEnvironment in(Bulk other) {
    return new CallEnvironment(context, scope, cancel, calls, other);
  }

  void push(Task task) {
    if (bulk == null) {
      context.engine.push(task);
    } else {
      bulk.push(task);
    }
  }

  @Override
  public ResourceScope scope() {
    return scope;
  }

  @Override
  public Catalog catalog() {
    return context.catalog;
  }

  @Override
  public boolean gradEnabled() {
    return context.gradEnabled;
  }

  @Override
  public void setGradEnabled(boolean enabled) {
    context.gradEnabled = enabled;
  }

  @Override
  public Generator generator() {
    return context.generator;
  }

  @Override
  public @Nullable Fault cancelled() {
    Fault fault = cancel == null ? null : cancel.check();
    return fault == null ? context.engine.closing() : fault;
  }

  @Override
  public @Nullable Fault parallel(long range, long grain, Piece work) {
    return context.engine.processors().run(range, grain, work::run);
  }

  @Override
  public void cancel(String reason) {
    if (cancel != null) {
      cancel.cancel(reason);
    }
  }

  @Override
  public Object defer(Supplier<Object> work) {
    return Guard.attempt(Supplier::get, work);
  }

  @Override
  public void print(String line) {
    System.getLogger("dev.staunch.eager.Context").log(System.Logger.Level.INFO, line);
  }
}
