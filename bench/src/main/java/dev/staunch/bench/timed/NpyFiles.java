package dev.staunch.bench.timed;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.fault.Fault;
import dev.staunch.memory.OffHeap;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.NpyFormat;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** NumPy's .npy format, from and to memory, so that no disk is measured. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class NpyFiles {
  @Param({"4", "1048576"})
  int elements;

  private final Context context = Context.open(OffHeap.withDefaultBudget());
  private @Nullable DenseTensor tensor;
  private MemorySegment bytes = MemorySegment.NULL;

  /** Writes the bytes to read later. */
  @Setup
  public void fill() {
    Tensor ones = context.ones(elements);
    tensor = ones.value();
    bytes = MemorySegment.ofArray(new byte[Math.toIntExact(NpyFormat.size(tensor))]);
    write();
  }

  @TearDown
  public void close() {
    context.close();
  }

  /** Writes {@code elements} floats to memory. */
  @Benchmark
  public @Nullable Fault write() {
    return tensor == null ? null : NpyFormat.write(tensor, bytes);
  }

  /** Reads them back into a new tensor, which is closed at once. */
  @Benchmark
  public void readAndClose() {
    if (NpyFormat.read(context.scope(), "memory", bytes) instanceof DenseTensor read) {
      read.close();
    }
  }
}
