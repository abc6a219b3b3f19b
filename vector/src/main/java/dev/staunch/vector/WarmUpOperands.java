package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.ChannelNormalization;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.Copy;
import dev.staunch.kernel.primitive.Epilogue;
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
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Small operands to warm kernels up with. Rows are a whole number of vectors long, and others are
 * not: HotSpot leaves out ways that code has never taken, and discards what it compiled when the
 * code first takes one. They end where their memory does, as a model's tensors do: the last vector
 * of a row then takes another way than it would in the middle. Their elements are positive numbers,
 * which no formula treats as a special case.
 */
final class WarmUpOperands implements ExecutionContext {
  private static final int SIZE = 72;

  /** As many as any formula takes. */
  private static final double[] CONSTANTS = {1, 1, 1, 1};

  /** Short sums: each product takes microseconds until it is compiled. */
  private static final int DEPTH = 32;

  private static final int UNEVEN_DEPTH = 27;

  /** A whole number of vectors of any element type and width. */
  private static final int WHOLE = 64;

  /** A whole number of no vectors. */
  private static final int UNEVEN = 75;

  private static final Epilogue UNCHANGED = (from, count) -> {};

  private final KernelSet kernels;
  private final ResourceScope scope;

  /** Kept reachable: some runs have only their segments. */
  private final List<DenseTensor> tensors = new ArrayList<>();

  WarmUpOperands(KernelSet kernels, ResourceScope scope) {
    this.kernels = kernels;
    this.scope = scope;
  }

  private DenseTensor numbers(Shape shape) {
    return numbers(DType.FLOAT32, shape);
  }

