package dev.staunch.bench.timed;

import dev.staunch.bench.kernel.KernelContext;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Products of float32 matrices, kernels alone. {@code gflop} counts billions of additions and
 * multiplications a second; {@code FmaPeak} shows the limit of the machine.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class MatrixProducts {
  /** Rows, columns, depth. */
  @Param({
    "64x64x64",
    "256x256x256",
    "512x512x512",
    "1024x1024x1024",
    "2048x2048x2048",
    "1x1024x1024",
    "8x3072x768",
    "128x768x768",
    "128x3072x768",
    "128x768x3072",
    "256x64x256",
    "196x1024x256"
  })
  String shape = "";

  /** The plain kernels, or those of the standard catalog. */
  @Param({"best", "plain"})
  String set = "";

  /**
   * The layout of b: a constant weight with contiguous columns; or no constant, with contiguous
   * rows or contiguous columns.
   */
  @Param({"weight", "rows", "columns"})
  String b = "";

  private final OffHeap memory = OffHeap.withDefaultBudget();
  private final ResourceScope scope = ResourceScope.open(memory, "products");
  private final KernelContext context = new KernelContext(scope);
  private @Nullable MatrixProduct product;
  private @Nullable DenseTensor left;
  private @Nullable DenseTensor right;
  private @Nullable DenseTensor result;
  private double work;

  /** What JMH counts in addition to the calls. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  public static class Work {
    /** Billions of operations. */
    public double gflop;

    /** For JMH. */
    public Work() {}
  }

  /** For JMH. */
  public MatrixProducts() {}

  /** Makes the operands. */
  @Setup
  public void prepare() {
    int[] sizes = Arrays.stream(shape.split("x", -1)).mapToInt(Integer::parseInt).toArray();
    work = 2e-9 * sizes[0] * sizes[1] * sizes[2];
    DenseTensor weight = tensor((long) sizes[1] * sizes[2]);
    left = tensor((long) sizes[0] * sizes[2]);
    right = weight;
    result = tensor((long) sizes[0] * sizes[1]);
    KernelSet plain = StandardOperations.plainKernels();
    KernelSet kernels = set.equals("plain") ? plain : StandardOperations.catalog().kernels().warm();
    Shape ofB = Shape.of(sizes[2], sizes[1]);
    product =
        kernels.matrixProduct(
            new MatrixProduct.Request(
                DType.FLOAT32,
                Layout.contiguous(Shape.of(sizes[0], sizes[2])),
                b.equals("rows")
                    ? Layout.contiguous(ofB)
                    : new Layout(ofB, new long[] {1, sizes[2]}, 0),
                null,
                Layout.contiguous(Shape.of(sizes[0], sizes[1])),
                1,
                b.equals("weight") ? context.constant(weight) : null));
  }

  private DenseTensor tensor(long elements) {
    DenseTensor tensor =
        (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(elements));
    for (long i = 0; i < elements; i++) {
      tensor.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, i % 13 * 0.1f);
    }
    return tensor;
  }

  /** Gives the operands back. */
  @TearDown
  public void close() {
    scope.close();
    memory.close();
  }

  @Benchmark
  public @Nullable Fault multiply(Work done) {
    done.gflop += work;
    return Objects.requireNonNull(product)
        .run(
            context,
            Objects.requireNonNull(left),
            Objects.requireNonNull(right),
            null,
            Objects.requireNonNull(result));
  }
}
