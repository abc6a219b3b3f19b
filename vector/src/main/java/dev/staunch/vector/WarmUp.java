package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.ChannelNormalization;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.kernel.primitive.Pooling;
import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.kernel.primitive.RowNormalization;
import dev.staunch.kernel.primitive.RowSum;
import dev.staunch.kernel.primitive.Softmax;
import dev.staunch.kernel.primitive.Window;
import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs the float32 kernels on small operands of its own, over and over, so that the JVM compiles
 * them while a model is still being loaded. Once for a process, on a daemon thread that ends by
 * itself. Whether it has ended makes no difference but time: there is one kernel for each request.
 */
final class WarmUp implements Runnable {
  private static final long LIMIT_NANOS = 3_000_000_000L;

  /** As often the JVM wants to see a loop of some elements before it compiles it for good. */
  private static final int ROUNDS = 6_000;

  private static final long BUDGET = 1 << 24;
  private static final int SIZE = 72;

  private final KernelSet kernels;

  WarmUp(KernelSet kernels) {
    this.kernels = kernels;
  }

  /** Begins, if there is a processor to spare. */
  static void begin(KernelSet kernels) {
    if (Runtime.getRuntime().availableProcessors() > 1) {
      Thread thread = new Thread(new WarmUp(kernels), "staunch-vector-warm-up");
      thread.setDaemon(true);
      thread.start();
    }
  }

  @Override
  public void run() {
    try (OffHeap memory = OffHeap.of(MemoryOptions.withBudget(BUDGET));
        ResourceScope scope = ResourceScope.open(memory, "warm-up")) {
      List<Runnable> all = new Operands(kernels, scope).all();
      long end = System.nanoTime() + LIMIT_NANOS;
      for (int round = 0; round < ROUNDS && System.nanoTime() - end < 0; round++) {
        all.forEach(Runnable::run);
      }
    }
  }

  /** Small operands, of sizes that are no whole number of vectors. */
  private static final class Operands implements ExecutionContext {
    private final KernelSet kernels;
    private final ResourceScope scope;
    private final DenseTensor x;
    private final DenseTensor y;
    private final DenseTensor z;

    Operands(KernelSet kernels, ResourceScope scope) {
      this.kernels = kernels;
      this.scope = scope;
      this.x = zeros();
      this.y = zeros();
      this.z = zeros();
    }

    private DenseTensor zeros() {
      DenseTensor tensor =
          (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(64L * SIZE * SIZE));
      tensor.segment().fill((byte) 0);
      return tensor;
    }

    @Override
    public ResourceScope scope() {
      return scope;
    }

    @Override
    public @Nullable Fault cancelled() {
      return null;
    }

    List<Runnable> all() {
      List<Runnable> all = new ArrayList<>();
      all.add(product(24, constant()));
      all.add(product(5, null));
      all.add(product(1, constant()));
      all.add(product(1, null));
      all.add(convolution(60, 3, 1));
      all.add(convolution(60, 1, 1));
      all.add(convolution(60, 3, 2));
      all.add(convolution(64, 3, 1));
      all.add(convolution(64, 3, 2));
      all.add(rows());
      all.add(normalizations());
      return all;
    }

    private Runnable product(int rows, @Nullable Constant constant) {
      MatrixProduct product =
          kernels.matrixProduct(
              new MatrixProduct.Request(
                  DType.FLOAT32,
                  Layout.contiguous(Shape.of(rows, SIZE)),
                  new Layout(Shape.of(SIZE, SIZE), new long[] {1, SIZE}, 0),
                  new Layout(Shape.of(rows, SIZE), new long[] {0, 1}, 0),
                  Layout.contiguous(Shape.of(rows, SIZE)),
                  1,
                  constant));
      return () -> product.run(this, x, y, x, z);
    }

    private Runnable convolution(int channels, int kernel, int stride) {
      Window window = new Window(kernel, stride, kernel / 2, kernel / 2, 1);
      int side = 10;
      int outputs = window.outputs(side, false);
      Convolution convolution =
          kernels.convolution(
              new Convolution.Request(
                  DType.FLOAT32,
                  Layout.contiguous(Shape.of(1, channels, side, side)),
                  Layout.contiguous(Shape.of(16, channels, kernel, kernel)),
                  null,
                  Layout.contiguous(Shape.of(1, 16, outputs, outputs)),
                  window,
                  window,
                  1,
                  constant()));
      return () -> convolution.run(this, x, y, null, z);
    }

    private Runnable rows() {
      List<RowFormula> formulas = List.copyOf(RowFormulas.ALL.values());
      MemorySegment a = x.segment();
      MemorySegment b = y.segment();
      MemorySegment out = z.segment();
      RowSum sum = kernels.rowSum();
      RowSum.Table table = new RowSum.Table(a, 0, SIZE, SIZE - 2);
      long[] picked = {0, 2, 1};
      int[] ends = {2, 3};
      return () -> {
        sum.add(table, picked, 0, picked.length, new double[SIZE]);
        sum.addBags(table, picked, ends, ends.length, out, 0);
        for (RowFormula formula : formulas) {
          formula.run(a, 0, b, 0, out, 0, SIZE);
          formula.run(a, 0, 1, out, 0, SIZE);
        }
      };
    }

    private Runnable normalizations() {
      Layout two = Layout.contiguous(Shape.of(2, SIZE));
      Layout one = Layout.contiguous(Shape.of(SIZE));
      Layout planes = Layout.contiguous(Shape.of(2, 12, 12));
      Layout halves = Layout.contiguous(Shape.of(2, 6, 6));
      Softmax softmax =
          kernels.softmax(new Softmax.Request(DType.FLOAT32, two, DType.FLOAT32, two, 1, false));
      RowNormalization layers =
          kernels.rowNormalization(
              new RowNormalization.Request(DType.FLOAT32, two, two, 1, one, one, 1));
      ChannelNormalization channels =
          kernels.channelNormalization(
              new ChannelNormalization.Request(
                  DType.FLOAT32, two, two, one, one, DType.FLOAT32, one, one, 1));
      Pooling pooling = pooling(planes, halves, new Window(3, 2, 1, 1, 1));
      Pooling squares = pooling(planes, halves, new Window(2, 2, 0, 0, 1));
      return () -> {
        softmax.run(this, x, z);
        layers.run(this, x, y, y, z);
        channels.run(this, x, y, y, y, y, z);
        pooling.run(this, x, z);
        squares.run(this, x, z);
      };
    }

    private Pooling pooling(Layout planes, Layout halves, Window window) {
      return kernels.pooling(
          new Pooling.Request(
              DType.FLOAT32, planes, halves, 2, new Pooling.Rule.Maximum(window, window)));
    }

    /** One that is packed for each who asks: there are a few, and they go with the scope. */
    private Constant constant() {
      return new Constant() {
        @Override
        public DenseTensor tensor() {
          return y;
        }

        @Override
        public boolean isCurrent() {
          return true;
        }

        @Override
        public @Nullable DenseTensor packed(Object format, Packing packing) {
          return packing.pack(y, scope) instanceof DenseTensor made ? made : null;
        }
      };
    }
  }
}