  private DenseTensor numbers(DType dtype, Shape shape) {
    DenseTensor tensor = (DenseTensor) DenseTensor.allocate(scope, dtype, shape);
    for (long i = 0; i < tensor.elements(); i++) {
      Elements.putDouble(
          tensor.segment(), dtype, i, dtype.isFloating() ? 0.5 + i % 7 / 8.0 : i % 7 + 1);
    }
    tensors.add(tensor);
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

  /** Runs of the kernels of a group. */
  List<Runnable> runs(KernelGroup group) {
    DType dtype = group.dtype();
    return switch (group.primitive()) {
      case PRODUCT ->
          switch (group.name()) {
            case "row" -> List.of(product(dtype, 1, DEPTH, true));
            case "row by any" -> List.of(product(dtype, 1, 4 * SIZE, false));
            default -> // rows for tiles of each height
                List.of(
                    product(dtype, 25, UNEVEN_DEPTH, true),
                    product(dtype, 5, UNEVEN_DEPTH, false),
                    product(dtype, 16, DEPTH, true));
          };
      case CONVOLUTION ->
          switch (group.name()) {
            case "pointwise" ->
                List.of(
                    convolution(dtype, 12, 72, 1, 1),
                    pixels(dtype, 64, 72, 1, 1, 1),
                    pixels(dtype, 64, 136, 1, 2, 1));
            case "depthwise" ->
                List.of(
                    convolution(dtype, 12, 12, 3, 1, 12, 10),
                    convolution(dtype, 12, 12, 3, 2, 12, 10),
                    pixels(dtype, 32, 32, 3, 1, 32),
                    pixels(dtype, 32, 32, 3, 2, 32));
            default ->
                List.of(
                    convolution(dtype, 12, 16, 3, 1),
                    convolution(dtype, 12, 72, 3, 1),
                    convolution(dtype, 12, 6, 3, 1),
                    convolution(dtype, 12, 8, 3, 1, 1, 20),
                    convolution(dtype, 3, 8, 3, 2, 1, 40),
                    convolution(dtype, 12, 72, 3, 2),
                    convolution(dtype, 64, 16, 3, 1),
                    convolution(dtype, 64, 16, 3, 2),
                    pixels(dtype, 3, 32, 3, 2, 1));
          };
      case POOLING -> poolings(dtype);
      case ROW_NORMALIZATION -> List.of(rowNormalization(dtype));
      case CHANNEL_NORMALIZATION -> List.of(channelNormalization(dtype));
      case SOFTMAX -> List.of(softmax(dtype, 1), softmax(dtype, 0));
      case COPY -> List.of(cast());
      case RECURRENCE -> List.of(recurrence(dtype));
      case ROW_SUM -> List.of(rowSum());
      case FORMULA -> List.of(formula(dtype, group.name()));
      case REDUCTION ->
          Stream.of(RowReduction.Kind.values()).map(kind -> reduction(dtype, kind)).toList();
    };
  }

  /** A product with a constant and a bias, as in a linear layer, or of any two matrices. */
  private Runnable product(DType dtype, int rows, int depth, boolean isConstant) {
    Layout left = Layout.contiguous(Shape.of(rows, depth));
    Layout result = Layout.contiguous(Shape.of(rows, SIZE));
    DenseTensor a = numbers(dtype, left.shape());
    DenseTensor b = numbers(dtype, Shape.of(SIZE, depth));
    DenseTensor bias = isConstant ? numbers(dtype, Shape.of(SIZE)) : null;
    DenseTensor c = numbers(dtype, result.shape());
    MatrixProduct product =
        kernels.matrixProduct(
            new MatrixProduct.Request(
                dtype,
                left,
                new Layout(Shape.of(depth, SIZE), new long[] {1, depth}, 0),
                isConstant ? new Layout(result.shape(), new long[] {0, 1}, 0) : null,
                result,
                1,
                isConstant ? constant(b) : null));
    return () -> product.run(this, a, b, bias, c, UNCHANGED);
  }

  private Runnable convolution(DType dtype, int channels, int outputs, int kernel, int stride) {
    return convolution(dtype, channels, outputs, kernel, stride, 1, 10);
  }

  private Runnable convolution(
      DType dtype, int channels, int outputs, int kernel, int stride, int groups, int side) {
    Window window = new Window(kernel, stride, kernel / 2, kernel / 2, 1);
    int results = window.outputs(side, false);
    return convolution(
        dtype,
        Layout.contiguous(Shape.of(1, channels, side, side)),
        Layout.contiguous(Shape.of(1, outputs, results, results)),
        window,
        groups);
  }

  /** A convolution of images with channels last. */
  private Runnable pixels(
      DType dtype, int channels, int outputs, int kernel, int stride, int groups) {
    Window window = new Window(kernel, stride, kernel / 2, kernel / 2, 1);
    int side = 10;
    int results = window.outputs(side, false);
    return convolution(
        dtype,
        Layout.channelsLast(Shape.of(1, channels, side, side)),
        Layout.channelsLast(Shape.of(1, outputs, results, results)),
        window,
        groups);
  }

  private Runnable convolution(
      DType dtype, Layout image, Layout result, Window window, int groups) {
    long channels = image.shape().size(1) / groups;
    long outputs = result.shape().size(1);
    Shape kernel = Shape.of(outputs, channels, window.kernel(), window.kernel());
    DenseTensor from = numbers(dtype, image.shape());
    DenseTensor weight = numbers(dtype, kernel);
    DenseTensor to = numbers(dtype, result.shape());
    Convolution convolution =
        kernels.convolution(
            new Convolution.Request(
                dtype,
                image,
                Layout.contiguous(kernel),
                null,
                result,
                window,
                window,
                groups,
                constant(weight)));
    return () -> convolution.run(this, from, weight, null, to, UNCHANGED);
  }

  private Runnable recurrence(DType dtype) {
    int size = 64;
    Layout weight = Layout.contiguous(Shape.of(4L * size, size));
    DenseTensor hidden = numbers(dtype, weight.shape());
    DenseTensor gates = numbers(dtype, Shape.of(1, 4L * size));
    Recurrence recurrence =
        kernels.recurrence(
            new Recurrence.Request(
                dtype, Recurrence.Cell.LSTM, weight, null, null, constant(hidden)));
    Recurrence.Parameters parameters = new Recurrence.Parameters(hidden, null, null);
    Recurrence.Steps steps = new Recurrence.Steps(new int[] {0}, new int[] {1}, false);
    double[][] states = new double[1][size];
    double[][] cells = new double[1][size];
    DenseTensor output = numbers(dtype, Shape.of(1, size));
    return () -> recurrence.run(this, parameters, gates, steps, states, cells, output, 0);
  }

  private Runnable rowSum() {
    RowSum sum = kernels.rowSum();
    long[] picked = {0, 2, 1};
    int[] ends = {2, 3};
    return forEachCount(count -> {
      DenseTensor rows = numbers(Shape.of(3, count + 2));
      DenseTensor bags = numbers(Shape.of(2, count));
      RowSum.Table table = new RowSum.Table(rows.segment(), 0, count + 2, count);
      return () -> {
        sum.add(table, picked, 0, picked.length, new double[count]);
        sum.addBags(table, picked, ends, ends.length, bags.segment(), 0);
      };
    });
  }

  private Runnable cast() {
    RowCast own = kernels.rowCast(DType.BFLOAT16);
    if (own == null) {
      Layout row = row(UNEVEN);
      Copy copy = kernels.copy(new Copy.Request(DType.FLOAT32, row, DType.BFLOAT16, row));
      DenseTensor from = numbers(row.shape());
      DenseTensor to = (DenseTensor) DenseTensor.allocate(scope, DType.BFLOAT16, row);
      return () -> copy.run(this, from, to);
    }
    return forEachCount(count -> {
      MemorySegment wide = numbers(Shape.of(count)).segment();
      MemorySegment narrow = numbers(Shape.of(Math.ceilDiv(count, 2))).segment();
      return () -> {
        own.narrow(wide, 0, narrow, 0, count);
        own.widen(narrow, 0, wide, 0, count);
      };
    });
  }

  private static Layout row(int count) {
    return Layout.contiguous(Shape.of(count));
  }

  private static Layout rows(int count) {
    return Layout.contiguous(Shape.of(2, count));
  }

  /** What is run for rows that are whole numbers of vectors, and for others. */
  private static Runnable forEachCount(IntFunction<Runnable> run) {
    return both(run.apply(WHOLE), run.apply(UNEVEN));
  }

  private static Runnable both(Runnable first, Runnable second) {
    return () -> {
      first.run();
      second.run();
    };
  }

  /** The set's formula, or one that costs as much as a loop over numbers. */
  private Runnable formula(DType dtype, String name) {
    if (RowFormulas.TERNARY.contains(name) || name.equals(FloatChoice.NAME)) {
      return ternary(dtype, name);
    }
    RowFormula formula = formulaOf(dtype, name);
    return forEachCount(count -> {
      Shape row = Shape.of(dtype.bytes() == 1 ? count * Float.BYTES : count); // or floats
      MemorySegment a = numbers(dtype, row).segment();
      MemorySegment b = numbers(dtype, row).segment();
      MemorySegment out = numbers(dtype, row).segment();
      return () -> {
        formula.run(a, 0, b, 0, out, 0, count);
        formula.run(a, 0, 1, out, 0, count);
      };
    });
  }

  private Runnable ternary(DType dtype, String name) {
    RowFormula formula = formulaOf(dtype, name);
    return forEachCount(count -> {
      Shape row = Shape.of(count);
      MemorySegment a = numbers(dtype, row).segment();
      MemorySegment b = numbers(dtype, row).segment();
      MemorySegment c = numbers(dtype, row).segment();
      MemorySegment out = numbers(dtype, row).segment();
      return () -> formula.run(a, 0, b, 0, c, 0, out, 0, count);
    });
  }

  private RowFormula formulaOf(DType dtype, String name) {
    RowFormula own = kernels.rowFormula(dtype, name, CONSTANTS);
    boolean function =
        dtype.isFloating() && !RowFormulas.TESTS.contains(name) && !name.equals(FloatChoice.NAME);
    return own == null ? new PlainLoop(function) : own;
  }

  /** The set's reduction, or sums of one element after another. */
  private Runnable reduction(DType dtype, RowReduction.Kind kind) {
    RowReduction own = kernels.rowReduction(dtype, kind);
    RowReduction reduction = own == null ? new OrderedSum(dtype) : own;
    return forEachCount(count -> {
      double[] results = new double[count];
      MemorySegment row = numbers(dtype, Shape.of(count)).segment();
      return () -> {
        results[0] = reduction.along(0, row, 0, count);
        reduction.across(results, row, 0, count);
      };
    });
  }

  private Runnable softmax(DType dtype, int dimension) {
    return forEachCount(count -> {
      Layout rows = rows(count);
      Softmax softmax =
          kernels.softmax(new Softmax.Request(dtype, rows, dtype, rows, dimension, false));
      DenseTensor from = numbers(dtype, rows.shape());
      DenseTensor to = numbers(dtype, rows.shape());
      return () -> softmax.run(this, from, to);
    });
  }

  private Runnable rowNormalization(DType dtype) {
    return forEachCount(count -> {
      Layout row = row(count);
      Layout rows = rows(count);
      RowNormalization normalization =
          kernels.rowNormalization(new RowNormalization.Request(dtype, rows, rows, 1, row, row, 1));
      DenseTensor from = numbers(dtype, rows.shape());
      DenseTensor factors = numbers(dtype, row.shape());
      DenseTensor to = numbers(dtype, rows.shape());
      return () -> normalization.run(this, from, factors, factors, to);
    });
  }

  private Runnable channelNormalization(DType dtype) {
    return forEachCount(count -> {
      Layout row = row(count);
      Layout rows = rows(count);
      ChannelNormalization normalization =
          kernels.channelNormalization(
              new ChannelNormalization.Request(dtype, rows, rows, row, row, dtype, row, row, 1));
      DenseTensor from = numbers(dtype, rows.shape());
      DenseTensor factors = numbers(dtype, row.shape());
      DenseTensor to = numbers(dtype, rows.shape());
      return () -> normalization.run(this, from, factors, factors, factors, factors, to);
    });
  }

  private List<Runnable> poolings(DType dtype) {
    Layout planes = Layout.contiguous(Shape.of(2, 4, 2 * UNEVEN));
    Layout halves = Layout.contiguous(Shape.of(2, 2, UNEVEN));
    Layout narrow = Layout.contiguous(Shape.of(2, 12, 6));
    Layout narrowHalves = Layout.contiguous(Shape.of(2, 6, 3));
    Layout pixels = Layout.channelsLast(Shape.of(1, 32, 8, 8));
    Layout fewer = Layout.channelsLast(Shape.of(1, 32, 4, 4));
    Window three = new Window(3, 2, 1, 1, 1);
    Window sliding = new Window(3, 1, 1, 1, 1);
    Window square = new Window(2, 2, 0, 0, 1);
    Pooling.Rule squares = new Pooling.Rule.Maximum(square, square);
    return List.of(
        both(
            pooling(dtype, planes, halves, new Pooling.Rule.Maximum(three, three)),
            pooling(dtype, planes, planes, new Pooling.Rule.Maximum(sliding, sliding))),
        both(
            pooling(dtype, planes, halves, squares), pooling(dtype, narrow, narrowHalves, squares)),
        both(
            pooling(dtype, planes, halves, new Pooling.Rule.Mean(three, three, true, null)),
            pooling(dtype, planes, planes, new Pooling.Rule.Mean(sliding, sliding, true, null))),
        both(
            pooling(dtype, planes, halves, new Pooling.Rule.AdaptiveMean()),
            pooling(dtype, narrow, narrowHalves, new Pooling.Rule.AdaptiveMean())),
        pooling(dtype, pixels, fewer, new Pooling.Rule.Maximum(three, three)),
        pooling(dtype, pixels, fewer, new Pooling.Rule.AdaptiveMean()));
  }

  private Runnable pooling(DType dtype, Layout from, Layout to, Pooling.Rule rule) {
    Pooling pooling = kernels.pooling(new Pooling.Request(dtype, from, to, 2, rule));
    DenseTensor image = numbers(dtype, from.shape());
    DenseTensor pooled = numbers(dtype, to.shape());
    return () -> pooling.run(this, image, pooled);
  }

  /** A constant that is packed once for each format; the packed tensors end with the scope. */
  private Constant constant(DenseTensor constant) {
    Map<Object, Object> made = new HashMap<>();
    return new Constant() {
      @Override
      public DenseTensor tensor() {
        return constant;
      }

      @Override
      public boolean isCurrent() {
        return true;
      }

      @Override
      public @Nullable DenseTensor packed(Object format, Packing packing) {
        Object known = made.computeIfAbsent(format, key -> packing.pack(constant, scope));
        return known instanceof DenseTensor tensor ? tensor : null;
      }
    };
  }

  private record OrderedSum(DType dtype) implements RowReduction {
    @Override
    public double along(double result, MemorySegment row, long from, int count) {
      double sum = result;
      for (int i = 0; i < count; i++) {
        sum += Elements.asDouble(row, dtype, from + i);
      }
      return sum;
    }

    @Override
    public void across(double[] results, MemorySegment row, long from, int count) {
      for (int i = 0; i < count; i++) {
        results[i] += Elements.asDouble(row, dtype, from + i);
      }
    }
  }
}
