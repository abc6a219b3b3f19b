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
import org.jspecify.annotations.Nullable;

/**
 * A convolution as one matrix product. Each row holds what the kernel covers in the image for one
 * pixel, ordered by kernel element, with all channels of each. The rows of a tile are gathered when
 * it is computed, from the image in place.
 */
final class FloatPixelRows implements PixelSums {
  /** Images with more pixels fill their own panels well enough. */
  private static final int MOST_PIXELS = 256;

  /** Multiplications per piece that other threads may take. */
  private static final long PIECE = 1 << 24;

  /** The fewest multiplications of a product that is divided in two. */
  private static final long HALVED = 1 << 22;

  /** The fewest rows of a piece; with fewer, the weight would be read for too few. */
  private static final int LOWEST = 240;

  /** The fewest columns of a piece; with fewer, rows would be gathered for too few. */
  private static final int NARROWEST = 4 * FloatPanels.WIDTH;

  /**
   * The size in bytes from which a weight does not fit in a level-2 cache beside images and other
   * weights.
   */
  static final long FAR = 1 << 20;

  /** Bytes of panels that are multiplied by a tile's rows one after another. */
  private static final long PANELS = 1 << 19;

  /** Pixels that are multiplied by one panel of the weight before the next. */
  private static final int FEW = FloatTiles.FEW_TILES * FloatTiles.MOST_ROWS;

  /** Bytes of a weight that a level-1 cache holds. */
  private static final long NEAREST = 1 << 15;

  /** Rows that are finished together, while they are still in a near cache. */
  private static final int NEAR = 4 * FloatTiles.MOST_ROWS;

  private final FloatPixelGather gather;
  private final int outputs;
  private final int depth;
  private final int depthOfBlock;
  private final boolean isProduct;

  /** Whether a block is one element of the kernel, or a part of it, and may meet only padding. */
  private final boolean isPadded;

  private final DenseTensor weight;

  /** Whether the weight is too large to stay in the cache from one run to the next. */
  private final boolean isFar;

  private final ScratchPool<FloatTiles> lent;

  private FloatPixelRows(
      Convolution.Request request, DenseTensor weight, ScratchPool<FloatTiles> lent) {
    this.lent = lent;
    int channels = (int) request.input().shape().size(1);
    this.gather = new FloatPixelGather(request.vertical(), request.horizontal(), channels);
    this.outputs = (int) request.result().shape().size(1);
    this.depth = depth(request.weight().shape());
    this.depthOfBlock = depthOfBlock(depth);
    this.isProduct = request.vertical().isPoint() && request.horizontal().isPoint();
    this.isPadded =
        channels % depthOfBlock == 0
            && (isPadded(request.vertical()) || isPadded(request.horizontal()));
    this.weight = weight;
    this.isFar = weight.segment().byteSize() >= FAR;
  }

  private static boolean isPadded(Window window) {
    return window.before() > 0 || window.after() > 0;
  }

  private static int depth(Shape weight) {
    return (int) (weight.size(1) * weight.size(2) * weight.size(3));
  }

  /** The depth of a block, a whole number of vectors. */
  private static int depthOfBlock(int depth) {
    int vectors = Math.ceilDiv(depth, FloatTurning.LANES);
    int most = FloatRows.DEPTH_OF_PIXELS / FloatTurning.LANES;
    return Math.ceilDiv(vectors, Math.ceilDiv(vectors, most)) * FloatTurning.LANES;
  }

  /**
   * Whether to transpose an image in planes for this kernel rather than read it in panels of
   * pixels, because a few pixels would leave panels partly idle.
   */
  static boolean suitsPlanes(Convolution.Request request) {
    Shape result = request.result().shape();
    long pixels = result.size(2) * result.size(3);
    boolean point = request.vertical().kernel() == 1 && request.horizontal().kernel() == 1;
    return pixels <= MOST_PIXELS && !(point && fillsPanels(pixels));
  }

  /** Whether panels of pixels would be idle for less time than transposing the image takes. */
  private static boolean fillsPanels(long pixels) {
    int half = FloatPanels.WIDTH / 2;
    return Math.ceilDiv(pixels, half) * half <= pixels + pixels / 16;
  }

