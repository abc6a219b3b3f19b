package dev.staunch.bench.micro;

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

/** Small operations on eager tensors of four floats: what the way to the kernel costs. */
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

  /** {@code x += 1}, each after the other. */
  @Benchmark
  public Tensor chainedInPlace() {
    return x.add_(1.0);
  }

  /** {@code x + y} into a new tensor, closed at once. */
  @Benchmark
  public void addAndClose() {
    x.add(y).close();
  }

  /** {@code x += 1}, then a read that waits for it. */
  @Benchmark
  public Object addAndWait() {
    return x.add_(1.0).value();
  }

  /** A tensor of undefined content, closed at once. */
  @Benchmark
  public void createAndClose() {
    context.empty(DType.FLOAT32, 4).close();
  }
}
