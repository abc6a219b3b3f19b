package dev.staunch.vector;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.ChannelNormalization;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.Copy;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.kernel.primitive.Pooling;
import dev.staunch.kernel.primitive.Recurrence;
import dev.staunch.kernel.primitive.RowCast;
import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.kernel.primitive.RowNormalization;
import dev.staunch.kernel.primitive.RowReduction;
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
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the float32 kernels repeatedly on small operands of its own until, taken together, they are
 * about as fast as the kernels that they replace, or faster: then the JVM has compiled them.
 */
final class WarmUp implements BooleanSupplier {
  /** Compilation takes long on a busy machine, and never succeeds on one without vectors. */
  static final long LIMIT_NANOS = 300_000_000_000L;

  /** Turns after which the old kernels are compiled, too, so that they can serve as a measure. */
  static final int LEAST_TURNS = 50;

  /**
   * New kernels count as compiled if, in the geometric mean, they take at most this many times as
   * long as the old ones. Before that they take many times as long, and some stay slower on
   * operands this small.
   */
  private static final double TOLERANCE = 1.5;

  private static final long BUDGET = 1 << 24;
  private static final int SIZE = 72;

  /** Short sums: each product takes microseconds until it is compiled. */
  private static final int DEPTH = 24;

  private final KernelSet before;
  private final KernelSet kernels;
  private final int leastTurns;
  private final long limitNanos;

  /**
   * @param before the set that {@code kernels} is to replace
   * @param leastTurns the fewest turns, in each of which every kernel runs for a while
   * @param limitNanos the time after which the attempt has failed
   */
  WarmUp(KernelSet before, KernelSet kernels, int leastTurns, long limitNanos) {
    this.before = before;
    this.kernels = kernels;
    this.leastTurns = leastTurns;
    this.limitNanos = limitNanos;
  }

  /** Runs {@code work} on a new daemon thread, which ends with it. */
  static void start(Runnable work) {
    Thread thread = new Thread(work, "staunch-vector-warm-up");
    thread.setDaemon(true);
    thread.start();
  }

  /** Returns whether the kernels have become fast enough; takes seconds. */
  @Override
  public boolean getAsBoolean() {
    try (OffHeap memory = OffHeap.of(MemoryOptions.withBudget(BUDGET));
        ResourceScope scope = ResourceScope.open(memory, "warm-up")) {
      List<Runnable> old = new Operands(before, scope).all();
      List<Runnable> fresh = new Operands(kernels, scope).all();
      List<Race> races = new ArrayList<>();
      for (int i = 0; i < fresh.size(); i++) {
        races.add(new Race(old.get(i), fresh.get(i)));
      }
      long end = System.nanoTime() + limitNanos;
      boolean won;
      int turns = 0;
      do {
        turns++;
        double factors = 0;
        for (Race race : races) {
          factors += Math.log(race.factor());
        }
        won = turns >= leastTurns && factors <= races.size() * Math.log(TOLERANCE);
      } while (!won && System.nanoTime() - end < 0);
      return won;
    }
  }

  /** A kernel and the one that it is to replace. */
  private static final class Race {
    /** The JVM compiles code that has run thousands of times, however short a run is. */
    private static final long TURN_NANOS = 3_000_000;

    private final Runnable old;
    private final Runnable fresh;
    private long bestOfOld = Long.MAX_VALUE;
    private long bestOfFresh = Long.MAX_VALUE;

    Race(Runnable old, Runnable fresh) {
      this.old = old;
      this.fresh = fresh;
    }

    /** Runs both some more; returns how many times as long the new one takes at best. */
    double factor() {
      long end = System.nanoTime() + TURN_NANOS;
      do {
        bestOfOld = Math.min(bestOfOld, nanos(old));
        bestOfFresh = Math.min(bestOfFresh, nanos(fresh));
      } while (System.nanoTime() - end < 0);
      return (double) Math.max(1, bestOfFresh) / Math.max(1, bestOfOld);
    }

    private static long nanos(Runnable kernel) {
      long start = System.nanoTime();
      kernel.run();
      return System.nanoTime() - start;
    }
  }

  /** Small operands, whose sizes are not whole numbers of vectors. */
  private static final class Operands implements ExecutionContext {
    private final KernelSet kernels;
    private final ResourceScope scope;
    private final DenseTensor x;
    private final DenseTensor y;
    private final DenseTensor z;

    Operands(KernelSet kernels, ResourceScope scope) {
      this.kernels = kernels;
      this.scope = scope;
      Shape shape = Shape.of(64L * SIZE * SIZE);
      this.x = zeros(shape);
      this.y = zeros(shape);
      this.z = zeros(shape);
    }

