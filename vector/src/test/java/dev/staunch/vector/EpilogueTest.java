package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.Copy;
import dev.staunch.kernel.primitive.Epilogue;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.kernel.primitive.Window;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** However a result is computed, each element is finished exactly once, after its last sum. */
class EpilogueTest {
  private static final KernelSet KERNELS = new VectorKernels(StandardOperations.plainKernels());

  private final Random random = new Random(17);
  private final OffHeap memory = OffHeap.of(MemoryOptions.withBudget(1L << 30));
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void closeMemory() {
    scope.close();
    memory.close();
  }

  /** Runs pieces on several threads, in no order. */
  private record Threads(Run run) implements ExecutionContext {
    @Override
    public ResourceScope scope() {
      return run.scope();
    }

    @Override
    public Copy copy(Copy.Request request) {
      return run.copy(request);
    }

    @Override
    public @Nullable Fault cancelled() {
      return run.cancelled();
    }

    @Override
    public @Nullable Fault parallel(long range, long grain, Piece work) {
      return LongStream.range(0, Math.ceilDiv(range, grain))
          .parallel()
          .mapToObj(i -> work.run(i * grain, Math.min(range, (i + 1) * grain)))
          .filter(fault -> fault != null)
          .findAny()
          .orElse(null);
    }
  }

  /** Halves elements and adds 1; if it runs before the last sum, the result is wrong. */
  private record Halving(DenseTensor result, AtomicIntegerArray finished) implements Epilogue {
    static Halving of(DenseTensor result) {
      return new Halving(result, new AtomicIntegerArray((int) result.elements()));
    }

    static double of(double element) {
      return element / 2 + 1;
    }

    @Override
    public void finish(long from, long count) {
      for (long i = from; i < from + count; i++) {
        finished.incrementAndGet((int) i);
        Elements.set(result, i, of(Elements.get(result, i)));
      }
    }

    /** Checks that each element was finished {@code times} times. */
    void assertFinished(int times, String what) {
      int[] each = new int[finished.length()];
      int[] expected = new int[each.length];
      Arrays.setAll(each, finished::get);
      Arrays.fill(expected, times);
      assertArrayEquals(expected, each, what);
    }
  }

  private interface Computing {
    @Nullable Fault run(ExecutionContext context, DenseTensor into, @Nullable Epilogue epilogue);
  }

  private void check(DType dtype, long elements, String what, Computing computing) {
    DenseTensor alone = tensor(dtype, elements);
    DenseTensor finished = tensor(dtype, elements);
    Run run = new Run(scope);
    assertNull(computing.run(run, alone, null));
    for (ExecutionContext context : new ExecutionContext[] {run, new Threads(run)}) {
      Halving halving = Halving.of(finished);
      assertNull(computing.run(context, finished, halving));
      halving.assertFinished(1, what);
      double[] expected = Elements.all(alone);
      for (int i = 0; i < elements; i++) {
        double wanted = Halving.of(expected[i]);
        expected[i] = dtype == DType.FLOAT32 ? (float) wanted : wanted;
      }
      assertArrayEquals(expected, Elements.all(finished), what);
    }
  }

  private DenseTensor tensor(DType dtype, long elements) {
    DenseTensor tensor = (DenseTensor) DenseTensor.allocate(scope, dtype, Shape.of(elements));
    for (long i = 0; i < elements; i++) {
      Elements.set(tensor, i, random.nextGaussian());
    }
    return tensor;
  }

  private void product(DType dtype, long batch, long rows, long columns, long depth, boolean kept) {
    Layout left = Layout.contiguous(Shape.of(batch, rows, depth));
    Layout right = Layout.contiguous(Shape.of(batch, depth, columns));
    Layout target = Layout.contiguous(Shape.of(batch, rows, columns));
    DenseTensor a = tensor(dtype, batch * rows * depth);
    DenseTensor b = tensor(dtype, batch * depth * columns);
    DenseTensor added = tensor(dtype, columns);
    Layout repeated = new Layout(target.shape(), new long[] {0, 0, 1}, 0);
    Constant constant = kept && batch == 1 ? new Run(scope).constant(b) : null;
    MatrixProduct product =
        KERNELS.matrixProduct(
            new MatrixProduct.Request(dtype, left, right, repeated, target, 1, constant));
    check(
        dtype,
        batch * rows * columns,
        dtype + " " + batch + " of " + rows + " by " + depth + " by " + columns,
        (context, into, epilogue) -> product.run(context, a, b, added, into, epilogue));
  }

  @Test
  void productsAreFinishedInBlocks() {
    for (DType dtype : new DType[] {DType.FLOAT32, DType.FLOAT64}) {
      for (boolean kept : new boolean[] {false, true}) {
        product(dtype, 1, 1, 1, 1, kept);
        product(dtype, 1, 2, 70, 1100, kept);
        product(dtype, 1, 3, 9, 20, kept);
        product(dtype, 1, 65, 1, 40, kept);
        product(dtype, 1, 37, 41, 600, kept);
        product(dtype, 1, 500, 300, 520, kept);
        product(dtype, 1, 20, 4200, 30, kept);
        product(dtype, 3, 19, 23, 29, kept);
        product(dtype, 4, 2, 40, 8, kept);
      }
    }
  }

