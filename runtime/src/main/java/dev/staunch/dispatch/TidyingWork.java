package dev.staunch.dispatch;

import dev.staunch.engine.Guard;
import dev.staunch.engine.Pending;
import dev.staunch.engine.Task;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.ScopedEnvironment;
import dev.staunch.memory.Making;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The work of a kernel that does not promise to be tidy: if faults take the place of all its
 * results, what it made in the call's scope is given back before anybody sees the last of them
 * (M4), also if the results were still to come.
 */
final class TidyingWork implements Guard.Work<Call> {
  /** Looks at what a kernel returned: a fault to put in its place, or null. */
  @FunctionalInterface
  interface Check {
    @Nullable Fault of(@Nullable Object outcome);
  }

  /** Looks at result {@code i} that has come later. */
  @FunctionalInterface
  interface LateCheck {
    @Nullable Fault of(Object value, int i);
  }

  /** The kernel's, with a fault for whatever breaks its schema. */
  private final Guard.Work<Call> checked;

  private final LateCheck late;

  TidyingWork(Guard.Work<Call> work, Check check, LateCheck late) {
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
    Making making = Making.in(call.scope());
    Call noted = call.in(new ScopedEnvironment(call.environment(), making.scope()));
    Object outcome = Guard.attempt(checked, noted);
    if (outcome instanceof Fault fault) {
      return givenBack(making, fault);
    }
    if (outcome instanceof Pending later) {
      return decided(making, later, 0, new AtomicInteger(1));
    }
    if (outcome instanceof Object[] results && results.length > 0) {
      decide(making, results);
    } else {
      making.keep();
    }
    return outcome;
  }

  /** One good result is reason enough to leave all that was made to the kernel (F5). */
  private void decide(Making making, Object[] results) {
    int faults = 0;
    int missing = 0;
    for (Object result : results) {
      faults += result instanceof Fault ? 1 : 0;
      missing += result instanceof Pending ? 1 : 0;
    }
    int last = results.length - 1;
    if (faults + missing < results.length) {
      making.keep();
    } else if (missing == 0) {
      results[last] = givenBack(making, (Fault) results[last]);
    } else {
      AtomicInteger left = new AtomicInteger(missing);
      for (int i = 0; i <= last; i++) {
        results[i] =
            results[i] instanceof Pending later ? decided(making, later, i, left) : results[i];
      }
    }
  }

  /** A stand-in for {@code later}, settled once it is known whether all is given back. */
  private Pending decided(Making making, Pending later, int i, AtomicInteger missing) {
    Pending known = new Pending();
    later.whenSettled(() -> {
      Object value = Objects.requireNonNull(later.peek());
      Fault fault = late.of(value, i);
      if (fault == null) {
        making.keep();
        known.settle(value);
      } else {
        known.settle(missing.decrementAndGet() == 0 ? givenBack(making, fault) : fault);
      }
    });
    return known;
  }

  /** {@code fault}, which tells also of what a user's resource threw as it was released. */
  private static Fault givenBack(Making making, Fault fault) {
    Object told =
        Guard.attempt(
            what -> {
              what.giveBack();
              return Task.DONE;
            },
            making);
    return told instanceof Fault failed ? fault.withSuppressed(List.of(failed)) : fault;
  }
}
