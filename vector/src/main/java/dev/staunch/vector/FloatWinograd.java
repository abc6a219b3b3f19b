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
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Convolutions of three by three elements in steps of one, by the minimal filtering algorithm
 * F(2x2, 3x3): of two by two pixels at a time, with 16 products in place of 36. Winograd,
 * <i>Arithmetic Complexity of Computations</i>, 1980; Lavin and Gray, <i>Fast Algorithms for
 * Convolutional Neural Networks</i>, 2016.
 *
 * <p>What it gives differs from the exact sums by rounding of the largest products that meet in
 * four by four pixels, where the plain sums differ by those in three by three.
 */
final class FloatWinograd implements PixelSums {
  /** Products of four by four elements, each of which is an element of 16 matrices. */
  private static final int MATRICES = 16;

  /** Elements of all matrices of a block that lie in a cache: 1 MB. */
  private static final int BLOCK = 1 << 18;

  /** Tiles of a block at least, that a panel of the weight is read for. */
  private static final int LEAST_TILES = 48;

  /** Multiplications of a piece that other threads may take. */
  private static final long PIECE = 1 << 23;

  private static final long ROW = FloatRows.STRIDE * (long) Float.BYTES;
  private static final ValueLayout.OfFloat ELEMENT = ValueLayout.JAVA_FLOAT;

  private final int channels;
  private final int outputs;
  private final int tileRows;
  private final int tileColumns;
  private final int tilesOfBlock;

  /** Matrices whose rows stand side by side in one. */
  private final int besides;

  private final DenseTensor weight;
  private final Spares<FloatTiles> lent;

  private FloatWinograd(Convolution.Request request, DenseTensor weight, Spares<FloatTiles> lent) {
    this.lent = lent;
    Shape result = request.result().shape();
    this.weight = weight;
    this.channels = (int) request.input().shape().size(1);
    this.outputs = (int) result.size(1);
    this.tileRows = Math.ceilDiv((int) result.size(2), 2);
    this.tileColumns = Math.ceilDiv((int) result.size(3), 2);
    this.besides = Math.min(MATRICES, FloatRows.DEPTH / channels);
    int tiles = tileRows * tileColumns;
    int most = Math.max(LEAST_TILES, BLOCK / (MATRICES * (channels + outputs)));
    int even = Math.ceilDiv(tiles, Math.max(1, tiles / most));
    this.tilesOfBlock = Math.ceilDiv(even, FloatTiles.MOST_ROWS) * FloatTiles.MOST_ROWS;
  }

  /** Null if it is no such convolution, or there is no memory for the weight in this form. */
  static @Nullable FloatWinograd of(Convolution.Request request, Spares<FloatTiles> lent) {
    Constant constant = request.constant();
    Shape kernel = request.weight().shape();
    if (constant == null
        || !isThree(request.vertical())
        || !isThree(request.horizontal())
        || kernel.size(1) > FloatRows.DEPTH
        || kernel.size(1) < 2L * FloatTurning.LANES) {
      return null;
    }
    DenseTensor packed =
        constant.packed(
            new Format(request.weight()), (tensor, scope) -> pack(request, tensor, scope));
    return packed == null ? null : new FloatWinograd(request, packed, lent);
  }

  private record Format(Layout weight) {}

  private static boolean isThree(Window window) {
    return window.kernel() == 3 && window.stride() == 1 && window.dilation() == 1;
  }

