package dev.staunch.dispatch;

import dev.staunch.engine.Guard;
import dev.staunch.engine.Pending;
import dev.staunch.engine.Task;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Environment;
import dev.staunch.kernel.ScopedEnvironment;
import dev.staunch.memory.Hold;
import dev.staunch.memory.Holder;
import dev.staunch.memory.ResourceScope;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The work of a user's kernel, in a scope of its own. Its results move to the enclosing scope.
 * Everything else that it created is released with the last of them, before any caller sees that
 * one (M4). If all results are faults, that is everything.
 */
final class ScopedWork implements Guard.Work<Call> {
  /** Inspects what a kernel returned: a fault to put in its place, or null. */
  @FunctionalInterface
  interface Check {
    @Nullable Fault of(@Nullable Object outcome);
  }

  /** Inspects result {@code i}, which arrived later. */
  @FunctionalInterface
  interface LateCheck {
    @Nullable Fault of(Object value, int i);
  }

  private final CatalogEntry operation;
  private final Holder kernel;

  /** The kernel's work, with a fault for anything that violates its schema. */
  private final Guard.Work<Call> checked;

  private final LateCheck late;

  /**
   * The kernel's environment. Deferred work may use what the kernel created until that work is
   * done.
   */
  private final class Inside extends ScopedEnvironment {
    Inside(Environment outer, ResourceScope own) {
      super(outer, own);
    }

    @Override
    public Object defer(Supplier<Object> work) {
      Hold hold = scope().hold(kernel);
      Object standIn = super.defer(work);
      if (hold != null && standIn instanceof Pending pending) {
        pending.whenSettled(hold::end);
      } else if (hold != null) {
        hold.end();
      }
      return standIn;
    }
  }

  /** The results of one call on their way to the enclosing scope. */
  private static final class HandOver {
    private final ResourceScope own;
    private final ResourceScope target;
    private final LentOperands operands;
    private final AtomicInteger missing;
    private volatile boolean good;

    HandOver(ResourceScope own, ResourceScope target, LentOperands operands, int results) {
      this.own = own;
      this.target = target;
      this.operands = operands;
      this.missing = new AtomicInteger(results);
    }

    /** Result {@code i} as others may see it; the last one ends the kernel's scope. */
    Object take(Object result, int i) {
      Object given =
          Guard.attempt(
              known ->
                  known instanceof Fault fault
                      ? operands.explained(fault)
                      : operands.returned(known, i, own, target),
              result);
      Object taken = given instanceof Fault ? given : moved(given);
      good |= !(taken instanceof Fault);
      return missing.decrementAndGet() > 0 ? taken : ended(taken);
    }

    private Object moved(Object result) {
      Object done =
          Guard.attempt(
              scope -> {
                scope.moveOut(result, target);
                return Task.DONE;
              },
              own);
      return done instanceof Fault fault ? fault : result;
    }

    private Object ended(Object last) {
      if (good) {
        Guard.run(given -> given.restoreLists(own, target), operands);
        operands.kept().forEach(this::moved); // for example a list that now holds a new tensor
      }
      Object closed = Guard.attempt(HandOver::close, own);
      return closed instanceof Fault failed && last instanceof Fault fault
          ? fault.withSuppressed(List.of(failed))
          : last;
    }

    private static Object close(ResourceScope scope) {
      scope.close();
      return Task.DONE;
    }
  }

  ScopedWork(CatalogEntry operation, Guard.Work<Call> work, Check check, LateCheck late) {
    this.operation = operation;
    this.kernel = operation::name;
    this.late = late;
    this.checked =
        call -> {
          Object outcome = work.run(call);
          Fault broken = check.of(outcome);
          return broken == null ? outcome : broken;
        };
  }

  @Override
  public Object run(Call call) {
    ResourceScope target = call.scope();
    ResourceScope own = target.child(kernel.name());
    LentOperands operands = new LentOperands(operation, call.arguments(), own);
    Call inside = call.withEnvironment(new Inside(call.environment(), own), operands.arguments());
    Object outcome = Guard.attempt(checked, inside);
    if (outcome instanceof Object[] results && results.length > 0) {
      HandOver over = new HandOver(own, target, operands, results.length);
      for (int i = 0; i < results.length; i++) {
        results[i] = taken(over, results[i], i);
      }
      return results;
    }
    return taken(new HandOver(own, target, operands, 1), outcome, 0);
  }

  private Object taken(HandOver over, Object result, int i) {
    return result instanceof Pending pending ? arriving(over, pending, i) : over.take(result, i);
  }

  /** A stand-in for {@code result}, settled once that belongs to the enclosing scope. */
  private Pending arriving(HandOver over, Pending result, int i) {
    Pending known = new Pending();
    result.whenSettled(() -> {
      Object value = Objects.requireNonNull(result.peek());
      Fault fault = late.of(value, i);
      known.settle(over.take(fault == null ? value : fault, i));
    });
    return known;
  }
}