    private DenseTensor zeros(Shape shape) {
      DenseTensor tensor = (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, shape);
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

    @Override
    public Copy copy(Copy.Request request) {
      return kernels.copy(request);
    }

    List<Runnable> all() {
      List<Runnable> all = new ArrayList<>();
      all.add(product(24, DEPTH, constant()));
      all.add(product(5, DEPTH, null));
      all.add(product(1, DEPTH, constant()));
      all.add(product(1, 4 * SIZE, null));
      all.add(convolution(12, 16, 3, 1));
      all.add(convolution(12, 72, 3, 1));
      all.add(convolution(12, 6, 3, 1));
      all.add(convolution(12, 8, 3, 1, 1, 20));
      all.add(convolution(3, 8, 3, 2, 1, 40));
      all.add(convolution(12, 72, 1, 1));
      all.add(convolution(12, 72, 3, 2));
      all.add(convolution(64, 16, 3, 1));
      all.add(convolution(64, 16, 3, 2));
      all.add(convolution(12, 12, 3, 1, 12, 10));
      all.add(convolution(12, 12, 3, 2, 12, 10));
      all.add(pixels(64, 72, 1, 1, 1));
      all.add(pixels(64, 136, 1, 2, 1));
      all.add(pixels(3, 32, 3, 2, 1));
      all.add(pixels(32, 32, 3, 1, 32));
      all.add(pixels(32, 32, 3, 2, 32));
      all.add(recurrence());
      all.add(rows());
      all.add(normalizations());
      return all;
    }

    private Runnable product(int rows, int depth, @Nullable Constant constant) {
      MatrixProduct product =
          kernels.matrixProduct(
              new MatrixProduct.Request(
                  DType.FLOAT32,
                  Layout.contiguous(Shape.of(rows, depth)),
                  new Layout(Shape.of(depth, SIZE), new long[] {1, depth}, 0),
                  new Layout(Shape.of(rows, SIZE), new long[] {0, 1}, 0),
                  Layout.contiguous(Shape.of(rows, SIZE)),
                  1,
                  constant));
      return () -> product.run(this, x, y, x, z);
    }

    private Runnable convolution(int channels, int outputs, int kernel, int stride) {
      return convolution(channels, outputs, kernel, stride, 1, 10);
    }

    private Runnable convolution(
        int channels, int outputs, int kernel, int stride, int groups, int side) {
      Window window = new Window(kernel, stride, kernel / 2, kernel / 2, 1);
      int results = window.outputs(side, false);
      return convolution(
          Layout.contiguous(Shape.of(1, channels, side, side)),
          Layout.contiguous(Shape.of(1, outputs, results, results)),
          window,
          groups);
    }

    /** A convolution of images with channels last. */
    private Runnable pixels(int channels, int outputs, int kernel, int stride, int groups) {
      Window window = new Window(kernel, stride, kernel / 2, kernel / 2, 1);
      int side = 10;
      int results = window.outputs(side, false);
      return convolution(
          Layout.channelsLast(Shape.of(1, channels, side, side)),
          Layout.channelsLast(Shape.of(1, outputs, results, results)),
          window,
          groups);
    }

    private Runnable convolution(Layout image, Layout result, Window window, int groups) {
      long channels = image.shape().size(1) / groups;
      long outputs = result.shape().size(1);
      Convolution convolution =
          kernels.convolution(
              new Convolution.Request(
                  DType.FLOAT32,
                  image,
                  Layout.contiguous(Shape.of(outputs, channels, window.kernel(), window.kernel())),
                  null,
                  result,
                  window,
                  window,
                  groups,
                  constant()));
      return () -> convolution.run(this, x, y, null, z);
    }

    private Runnable recurrence() {
      int size = 64;
      Layout weight = Layout.contiguous(Shape.of(4L * size, size));
      Recurrence recurrence =
          kernels.recurrence(
              new Recurrence.Request(
                  DType.FLOAT32, Recurrence.Cell.LSTM, weight, null, null, constant()));
      DenseTensor hidden = zeros(weight.shape());
      Recurrence.Parameters parameters = new Recurrence.Parameters(hidden, null, null);
      Recurrence.Steps steps = new Recurrence.Steps(new int[] {0}, new int[] {1}, false);
      double[][] states = new double[1][size];
      double[][] cells = new double[1][size];
      DenseTensor output = zeros(Shape.of(1, size));
      return () -> recurrence.run(this, parameters, x, steps, states, cells, output, 0);
    }

    private Runnable rows() {
      List<RowFormula> formulas =
          Stream.of(RowFormulas.ALL, FloatRemainders.ALL, FloatPowers.ALL)
              .flatMap(it -> it.keySet().stream())
              .map(this::formula)
              .toList();
      MemorySegment a = x.segment();
      MemorySegment b = y.segment();
      MemorySegment out = z.segment();
      RowSum sum = kernels.rowSum();
      RowSum.Table table = new RowSum.Table(a, 0, SIZE, SIZE - 2);
      long[] picked = {0, 2, 1};
      int[] ends = {2, 3};
      List<RowReduction> reductions =
          Arrays.stream(RowReduction.Kind.values()).map(this::reduction).toList();
      double[] results = new double[SIZE];
      RowCast cast = kernels.rowCast(DType.BFLOAT16);
      return () -> {
        if (cast != null) {
          cast.narrow(a, 0, out, 0, SIZE);
          cast.widen(out, 0, out, SIZE, SIZE);
        }
        sum.add(table, picked, 0, picked.length, new double[SIZE]);
        sum.addBags(table, picked, ends, ends.length, out, 0);
        for (RowFormula formula : formulas) {
          formula.run(a, 0, b, 0, out, 0, SIZE);
          formula.run(a, 0, 1, out, 0, SIZE);
        }
        for (RowReduction reduction : reductions) {
          results[0] = reduction.along(0, a, 0, SIZE);
          reduction.across(results, a, 0, SIZE);
        }
      };
    }

    /** The set's formula, or one that costs as much as a loop over numbers. */
    private RowFormula formula(String name) {
      RowFormula own = kernels.rowFormula(name);
      return own == null ? new Exponentials() : own;
    }

    /** The set's reduction, or sums of one element after another. */
    private RowReduction reduction(RowReduction.Kind kind) {
      RowReduction own = kernels.rowReduction(kind);
      return own == null ? new OrderedSum() : own;
    }

    private Runnable normalizations() {
      Layout two = Layout.contiguous(Shape.of(2, SIZE));
      Layout one = Layout.contiguous(Shape.of(SIZE));
      Layout planes = Layout.contiguous(Shape.of(2, 12, 12));
      Layout halves = Layout.contiguous(Shape.of(2, 6, 6));
      Softmax softmax =
          kernels.softmax(new Softmax.Request(DType.FLOAT32, two, DType.FLOAT32, two, 1, false));
      Softmax columns =
          kernels.softmax(new Softmax.Request(DType.FLOAT32, two, DType.FLOAT32, two, 0, false));
      RowNormalization layers =
          kernels.rowNormalization(
              new RowNormalization.Request(DType.FLOAT32, two, two, 1, one, one, 1));
      ChannelNormalization channels =
          kernels.channelNormalization(
              new ChannelNormalization.Request(
                  DType.FLOAT32, two, two, one, one, DType.FLOAT32, one, one, 1));
      Layout pixels = Layout.channelsLast(Shape.of(1, 32, 8, 8));
      Layout fewer = Layout.channelsLast(Shape.of(1, 32, 4, 4));
      Window three = new Window(3, 2, 1, 1, 1);
      Window square = new Window(2, 2, 0, 0, 1);
      Pooling pooling = pooling(planes, halves, new Pooling.Rule.Maximum(three, three));
      Pooling squares = pooling(planes, halves, new Pooling.Rule.Maximum(square, square));
      Pooling greatest = pooling(pixels, fewer, new Pooling.Rule.Maximum(three, three));
      Pooling means = pooling(pixels, fewer, new Pooling.Rule.AdaptiveMean());
      DenseTensor rows = zeros(two.shape());
      DenseTensor row = zeros(one.shape());
      DenseTensor image = zeros(planes.shape());
      DenseTensor out = zeros(two.shape());
      DenseTensor half = zeros(halves.shape());
      DenseTensor channelsLast = zeros(pixels.shape());
      DenseTensor pooled = zeros(fewer.shape());
      return () -> {
        softmax.run(this, rows, out);
        columns.run(this, rows, out);
        layers.run(this, rows, row, row, out);
        channels.run(this, rows, row, row, row, row, out);
        pooling.run(this, image, half);
        squares.run(this, image, half);
        greatest.run(this, channelsLast, pooled);
        means.run(this, channelsLast, pooled);
      };
    }

    private Pooling pooling(Layout from, Layout to, Pooling.Rule rule) {
      return kernels.pooling(new Pooling.Request(DType.FLOAT32, from, to, 2, rule));
    }

    /**
     * A constant that is packed anew for each request: there are few, and they end with the scope.
     */
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

  private static final class OrderedSum implements RowReduction {
    @Override
    public double along(double result, MemorySegment row, long from, int count) {
      double sum = result;
      for (int i = 0; i < count; i++) {
        sum += row.getAtIndex(JAVA_FLOAT, from + i);
      }
      return sum;
    }

    @Override
    public void across(double[] results, MemorySegment row, long from, int count) {
      for (int i = 0; i < count; i++) {
        results[i] += row.getAtIndex(JAVA_FLOAT, from + i);
      }
    }
  }

  /** A formula that is neither fast nor slow. */
  private static final class Exponentials implements RowFormula {
    @Override
    public void run(
        MemorySegment a,
        long fromA,
        MemorySegment b,
        long fromB,
        MemorySegment out,
        long to,
        int count) {
      for (int i = 0; i < count; i++) {
        double x = a.getAtIndex(JAVA_FLOAT, fromA + i) + b.getAtIndex(JAVA_FLOAT, fromB + i);
        out.setAtIndex(JAVA_FLOAT, to + i, (float) Math.exp(x));
      }
    }

    @Override
    public void run(MemorySegment a, long fromA, float b, MemorySegment out, long to, int count) {
      for (int i = 0; i < count; i++) {
        out.setAtIndex(
            JAVA_FLOAT, to + i, (float) Math.exp(a.getAtIndex(JAVA_FLOAT, fromA + i) + b));
      }
    }
  }
}