  /**
   * Each element of the 16 matrices as panels of a product's right operand have it. By way of
   * arrays, which are fast before they are compiled, for it runs in a model's first call.
   */
  private static Object pack(Convolution.Request request, DenseTensor tensor, ResourceScope scope) {
    int outputs = (int) request.weight().shape().size(0);
    int channels = (int) request.weight().shape().size(1);
    long bytes = FloatPanels.bytes(channels, outputs);
    Object made =
        DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(MATRICES * bytes / Float.BYTES));
    if (made instanceof DenseTensor packed) {
      long first = tensor.layout().offset() + request.weight().offset();
      float[] filters = new float[channels * 9];
      float[][] panels = new float[MATRICES][channels * FloatPanels.WIDTH];
      for (int output = 0; output < outputs; output++) {
        long at = first + (long) output * filters.length;
        MemorySegment.copy(tensor.segment(), ELEMENT, at * Float.BYTES, filters, 0, filters.length);
        int column = output % FloatPanels.WIDTH;
        for (int channel = 0; channel < channels; channel++) {
          transform(filters, channel * 9, panels, channel * FloatPanels.WIDTH + column);
        }
        if (column == FloatPanels.WIDTH - 1 || output == outputs - 1) {
          long to = FloatPanels.bytes(channels, output - column);
          for (int i = 0; i < MATRICES; i++) {
            MemorySegment.copy(
                panels[i], 0, packed.segment(), ELEMENT, to + i * bytes, panels[i].length);
          }
        }
      }
    }
    return made;
  }

  /**
   * {@code G g Gt}, of a filter at {@code at}; each element to {@code to} of an array of its own.
   */
  private static void transform(float[] filters, int at, float[][] into, int to) {
    for (int row = 0; row < 4; row++) {
      double a = combined(filters[at], filters[at + 3], filters[at + 6], row);
      double b = combined(filters[at + 1], filters[at + 4], filters[at + 7], row);
      double c = combined(filters[at + 2], filters[at + 5], filters[at + 8], row);
      into[4 * row][to] = (float) a;
      into[4 * row + 1][to] = (float) ((a + b + c) / 2);
      into[4 * row + 2][to] = (float) ((a - b + c) / 2);
      into[4 * row + 3][to] = (float) c;
    }
  }

  private static double combined(double a, double b, double c, int row) {
    return switch (row) {
      case 0 -> a;
      case 1 -> (a + b + c) / 2;
      case 2 -> (a - b + c) / 2;
      default -> c;
    };
  }

  @Override
  public int rows() {
    return 2 * tileRows + 2;
  }

  @Override
  public int columns() {
    return 2 * tileColumns + 2;
  }

  @Override
  public int resultRows() {
    return 2 * tileRows;
  }

  @Override
  public int resultColumns() {
    return 2 * tileColumns;
  }

  @Override
  public @Nullable Fault run(
      ExecutionContext context, MemorySegment image, MemorySegment result, boolean[] finite) {
    int tiles = tileRows * tileColumns;
    long size = (long) Math.ceilDiv(MATRICES, besides) * tilesOfBlock * FloatRows.STRIDE;
    long sumsAt = size * Float.BYTES;
    long sumsSize = (long) MATRICES * tilesOfBlock * outputs;
    Object made =
        DenseTensor.allocate(
            context.scope(), DType.FLOAT32, Shape.of(sumsAt / Float.BYTES + sumsSize));
    if (!(made instanceof DenseTensor scratch)) {
      return (Fault) made;
    }
    try (scratch) {
      Fault fault = null;
      for (int tile = 0; tile < tiles && fault == null; tile += tilesOfBlock) {
        int end = Math.min(tile + tilesOfBlock, tiles);
        fault = run(context, image, result, finite, scratch.segment(), sumsAt, tile, end);
      }
      return fault;
    }
  }

  private @Nullable Fault run(
      ExecutionContext context,
      MemorySegment image,
      MemorySegment result,
      boolean[] finite,
      MemorySegment scratch,
      long sumsAt,
      int first,
      int end) {
    long[] places = new long[MATRICES];
    for (int i = 0; i < MATRICES; i++) {
      places[i] = place(i);
    }
    Fault fault =
        context.parallel(
            end - first,
            grain(MATRICES * (channels + outputs)),
            (from, to) -> {
              for (int tile = (int) from; tile < to; tile++) {
                long at = pixel(first + tile, columns()) * channels * Float.BYTES;
                long step = channels * (long) Float.BYTES;
                FloatWinogradTile.spread(
                    image, at, columns() * step, step, channels, scratch, tile * ROW, places);
              }
              return context.cancelled();
            });
    if (fault != null) {
      return fault;
    }
    fault = multiply(context, scratch, sumsAt, end - first);
    if (fault != null) {
      return fault;
    }
    long step = outputs * (long) Float.BYTES;
    return context.parallel(
        end - first,
        grain(MATRICES * (channels + outputs)),
        (from, to) -> {
          for (int tile = (int) from; tile < to; tile++) {
            long at = pixel(first + tile, resultColumns()) * outputs * Float.BYTES;
            boolean whole =
                FloatWinogradTile.gather(
                    scratch,
                    sumsAt + tile * step,
                    tilesOfBlock * step,
                    outputs,
                    result,
                    at,
                    resultColumns() * step,
                    step);
            if (!whole) {
              finite[0] = false;
            }
          }
          return context.cancelled();
        });
  }

  private static long grain(int work) {
    return Math.max(1, (1 << 16) / work);
  }

  /** The tile's first pixel in an image of {@code columns} columns. */
  private long pixel(int tile, int columns) {
    return 2L * (tile / tileColumns) * columns + 2L * (tile % tileColumns);
  }

  /** Where a matrix of a block begins in what was spread, in bytes. */
  private long place(int matrix) {
    return matrix / besides * (tilesOfBlock * ROW)
        + matrix % besides * (channels * (long) Float.BYTES);
  }

  private @Nullable Fault multiply(
      ExecutionContext context, MemorySegment scratch, long sumsAt, int tiles) {
    long each = (long) tiles * channels * outputs;
    long bytes = FloatPanels.bytes(channels, outputs);
    Part all = new Part(0, tiles, 0, outputs);
    return context.parallel(
        MATRICES,
        Math.max(1, PIECE / each),
        (from, to) ->
            lent.lend(rows -> {
              for (int i = (int) from; i < to; i++) {
                Matrix spread = new Matrix(scratch, place(i) / Float.BYTES, FloatRows.STRIDE, 1);
                long at = sumsAt / Float.BYTES + (long) i * tilesOfBlock * outputs;
                Matrix c = new Matrix(scratch, at, outputs, 1);
                rows.multiply(
                    all, spread, 0, channels, weight.segment(), i * bytes, null, c, 1, null);
              }
              return context.cancelled();
            }));
  }
}
