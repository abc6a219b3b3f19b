package dev.staunch.bench.timed;

import dev.staunch.engine.Engine;
import dev.staunch.engine.EngineContext;
import dev.staunch.engine.EngineOptions;
import dev.staunch.engine.Task;
import dev.staunch.engine.Uses;
import dev.staunch.engine.Variable;
import dev.staunch.fault.Fault;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Tasks that do nothing and all write one variable: the cost of the engine, including its wait. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls open() before any benchmark
public class EngineTasks {
  private static final int TASKS = 100_000;

  @Param({"1", "4"})
  int workers;

  private final Variable variable = new Variable("x");
  private final Uses uses = Uses.updating(variable);
  private Engine engine;
  private EngineContext context;

  @Setup
  public void open() {
    engine = Engine.start(EngineOptions.threaded(workers));
    context = engine.open("bench");
  }

  @TearDown
  public void close() {
    context.close();
    engine.close();
  }

  /** Small tasks, each run where it is pushed, with one wait at the end; per task. */
  @Benchmark
  @OperationsPerInvocation(TASKS)
  public @Nullable Fault runHere() {
    return pushAll(true);
  }

  /** Tasks for workers, one after the other, with one wait at the end; per task. */
  @Benchmark
  @OperationsPerInvocation(TASKS)
  public @Nullable Fault handOver() {
    return pushAll(false);
  }

  private @Nullable Fault pushAll(boolean small) {
    for (int i = 0; i < TASKS; i++) {
      context.push(new Empty(uses, small));
    }
    return context.await(variable, null);
  }

  /** One task for a worker, and a wait for it. */
  @Benchmark
  public @Nullable Fault handOverAndWait() {
    context.push(new Empty(uses, false));
    return context.await(variable, null);
  }

  private static final class Empty extends Task {
    private final boolean small;

    Empty(Uses uses, boolean small) {
      super(uses);
      this.small = small;
    }

    @Override
    protected Object run() {
      return DONE;
    }

    @Override
    protected boolean isSmall() {
      return small;
    }
  }
}
