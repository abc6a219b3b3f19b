package dev.staunch.bench.timed;

import dev.staunch.eager.Context;
import dev.staunch.eager.ContextOptions;
import dev.staunch.eager.Tensor;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.Shape;
import java.util.concurrent.TimeUnit;
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

/** {@code x += 1} on four floats, run by the caller or handed to a worker. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls open() before any benchmark
public class InPlaceAdditions {
  private static final int CHAINED = 100_000;

  /** Many, so that a slow start of the hand-over does not fill the time of all warm-ups. */
  private static final int AWAITED = 20_000;

  @Param({"false", "true"})
  boolean handedOver;

  private final ShallowStack shallow = new ShallowStack();
  private Context context;
  private Tensor x;

  @Setup
  public void open() {
    ContextOptions standard = ContextOptions.standard();
    context =
        Context.open(
            OffHeap.withDefaultBudget(), handedOver ? standard.withLargeElements(1) : standard);
    x = context.of(Shape.of(4), new float[4]);
  }

  @TearDown
  public void close() {
    shallow.close();
    context.close();
  }

  /** One after the other, with one wait at the end; per operation. */
  @Benchmark
  @OperationsPerInvocation(CHAINED)
  public void chained() {
    shallow.run(() -> {
      for (int i = 0; i < CHAINED; i++) {
        x.add_(1.0);
      }
      x.value();
    });
  }

  /** One addition, then a read that waits for it, again and again; per operation. */
  @Benchmark
  @OperationsPerInvocation(AWAITED)
  public void andWait() {
    shallow.run(() -> {
      for (int i = 0; i < AWAITED; i++) {
        x.add_(1.0).value();
      }
    });
  }
}
