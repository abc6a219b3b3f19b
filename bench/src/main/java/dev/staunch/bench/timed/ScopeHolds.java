package dev.staunch.bench.timed;

import dev.staunch.memory.Hold;
import dev.staunch.memory.Holder;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What each operation pays to keep its memory until it has ended. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls open() before any benchmark
public class ScopeHolds {
  private static final Holder KERNEL = () -> "kernel";

  private ResourceScope scope;

  @Setup
  public void open() {
    scope = ResourceScope.open(OffHeap.withDefaultBudget(), "bench");
  }

  @TearDown
  public void close() {
    scope.close();
  }

  /** Begins and ends a hold, as a kernel does around its body. */
  @Benchmark
  public void holdAndEnd() {
    Hold hold = scope.hold(KERNEL);
    if (hold != null) {
      hold.end();
    }
  }
}
