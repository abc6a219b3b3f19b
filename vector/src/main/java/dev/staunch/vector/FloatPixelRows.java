package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.Window;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/**
 * A convolution as one product: each row has what the kernel covers of the image for one pixel,
 * element of the kernel by element, of each all channels.
 */
final class FloatPixelRows implements PixelSums {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  /** Rows of a block: about 500 KB. */
  private static final int ROWS = 240;

  /** More pixels fill panels of their own well enough. */
  private static final int MOST_PIXELS = 256;

  /** Multiplications of a piece that other threads may take. */
  private static final long PIECE = 1 << 23;

  private final Window vertical;
  private final Window horizontal;
  private final int channels;
  private final int outputs;
  private final int depth;
  private final int depthOfBlock;
  private final int rows;
  private final int columns;
  private final int resultRows;
  private final int resultColumns;
  private final DenseTensor weight;
  private final Spares<FloatTiles> lent;

  private FloatPixelRows(Convolution.Request request, DenseTensor weight, Spares<FloatTiles> lent) {
    this.lent = lent;
    Shape result = request.result().shape();
    this.vertical = request.vertical();
    this.horizontal = request.horizontal();
    this.channels = (int) request.input().shape().size(1);
    this.outputs = (int) result.size(1);
    this.depth = depth(request.weight().shape());
    this.depthOfBlock = depthOfBlock(depth);
    this.resultRows = (int) result.size(2);
    this.resultColumns = (int) result.size(3);
    this.rows = padded(vertical, (int) request.input().shape().size(2), resultRows);
    this.columns = padded(horizontal, (int) request.input().shape().size(3), resultColumns);
    this.weight = weight;
  }

  private static int padded(Window window, int size, int results) {
    return Math.max(window.before() + size, window.stride() * (results - 1) + window.extent());
  }

  private static int depth(Shape weight) {
    return (int) (weight.size(1) * weight.size(2) * weight.size(3));
  }

  /** A whole number of vectors. */
  private static int depthOfBlock(int depth) {
    int vectors = depth / FloatTurning.LANES;
    int most = FloatRows.DEPTH / FloatTurning.LANES;
    return Math.ceilDiv(vectors, Math.ceilDiv(vectors, most)) * FloatTurning.LANES;
  }

  /** Null if it is better computed otherwise, or there is no memory for the weight in this form. */
  static @Nullable FloatPixelRows of(Convolution.Request request, Spares<FloatTiles> lent) {
    Constant constant = request.constant();
    Shape result = request.result().shape();
    long pixels = result.size(2) * result.size(3);
    if (constant == null || pixels > MOST_PIXELS || (isPointwise(request) && fillsPanels(pixels))) {
      return null;
    }
    DenseTensor packed =
        constant.packed(
            new Format(request.weight()), (tensor, scope) -> pack(request, tensor, scope));
    return packed == null ? null : new FloatPixelRows(request, packed, lent);
  }

  private static boolean isPointwise(Convolution.Request request) {
    return request.vertical().kernel() == 1 && request.horizontal().kernel() == 1;
  }

  /** Whether panels of pixels would lie idle for less than it takes to turn the image. */
  private static boolean fillsPanels(long pixels) {
    int half = FloatPanels.WIDTH / 2;
    return Math.ceilDiv(pixels, half) * half <= pixels + pixels / 16;
  }

  private record Format(Layout weight) {}

