package dev.staunch.bench.ours;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Engine;
import dev.staunch.engine.EngineContext;
import dev.staunch.engine.EngineOptions;
import dev.staunch.engine.Task;
import dev.staunch.engine.Uses;
import dev.staunch.engine.Variable;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** How late a wait with a deadline comes back from a task that does not end. */
final class DeadlineWaits {
  private static final int WAITS = 20;
  private static final Duration BUDGET = Duration.ofMillis(20);

  private DeadlineWaits() {}

  static Map<String, Double> measure() {
    CountDownLatch end = new CountDownLatch(1);
    try (Engine engine = Engine.start(EngineOptions.threaded(1))) {
      EngineContext context = engine.open("bench");
      Variable variable = new Variable("x");
      context.push(new Stuck(Uses.updating(variable), end));
      double first = overshootMillis(context, variable); // loads what a fault's message needs
      double worst = 0;
      for (int i = 1; i < WAITS; i++) {
        worst = Math.max(worst, overshootMillis(context, variable));
      }
      end.countDown();
      context.waitFor(variable);
      context.close();
      return Map.of("firstOvershoot", first, "worstOvershoot", worst);
    }
  }

  private static double overshootMillis(EngineContext context, Variable variable) {
    long started = System.nanoTime();
    Fault fault = context.await(variable, CancelScope.withDeadline(BUDGET));
    long taken = System.nanoTime() - started;
    if (fault == null || fault.type() != FaultType.DEADLINE_EXCEEDED || taken < BUDGET.toNanos()) {
      throw new IllegalStateException("the wait did not end by its deadline: " + fault);
    }
    return (taken - BUDGET.toNanos()) / 1e6;
  }

  private static final class Stuck extends Task {
    private final CountDownLatch end;

    Stuck(Uses uses, CountDownLatch end) {
      super(uses);
      this.end = end;
    }

    @Override
    protected Object run() {
      try {
        end.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return DONE;
    }
  }
}