  /** Returns null if there is no memory for the packed weight. */
  static @Nullable FloatPixelRows of(
      Convolution.Request request, Constant constant, ScratchPool<FloatTiles> lent) {
    DenseTensor packed =
        constant.packed(
            new Format(request.weight()), (tensor, scope) -> pack(request, tensor, scope));
    return packed == null ? null : new FloatPixelRows(request, packed, lent);
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
            FloatPanels.packOnce(b, 0, end - from, j, width, packed.segment(), to + rows);
          }
        }
      }
    }
    return made;
  }

  @Override
  public @Nullable Fault run(
      ExecutionContext context,
      PixelImages image,
      Matrix bias,
      PixelImages result,
      boolean[] finite,
      @Nullable Finishing finishing) {
    int pixels = result.pixels();
    int height = part(PIECE / ((long) outputs * depth), FloatTiles.MOST_ROWS, LOWEST, pixels);
    int width = part(PIECE / ((long) height * depth), FloatPanels.WIDTH, NARROWEST, outputs);
    if (height == pixels && width == outputs && (long) pixels * outputs * depth >= HALVED) {
      height = pixels < LOWEST ? pixels : half(pixels, FloatTiles.MOST_ROWS);
      width = pixels < LOWEST ? Math.max(half(outputs, FloatPanels.WIDTH), NARROWEST) : outputs;
    }
    EvenCut across = EvenCut.of(outputs, FloatPanels.WIDTH, width);
    EvenCut down = EvenCut.of(pixels, FloatTiles.MOST_ROWS, height);
    return inPieces(context, down, across, image, bias, result, finishing);
  }

  /** Half of {@code all}, in units of {@code step}, rounded up. */
  private static int half(int all, int step) {
    return Math.ceilDiv(Math.ceilDiv(all, 2), step) * step;
  }

  private @Nullable Fault inPieces(
      ExecutionContext context,
      EvenCut down,
      EvenCut across,
      PixelImages image,
      Matrix bias,
      PixelImages result,
      @Nullable Finishing finishing) {
    return context.parallel(
        (long) across.count() * down.count(),
        1,
        (first, end) -> {
          int row = (int) (first / across.count());
          int column = (int) (first % across.count());
          Part part =
              new Part(
                  down.begin(row),
                  down.begin(row + 1),
                  across.begin(column),
                  across.begin(column + 1));
          return lent.lend(tiles -> {
            if (part.rows() <= FEW && weight.segment().byteSize() > NEAREST) {
              multiplyFew(context, part, image, bias, result, tiles, finishing);
            } else {
              multiply(context, part, image, bias, result, tiles, finishing);
            }
            return context.cancelled();
          });
        });
  }

  /**
   * About {@code wanted}, as a multiple of {@code step}, but at least {@code least} and at most
   * {@code all}.
   */
  private static int part(long wanted, int step, int least, int all) {
    return (int) Math.min(Math.max(wanted / step * step, least), all);
  }

  /**
   * Like {@link #multiply}, for few pixels, which stay in the cache while the weight streams by. If
   * a block is an element of the kernel, only pixels for which that is not padding meet it; one
   * that meets all of them comes first and leaves their sums in the result.
   */
  private void multiplyFew(
      ExecutionContext context,
      Part part,
      PixelImages image,
      Matrix bias,
      PixelImages result,
      FloatTiles tiles,
      @Nullable Finishing finishing) {
    Matrix c = result.matrix();
    MemorySegment panels = weight.segment();
    int whole = isPadded ? wholeBlock(part, image, result) : -1;
    int[] pixels = whole < 0 ? null : new int[part.rows()];
    int first = Math.max(0, whole);
    int blocks = Math.ceilDiv(depth, depthOfBlock);
    long firstPanel = FloatPanels.bytes(Math.min(depthOfBlock, depth), 1);
    tiles.bringNear(panels, panelsAt(inTurn(0, first), part), firstPanel);
    for (int block = 0; block < blocks; block++) {
      if (block > 0 && context.cancelled() != null) {
        return;
      }
      int k = inTurn(block, first);
      int count = Math.min(depthOfBlock, depth - k);
      Part met = part;
      if (pixels != null) {
        int rows = gather.inside(image, result, part.firstRow(), part.endRow(), k, pixels);
        gather.rows(image, result, pixels, rows, k, count, tiles.packed());
        met = new Part(0, rows, part.firstColumn(), part.endColumn());
      } else if (isProduct) {
        tiles.pack(image.matrix(), part.firstRow(), part.rows(), k, count);
      } else {
        gather.rows(image, result, part.firstRow(), part.rows(), k, count, tiles.packed());
      }
      long next = block + 1 < blocks ? panelsAt(inTurn(block + 1, first), part) : -1;
      Matrix before = block == 0 ? bias : c;
      tiles.multiplyFew(met, pixels, count, panels, panelsAt(k, part), next, before, c, 1);
    }
    if (finishing != null) {
      finishing.finish(part, c);
    }
  }

  /**
   * The number of the first block that meets padding for none of the pixels; -1 if there is none.
   */
  private int wholeBlock(Part part, PixelImages image, PixelImages result) {
    int[] pixels = new int[part.rows()];
    for (int k = 0; k < depth; k += depthOfBlock) {
      if (gather.inside(image, result, part.firstRow(), part.endRow(), k, pixels) == part.rows()) {
        return k / depthOfBlock;
      }
    }
    return -1;
  }

  /** Where the block begins that comes after {@code number} others, if block {@code first} does. */
  private int inTurn(int number, int first) {
    int block = number == 0 ? first : number <= first ? number - 1 : number;
    return block * depthOfBlock;
  }

  /**
   * Where the panels of a part's columns begin in the weight, for the block that begins at {@code
   * k}.
   */
  private long panelsAt(int k, Part part) {
    int count = Math.min(depthOfBlock, depth - k);
    return FloatPanels.bytes(k, outputs) + FloatPanels.bytes(count, part.firstColumn());
  }

  private void multiply(
      ExecutionContext context,
      Part part,
      PixelImages image,
      Matrix bias,
      PixelImages result,
      FloatTiles tiles,
      @Nullable Finishing finishing) {
    Matrix c = result.matrix();
    Matrix pixels = image.matrix();
    int group = (int) Math.max(1, PANELS / FloatPanels.bytes(depthOfBlock, 1)) * FloatPanels.WIDTH;
    for (int j = part.firstColumn(); j < part.endColumn(); j += group) {
      int end = Math.min(j + group, part.endColumn());
      Part block = new Part(part.firstRow(), part.endRow(), j, end);
      for (int k = 0; k < depth; k += depthOfBlock) {
        if (k > 0 && context.cancelled() != null) {
          return;
        }
        int count = Math.min(depthOfBlock, depth - k);
        long at = FloatPanels.bytes(k, outputs) + FloatPanels.bytes(count, j);
        Matrix before = k == 0 ? bias : c;
        MemorySegment panels = weight.segment();
        if (isFar) {
          tiles.bringNear(panels, at, FloatPanels.bytes(count, end - j));
        }
        Finishing last = k + count == depth ? finishing : null;
        if (!isProduct) {
          multiply(block, image, result, k, count, panels, at, before, tiles, last);
        } else if (last == null) {
          tiles.multiply(block, pixels, k, count, panels, at, before, c, 1, null);
        } else {
          int rows;
          for (int row = block.firstRow(); row < block.endRow(); row += rows) {
            int left = block.endRow() - row;
            rows = left < NEAR + 2 * FloatTiles.MOST_ROWS ? left : NEAR;
            Part near = new Part(row, row + rows, j, end);
            tiles.multiply(near, pixels, k, count, panels, at, before, c, 1, null);
            last.finish(near, c);
          }
        }
      }
    }
  }

  private void multiply(
      Part block,
      PixelImages image,
      PixelImages result,
      int k,
      int count,
      MemorySegment panels,
      long at,
      Matrix before,
      FloatTiles tiles,
      @Nullable Finishing finishing) {
    Matrix c = result.matrix();
    int height;
    for (int row = block.firstRow(); row < block.endRow(); row += height) {
      height = FloatTiles.height(block.endRow() - row);
      gather.rows(image, result, row, height, k, count, tiles.rows());
      tiles.multiplyRows(row, height, block, count, panels, at, before, c, 1, null);
      if (finishing != null) {
        finishing.finish(new Part(row, row + height, block.firstColumn(), block.endColumn()), c);
      }
    }
  }
}