  private record Form(int images, int channels, int height, int width, int outputs, Window window) {
    Shape result() {
      return Shape.of(images, outputs, window.outputs(height, false), window.outputs(width, false));
    }
  }

  private void convolution(Form form, int groups, boolean from, boolean to) {
    Shape images = Shape.of(form.images, form.channels, form.height, form.width);
    int side = form.window.kernel();
    Layout weight = Layout.contiguous(Shape.of(form.outputs, form.channels / groups, side, side));
    Layout bias = Layout.contiguous(Shape.of(form.outputs));
    Shape result = form.result();
    DenseTensor w = tensor(DType.FLOAT32, weight.shape().elements());
    DenseTensor x = tensor(DType.FLOAT32, images.elements());
    DenseTensor b = tensor(DType.FLOAT32, form.outputs);
    for (Constant constant : new Constant[] {null, new Run(scope).constant(w)}) {
      Convolution convolution =
          KERNELS.convolution(
              new Convolution.Request(
                  DType.FLOAT32,
                  from ? Layout.channelsLast(images) : Layout.contiguous(images),
                  weight,
                  bias,
                  to ? Layout.channelsLast(result) : Layout.contiguous(result),
                  form.window,
                  form.window,
                  groups,
                  constant));
      check(
          DType.FLOAT32,
          result.elements(),
          form + " of " + groups + " groups, from " + from + " to " + to + ", " + convolution,
          (context, into, epilogue) -> convolution.run(context, x, w, b, into, epilogue));
    }
  }

  @Test
  void convolutionsAreFinishedInWhateverOrderTheirPixelsLie() {
    Window three = new Window(3, 1, 1, 1, 1);
    Window point = new Window(1, 1, 0, 0, 1);
    for (boolean from : new boolean[] {false, true}) {
      for (boolean to : new boolean[] {false, true}) {
        convolution(new Form(2, 64, 13, 11, 32, three), 1, from, to);
        convolution(new Form(1, 32, 40, 40, 64, three), 1, from, to);
        convolution(new Form(1, 32, 5, 1, 32, three), 1, from, to);
        convolution(new Form(2, 40, 9, 7, 48, new Window(3, 2, 1, 1, 1)), 1, from, to);
        convolution(new Form(1, 600, 9, 7, 300, point), 1, from, to);
        convolution(new Form(1, 64, 50, 31, 80, point), 1, from, to);
        convolution(new Form(2, 3, 40, 37, 64, new Window(7, 2, 3, 3, 1)), 1, from, to);
        convolution(new Form(2, 24, 9, 17, 24, three), 24, from, to);
        convolution(new Form(1, 12, 9, 7, 10, three), 2, from, to);
        convolution(new Form(1, 6, 14, 14, 16, new Window(5, 1, 0, 0, 1)), 1, from, to);
      }
    }
  }

  @Test
  void whatOverflowedInBetweenIsComputedAndFinishedOnceMore() {
    Layout layout = Layout.channelsLast(Shape.of(1, 32, 8, 8));
    Layout weight = Layout.contiguous(Shape.of(32, 32, 3, 3));
    Window three = new Window(3, 1, 1, 1, 1);
    DenseTensor x = tensor(DType.FLOAT32, layout.extent());
    DenseTensor w = tensor(DType.FLOAT32, weight.extent());
    Elements.set(x, 700, Double.POSITIVE_INFINITY);
    Run run = new Run(scope);
    Convolution convolution =
        KERNELS.convolution(
            new Convolution.Request(
                DType.FLOAT32, layout, weight, null, layout, three, three, 1, run.constant(w)));
    assertInstanceOf(FloatWinograd.class, ((FloatChannelsLast) convolution).sums());
    DenseTensor alone = tensor(DType.FLOAT32, layout.extent());
    DenseTensor finished = tensor(DType.FLOAT32, layout.extent());
    assertNull(convolution.run(run, x, w, null, alone));
    assertNull(convolution.run(run, x, w, null, finished, Halving.of(finished)));
    for (long i = 0; i < alone.elements(); i++) {
      float wanted = (float) Halving.of(Elements.get(alone, i));
      assertEquals(wanted, (float) Elements.get(finished, i), "at " + i);
    }
  }

  @Test
  void aCancellationIsTheFault() {
    Fault stop = Fault.value("stop");
    Layout layout = Layout.contiguous(Shape.of(40, 40));
    DenseTensor a = tensor(DType.FLOAT32, 1600);
    DenseTensor c = tensor(DType.FLOAT32, 1600);
    MatrixProduct product =
        KERNELS.matrixProduct(
            new MatrixProduct.Request(DType.FLOAT32, layout, layout, null, layout, 1, null));
    assertSame(stop, product.run(new Run(scope, stop), a, a, null, c, Halving.of(c)));
  }
}
