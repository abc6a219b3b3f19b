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
 * Convolutions of 3 x 3 elements with a stride of one, by the minimal filtering algorithm F(2x2,
 * 3x3): 2 x 2 pixels at a time, with 16 products instead of 36. Winograd, <i>Arithmetic Complexity
 * of Computations</i>, 1980; Lavin and Gray, <i>Fast Algorithms for Convolutional Neural
 * Networks</i>, 2016.
 *
 * <p>The result differs from the exact sums by the rounding of the largest products in 4 x 4
 * pixels, whereas plain sums differ by that of the largest products in 3 x 3.
 */
final class FloatWinograd implements PixelSums {
  /** The elements of a 4 x 4 product; each belongs to one of 16 matrices. */
  private static final int MATRICES = 16;

  /** Elements of all matrices of a block that fit in a cache: 1 MB. */
  private static final int BLOCK = 1 << 18;

  /** The fewest tiles of a block for which a panel of the weight is read. */
  private static final int LEAST_TILES = 48;

  /** Multiplications per piece that other threads may take. */
  private static final long PIECE = 1 << 23;

  /** How many products take as long as reading an element of the weight from memory. */
  private static final int ELEMENT_READ = 45;

  private static final ValueLayout.OfFloat ELEMENT = ValueLayout.JAVA_FLOAT;

  private final Window vertical;
  private final Window horizontal;
  private final int channels;
  private final int outputs;

  /** How many matrices are stored side by side in the rows of one. */
  private final int besides;

  private final DenseTensor weight;
  private final boolean isFar;
  private final ScratchPool<FloatTiles> lent;

  private FloatWinograd(
      Convolution.Request request, DenseTensor weight, ScratchPool<FloatTiles> lent) {
    this.lent = lent;
    this.weight = weight;
    this.isFar = weight.segment().byteSize() > FloatPixelRows.FAR;
    this.vertical = request.vertical();
    this.horizontal = request.horizontal();
    this.channels = (int) request.input().shape().size(1);
    this.outputs = (int) request.result().shape().size(1);
    this.besides = Math.min(MATRICES, FloatRows.DEPTH / channels);
  }

  /**
   * Returns null if the convolution is of another kind, or there is no memory for the packed
   * weight.
   */
  static @Nullable FloatWinograd of(
      Convolution.Request request, Constant constant, ScratchPool<FloatTiles> lent) {
    Shape kernel = request.weight().shape();
    if (!isThree(request.vertical())
        || !isThree(request.horizontal())
        || kernel.size(1) > FloatRows.DEPTH_OF_PIXELS
        || kernel.size(1) < 2L * FloatTurning.LANES
        || kernel.size(1) % FloatTurning.LANES != 0
        || kernel.size(0) % FloatTurning.LANES != 0
        || !pays(request.result().shape())) {
      return null;
    }
    DenseTensor packed =
        constant.packed(
            new Format(request.weight()), (tensor, scope) -> pack(request, tensor, scope));
    return packed == null ? null : new FloatWinograd(request, packed, lent);
  }

  /** Whether fewer products outweigh the larger weight, which must be read even for few pixels. */
  private static boolean pays(Shape result) {
    long images = result.size(0);
    long tiles = images * Math.ceilDiv(result.size(2), 2) * Math.ceilDiv(result.size(3), 2);
    long pixels = images * result.size(2) * result.size(3);
    return MATRICES * (tiles + ELEMENT_READ) <= 9 * (pixels + ELEMENT_READ);
  }

  private record Format(Layout weight) {}

  private static boolean isThree(Window window) {
    return window.kernel() == 3 && window.stride() == 1 && window.dilation() == 1;
  }

