package dev.staunch.bench.timed;

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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A wait with a deadline for a task that does not end. The first wait loads the classes for a
 * fault's message, so there is no warm-up.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 20)
public class DeadlineWaits {
  /** How long a wait should take. */
  public static final Duration BUDGET = Duration.ofMillis(20);

  private final CountDownLatch end = new CountDownLatch(1);
  private final Engine engine = Engine.start(EngineOptions.threaded(1));
  private final EngineContext context = engine.open("bench");
  private final Variable variable = new Variable("x");

  public DeadlineWaits() {
    context.push(new Stuck(Uses.updating(variable), end));
  }

  /** The wait, which takes at least {@link #BUDGET}. */
  @Benchmark
  public Fault await() {
    Fault fault = context.await(variable, CancelScope.withDeadline(BUDGET));
    if (fault == null || fault.type() != FaultType.DEADLINE_EXCEEDED) {
      throw new IllegalStateException("the wait did not end by its deadline: " + fault);
    }
    return fault;
  }

  @TearDown
  public void close() {
    end.countDown();
    context.waitFor(variable);
    context.close();
    engine.close();
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
