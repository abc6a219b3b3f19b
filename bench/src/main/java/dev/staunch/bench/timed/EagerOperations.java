package dev.staunch.bench.timed;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Eager tensors of four floats that are made and closed: the cost of the way to the kernel. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EagerOperations {
  private static final Shape FOUR = Shape.of(4);

  private final Context context = Context.open(OffHeap.withDefaultBudget());
  private final Tensor x = context.of(FOUR, 1f, 2f, 3f, 4f);
  private final Tensor y = context.of(FOUR, 1f, 1f, 1f, 1f);

  @TearDown
  public void close() {
    context.close();
  }

  /** {@code x + y} into a new tensor, closed at once. */
  @Benchmark
  public void addAndClose() {
    x.add(y).close();
  }

  /** A tensor of undefined content, closed at once. */
  @Benchmark
  public void createAndClose() {
    context.empty(DType.FLOAT32, 4).close();
  }
}
