package dev.staunch.bench.timed;

import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/** Making a tensor and freeing it, by itself and with its scope. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls open() before any benchmark
public class TensorLives {
  @Param({"4", "1024", "1048576"})
  long elements;

  private Shape shape;
  private ResourceScope scope;

  /** The memory that is shared by all threads of a benchmark. */
  @State(Scope.Benchmark)
  public static class Shared {
    final OffHeap memory = OffHeap.withDefaultBudget();
  }

  @Setup
  public void open(Shared shared) {
    shape = Shape.of(elements);
    scope = ResourceScope.open(shared.memory, "bench");
  }

  @TearDown
  public void close() {
    scope.close();
  }

  /** {@code elements} floats of undefined content, closed at once. */
  @Benchmark
  public void createAndClose() {
    if (DenseTensor.allocate(scope, DType.FLOAT32, shape) instanceof DenseTensor tensor) {
      tensor.close();
    }
  }

  /** The same on four threads at once, with one scope per thread. */
  @Benchmark
  @Threads(4)
  public void createAndCloseOnFourThreads() {
    createAndClose();
  }

  /** The same in a scope of its own, whose close frees the tensor. */
  @Benchmark
  public Object createInScope() {
    try (ResourceScope request = scope.child("request")) {
      return DenseTensor.allocate(request, DType.FLOAT32, shape);
    }
  }
}