  /**
   * Packs each of the 16 matrices as panels of a product's right operand. Uses arrays, which are
   * fast even before they are compiled, because this runs in a model's first call.
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
   * Computes {@code G g Gt} for the filter at {@code at}; stores each element at {@code to} in a
   * separate array.
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
  public @Nullable Fault run(
      ExecutionContext context,
      PixelImages image,
      Matrix bias,
      PixelImages result,
      boolean[] finite,
      @Nullable Finishing finishing) {
    int tileColumns = Math.ceilDiv(result.columns(), 2);
    int tilesOfImage = Math.ceilDiv(result.rows(), 2) * tileColumns;
    int tiles = tilesOfImage * result.images();
    int most = Math.max(LEAST_TILES, BLOCK / (MATRICES * (channels + outputs)));
    int even = Math.ceilDiv(tiles, Math.max(1, tiles / most));
    int groups = Math.ceilDiv(even, FloatTiles.MOST_ROWS);
    Block block = new Block(groups * FloatTiles.MOST_ROWS);
    int blocks = Math.ceilDiv(tiles, block.tiles);
    boolean several = blocks > 1;
    return context.parallel(
        blocks,
        1,
        (from, to) ->
            lent.lend(own -> {
              float[] scratch = own.band(block.size());
              Fault fault = null;
              for (int i = (int) from; i < to && fault == null; i++) {
                int tile = i * block.tiles;
                int count = Math.min(block.tiles, tiles - tile);
                Tiles some = new Tiles(tile, count, tileColumns, tilesOfImage);
                Stage stage = new Stage(context, several);
                fault = spread(stage, image, some, block, scratch);
                fault = fault == null ? multiply(stage, block, scratch, count) : fault;
                fault =
                    fault == null
                        ? gather(stage, block, scratch, some, bias, result, finite, finishing)
                        : fault;
              }
              return fault;
            }));
  }

  /**
   * One of the three steps that the tiles of a block go through.
   *
   * @param isPart whether this is one of several blocks, each taken whole by a thread: if threads
   *     shared each stage, they would wait for each other three times per block
   */
  private record Stage(ExecutionContext context, boolean isPart) {

    @Nullable Fault run(long range, long grain, ExecutionContext.Piece work) {
      return isPart ? work.run(0, range) : context.parallel(range, grain, work);
    }
  }

  /** Tiles of 2 x 2 pixels, image after image, row by row. */
  private record Tiles(int first, int count, int columns, int ofImage) {
    int image(int i) {
      return (first + i) / ofImage;
    }

    int row(int i) {
      return (first + i) % ofImage / columns * 2;
    }

    int column(int i) {
      return (first + i) % ofImage % columns * 2;
    }
  }

  /** The layout of some tiles' elements in scratch: first the factors, then the sums. */
  private final class Block {
    final int tiles;
    final int[] places = new int[MATRICES];
    final int panelStep = FloatTiles.MOST_ROWS * FloatPanels.WIDTH;
    final int groupStep = Math.ceilDiv(outputs, FloatPanels.WIDTH) * panelStep;
    final int sums;

    /**
     * The step from matrix to matrix of the sums: not a power of two, so that they do not share a
     * cache set.
     */
    final int sumsStep;

    Block(int tiles) {
      this.tiles = tiles;
      for (int i = 0; i < MATRICES; i++) {
        places[i] = i / besides * tiles * FloatRows.STRIDE + i % besides * channels;
      }
      this.sums = Math.ceilDiv(MATRICES, besides) * tiles * FloatRows.STRIDE;
      this.sumsStep = tiles / FloatTiles.MOST_ROWS * groupStep + FloatTurning.LANES;
    }

    int size() {
      return sums + MATRICES * sumsStep;
    }

    /** The position of a tile's sums in the first matrix. */
    int sumsOf(int tile) {
      return sums
          + tile / FloatTiles.MOST_ROWS * groupStep
          + tile % FloatTiles.MOST_ROWS * FloatPanels.WIDTH;
    }
  }

  private static long grain(int work) {
    return Math.max(1, (1 << 16) / work);
  }

  private @Nullable Fault spread(
      Stage stage, PixelImages image, Tiles tiles, Block block, float[] scratch) {
    long column = channels * (long) Float.BYTES;
    long row = image.columns() * column;
    return stage.run(
        tiles.count,
        grain(MATRICES * (channels + outputs)),
        (first, end) -> {
          Object made = patch(stage.context, MATRICES * channels);
          if (!(made instanceof DenseTensor patch)) {
            return (Fault) made;
          }
          try (patch) {
            for (int i = (int) first; i < end; i++) {
              int y = tiles.row(i) - vertical.before();
              int x = tiles.column(i) - horizontal.before();
              int to = i * FloatRows.STRIDE;
              if (y >= 0 && x >= 0 && y + 4 <= image.rows() && x + 4 <= image.columns()) {
                long at = image.at(tiles.image(i), y) * Float.BYTES + x * column;
                FloatWinogradTile.spread(
                    image.segment(), at, row, column, channels, scratch, to, block.places);
              } else {
                MemorySegment copy = patch.segment();
                FloatWinogradPatch.read(image, tiles.image(i), y, x, copy);
                FloatWinogradTile.spread(
                    copy, 0, 4 * column, column, channels, scratch, to, block.places);
              }
            }
          }
          return stage.context.cancelled();
        });
  }

