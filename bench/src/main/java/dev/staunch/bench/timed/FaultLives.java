package dev.staunch.bench.timed;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.fault.CallSite;
import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The cost of a fault: creating it, looking at it, throwing it, passing it on. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FaultLives {
  /** Faults in one invocation of {@link #failAndThrowMany}. */
  public static final int MANY = 1_000;

  private final Context context = Context.open(OffHeap.withDefaultBudget());
  private final ShallowStack shallow = new ShallowStack();

  /**
   * An operand that has failed. It has a state of its own, because the first fault of a process is
   * measured, too.
   */
  @State(Scope.Thread)
  public static class Failed {
    private final Context context = Context.open(OffHeap.withDefaultBudget());
    private final Tensor tensor = context.normal(0, -1, 2, 3);

    @TearDown
    public void close() {
      context.close();
    }
  }

  @TearDown
  public void close() {
    shallow.close();
    context.close();
  }

  /** Creates a fault. */
  @Benchmark
  public Fault create() {
    return Fault.value("the standard deviation must not be negative, got -1.0");
  }

  /** Records the line that called an operation, as every deferred operation does. */
  @Benchmark
  public CallSite noteSource() {
    return CallSite.outside(name -> name.startsWith("dev.staunch.eager."));
  }

  /** An operation that fails; its fault is looked at but not thrown. */
  @Benchmark
  public @Nullable Fault failAndLook() {
    Tensor result = context.normal(0, -1, 2, 3);
    Fault fault = result.fault();
    result.close();
    return fault;
  }

  /** An operation that fails; reading it throws. */
  @Benchmark
  public Fault failAndThrow() {
    Tensor result = context.normal(0, -1, 2, 3);
    try {
      throw new IllegalStateException("read a value: " + result.value());
    } catch (StaunchException expected) {
      return expected.fault();
    } finally {
      result.close();
    }
  }

  /** Many such operations on a shallow stack; per operation. */
  @Benchmark
  @OperationsPerInvocation(MANY)
  public void failAndThrowMany() {
    shallow.run(() -> {
      for (int i = 0; i < MANY; i++) {
        failAndThrow();
      }
    });
  }

  /** An operation that is skipped because its operand has failed. */
  @Benchmark
  public void skip(Failed failed) {
    failed.tensor.add(1.0).close();
  }
}