  private static Object pack(Convolution.Request request, DenseTensor tensor, ResourceScope scope) {
    Shape shape = request.weight().shape();
    int outputs = (int) shape.size(0);
    int channels = (int) shape.size(1);
    int taps = (int) (shape.size(2) * shape.size(3));
    int depth = depth(shape);
    int depthOfBlock = depthOfBlock(depth);
    Object made =
        DenseTensor.allocate(
            scope, DType.FLOAT32, Shape.of(FloatPanels.bytes(depth, outputs) / Float.BYTES));
    if (made instanceof DenseTensor packed) {
      long first = tensor.layout().offset() + request.weight().offset();
      for (int k = 0; k < depth; k += depthOfBlock) {
        int count = Math.min(depthOfBlock, depth - k);
        for (int tap = k / channels; tap <= (k + count - 1) / channels; tap++) {
          int from = Math.max(k, tap * channels);
          int end = Math.min(k + count, (tap + 1) * channels);
          Matrix b =
              new Matrix(
                  tensor.segment(),
                  first + tap + (long) (from - tap * channels) * taps,
                  taps,
                  (long) channels * taps);
          for (int j = 0; j < outputs; j += FloatPanels.WIDTH) {
            long to = FloatPanels.bytes(k, outputs) + FloatPanels.bytes(count, j);
            int width = Math.min(FloatPanels.WIDTH, outputs - j);
            long rows = FloatPanels.bytes(from - k, 1);
            FloatPanels.pack(b, 0, end - from, j, width, packed.segment(), to + rows);
          }
        }
      }
    }
    return made;
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public int columns() {
    return columns;
  }

  @Override
  public int resultRows() {
    return resultRows;
  }

  @Override
  public int resultColumns() {
    return resultColumns;
  }

  @Override
  public @Nullable Fault run(
      ExecutionContext context, MemorySegment image, MemorySegment result, boolean[] finite) {
    int pixels = resultRows * resultColumns;
    int rowsOfBlock = Math.min(ROWS, Math.ceilDiv(pixels, 12) * 12);
    Object made =
        DenseTensor.allocate(
            context.scope(), DType.FLOAT32, Shape.of((long) rowsOfBlock * FloatRows.STRIDE));
    if (!(made instanceof DenseTensor scratch)) {
      return (Fault) made;
    }
    try (scratch) {
      Fault fault = null;
      for (int first = 0; first < pixels && fault == null; first += rowsOfBlock) {
        int end = Math.min(first + rowsOfBlock, pixels);
        for (int k = 0; k < depth && fault == null; k += depthOfBlock) {
          int count = Math.min(depthOfBlock, depth - k);
          fault = pack(context, image, first, end, k, count, scratch.segment());
          fault =
              fault == null
                  ? multiply(context, scratch.segment(), first, end, k, count, result)
                  : fault;
        }
      }
      return fault;
    }
  }

  private @Nullable Fault pack(
      ExecutionContext context,
      MemorySegment image,
      int first,
      int end,
      int k,
      int count,
      MemorySegment into) {
    return context.parallel(
        end - first,
        Math.max(1, (1 << 16) / count),
        (from, to) -> {
          for (int row = (int) from; row < to; row++) {
            int y = (first + row) / resultColumns * vertical.stride();
            int x = (first + row) % resultColumns * horizontal.stride();
            pack(image, y, x, k, count, into, (long) row * FloatRows.STRIDE);
          }
          return context.cancelled();
        });
  }

  /**
   * What the elements {@code k} to {@code k + count} of the kernel meet at a place of the image.
   */
  private void pack(
      MemorySegment image, int y, int x, int k, int count, MemorySegment into, long to) {
    for (int tap = k / channels; tap <= (k + count - 1) / channels; tap++) {
      int from = Math.max(k, tap * channels);
      int end = Math.min(k + count, (tap + 1) * channels);
      long row = y + (long) tap / horizontal.kernel() * vertical.dilation();
      long column = x + (long) tap % horizontal.kernel() * horizontal.dilation();
      long at = (row * columns + column) * channels + from - tap * (long) channels;
      copy(image, at, into, to + from - k, end - from);
    }
  }

  private static void copy(MemorySegment from, long at, MemorySegment into, long to, int count) {
    for (int i = 0; i < count; i += FloatTurning.LANES) {
      FloatVector.fromMemorySegment(SPECIES, from, (at + i) * Float.BYTES, ORDER)
          .intoMemorySegment(into, (to + i) * Float.BYTES, ORDER);
    }
  }

  private @Nullable Fault multiply(
      ExecutionContext context,
      MemorySegment left,
      int first,
      int end,
      int k,
      int count,
      MemorySegment result) {
    Matrix c = new Matrix(result, (long) first * outputs, outputs, 1);
    long each = (long) (end - first) * count * FloatPanels.WIDTH;
    return context.parallel(
        Math.ceilDiv(outputs, FloatPanels.WIDTH),
        Math.max(1, PIECE / each),
        (from, to) -> {
          int j = (int) from * FloatPanels.WIDTH;
          int endColumn = Math.min((int) to * FloatPanels.WIDTH, outputs);
          Part strips = new Part(0, end - first, j, endColumn);
          long at = FloatPanels.bytes(k, outputs) + FloatPanels.bytes(count, j);
          Matrix a = new Matrix(left, 0, FloatRows.STRIDE, 1);
          Matrix before = k == 0 ? null : c;
          return lent.lend(tiles -> {
            tiles.multiply(strips, a, 0, count, weight.segment(), at, before, c, 1, null);
            return context.cancelled();
          });
        });
  }
}