  /** Makes room for the pixels at an edge of the image, including those outside it. */
  private static Object patch(ExecutionContext context, int elements) {
    return DenseTensor.allocate(context.scope(), DType.FLOAT32, Shape.of(elements));
  }

  private @Nullable Fault multiply(Stage stage, Block block, float[] scratch, int tiles) {
    long each = (long) tiles * channels * outputs;
    long matrix = FloatPanels.bytes(channels, outputs);
    return stage.run(
        MATRICES,
        Math.max(1, PIECE / each),
        (from, to) ->
            lent.lend(own -> {
              for (int i = (int) from; i < to; i++) {
                if (isFar) {
                  own.bringNear(weight.segment(), i * matrix, matrix);
                }
                multiply(block, scratch, tiles, i);
              }
              return stage.context.cancelled();
            }));
  }

  /** Multiplies one matrix's elements of all tiles. */
  private void multiply(Block block, float[] scratch, int tiles, int matrix) {
    long panel = FloatPanels.bytes(channels, FloatPanels.WIDTH);
    for (int row = 0; row < tiles; row += FloatTiles.MOST_ROWS) {
      int height = Math.min(FloatTiles.MOST_ROWS, tiles - row);
      int left = block.places[matrix] + row * FloatRows.STRIDE;
      int sums = block.sumsOf(row) + matrix * block.sumsStep;
      long at = matrix * FloatPanels.bytes(channels, outputs);
      for (int j = 0; j < outputs; j += FloatPanels.WIDTH) {
        int columns = outputs - j;
        FloatTiles.sum(
            scratch, left, height, weight.segment(), at, channels, columns, scratch, sums);
        at += panel;
        sums += block.panelStep;
      }
    }
  }

  private @Nullable Fault gather(
      Stage stage,
      Block block,
      float[] scratch,
      Tiles tiles,
      Matrix bias,
      PixelImages result,
      boolean[] finite,
      @Nullable Finishing finishing) {
    long column = outputs * (long) Float.BYTES;
    long row = result.columns() * column;
    long biasAt = bias.offset() * Float.BYTES;
    return stage.run(
        tiles.count,
        grain(MATRICES * (channels + outputs)),
        (first, end) -> {
          Object made = patch(stage.context, 4 * outputs);
          if (!(made instanceof DenseTensor patch)) {
            return (Fault) made;
          }
          try (patch) {
            int finished = (int) first;
            for (int i = (int) first; i < end; i++) {
              int y = tiles.row(i);
              int x = tiles.column(i);
              boolean inside = y + 2 <= result.rows() && x + 2 <= result.columns();
              boolean whole =
                  FloatWinogradTile.gather(
                      scratch,
                      block.sumsOf(i),
                      block.sumsStep,
                      block.panelStep,
                      outputs,
                      bias.segment(),
                      biasAt,
                      inside ? result.segment() : patch.segment(),
                      inside ? result.at(tiles.image(i), y) * Float.BYTES + x * column : 0,
                      inside ? row : 2 * column,
                      column);
              if (!whole) {
                finite[0] = false;
              }
              if (!inside) {
                FloatWinogradPatch.write(patch.segment(), result, tiles.image(i), y, x);
              }
              if (finishing != null && (i + 1 == end || x + 2 >= result.columns())) {
                finish(finishing, tiles, finished, i, result);
                finished = i + 1;
              }
            }
          }
          return stage.context.cancelled();
        });
  }

  /** Finishes the pixels of some tiles of one row, the last of which is tile {@code last}. */
  private static void finish(
      Finishing finishing, Tiles tiles, int first, int last, PixelImages result) {
    int image = tiles.image(last);
    int row = tiles.row(last);
    int from = tiles.column(first);
    int end = Math.min(tiles.column(last) + 2, result.columns());
    finishing.finish(result, image, row, from, end);
    if (row + 1 < result.rows()) {
      finishing.finish(result, image, row + 1, from, end);
    }
  }
}
