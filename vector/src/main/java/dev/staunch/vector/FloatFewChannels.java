package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.Epilogue;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/**
 * Convolutions of pictures, which have few colour channels, with results whose channels are last.
 * One band of a picture's planes at a time is copied to an array, over which panels of filters
 * slide.
 *
 * @param planes of a band
 * @param rowsOfBand rows of the result per band
 * @param packed the weight in panels
 * @param otherwise computes the same for a mapped file
 */
record FloatFewChannels(
    Request request,
    Planes planes,
    int rowsOfBand,
    DenseTensor packed,
    ScratchPool<FloatTiles> tiles,
    Convolution otherwise)
    implements Convolution {
  /** The most colour channels of a picture. */
  private static final int MOST_CHANNELS = 4;

  /** Elements of a band, if that is enough for two rows of the result. */
  private static final int BAND = 1 << 14;

  /** The most elements of a band: its array is kept. */
  private static final int MOST = 1 << 19;

  /** Multiplications per piece that other threads may take. */
  private static final long PIECE = 1 << 23;

  /** Elements that tiles read beyond the last one. */
  private static final int BEHIND = 2 * FloatPanels.WIDTH;

  /**
   * Returns null if the convolution is of another kind, or there is no memory for the packed
   * weight.
   */
  static @Nullable FloatFewChannels of(
      Request request, Convolution otherwise, ScratchPool<FloatTiles> tiles) {
    Constant constant = request.constant();
    Shape result = request.result().shape();
    if (constant == null
        || !fits(request)
        || result.size(2) < FloatFewChannelsTile.HEIGHT
        || result.size(3) < FloatFewChannelsTile.WIDTH) {
      return null;
    }
    Planes whole = Planes.of(request);
    int rows = rowsOfBand(whole, (int) result.size(2));
    if (rows == 0) {
      return null;
    }
    DenseTensor packed =
        constant.packed(
            new Format(request.weight()), (tensor, scope) -> pack(request, tensor, scope));
    return packed == null
        ? null
        : new FloatFewChannels(request, Planes.of(request, rows), rows, packed, tiles, otherwise);
  }

  /** Whether there are few enough colour channels, and filters in whole panels. */
  static boolean fits(Request request) {
    Shape weight = request.weight().shape();
    return weight.size(1) <= MOST_CHANNELS
        && weight.size(1) * weight.size(2) * weight.size(3) <= FloatRows.DEPTH_OF_PIXELS
        && weight.size(2) * weight.size(3) > 1
        && weight.size(0) % FloatPanels.WIDTH == 0
        && request.groups() == 1
        && FloatTiles.MOST_ROWS >= FloatFewChannelsTile.HEIGHT * FloatFewChannelsTile.WIDTH
        && FloatConvolution.fits(request);
  }

  /** Rows per band: at least two, evenly divided; 0 if a band of two rows is too large. */
  private static int rowsOfBand(Planes whole, int height) {
    long row = whole.channelSize() / whole.height() * whole.channels();
    int overlap = whole.height() - height;
    int most = Math.clamp(BAND / row - overlap, 2, height);
    if ((most + overlap) * row > MOST) {
      return 0;
    }
    return Math.max(2, Math.ceilDiv(height, Math.ceilDiv(height, most)));
  }

  private record Format(Layout weight) {}

  private static Object pack(Request request, DenseTensor tensor, ResourceScope scope) {
    Shape shape = request.weight().shape();
    int outputs = (int) shape.size(0);
    int depth = (int) (shape.elements() / outputs);
    Shape size = Shape.of(FloatPanels.bytes(depth, outputs) / Float.BYTES);
    Object made = DenseTensor.allocate(scope, DType.FLOAT32, size);
    if (made instanceof DenseTensor panels) {
      long first = tensor.layout().offset() + request.weight().offset();
      Matrix filters = new Matrix(tensor.segment(), first, 1, depth);
      FloatPanels.packOnce(filters, 0, depth, 0, outputs, panels.segment(), 0);
    }
    return made;
  }

  @Override
  public @Nullable Fault run(
      ExecutionContext context,
      DenseTensor input,
      DenseTensor weight,
      @Nullable DenseTensor bias,
      DenseTensor result,
      @Nullable Epilogue epilogue) {
    if (input.segment().isMapped()) {
      return otherwise.run(context, input, weight, bias, result, epilogue);
    }
    Finishing finishing =
        epilogue == null ? null : new Finishing(epilogue, result.layout().offset());
    PixelImages into = PixelImages.of(result, request.result());
    float[] starts = into.starts(bias, request.bias());
    int bands = Math.ceilDiv(into.rows(), rowsOfBand);
    long work = (long) into.channels() * planes.offsets().length * rowsOfBand * into.columns();
    return context.parallel(
        (long) into.images() * bands,
        Math.max(1, PIECE / work),
        (first, end) ->
            tiles.lend(own -> {
              float[] band = own.band((int) planes.channelSize() * planes.channels() + BEHIND);
              for (int i = (int) first; i < end; i++) {
                int row = i % bands * rowsOfBand;
                fill(i / bands, row, input, band);
                slide(into, i / bands, row, starts, band, own.sums());
                if (finishing != null) {
                  int below = Math.min(row + rowsOfBand, into.rows());
                  finishing.finish(into, i / bands, row, below);
                }
              }
              return context.cancelled();
            }));
  }

  private void fill(long image, int first, DenseTensor input, float[] into) {
    Layout layout = request.input();
    int rows = (int) layout.shape().size(2);
    int columns = (int) layout.shape().size(3);
    long start = input.layout().offset() + layout.offset() + image * layout.stride(0);
    for (int i = 0; i < planes.channels(); i++) {
      long at = start + i * layout.stride(1);
      Matrix from = new Matrix(input.segment(), at, layout.stride(2), layout.stride(3));
      int to = i * (int) planes.channelSize();
      FloatBand.fill(
          planes, request.vertical(), request.horizontal(), from, rows, columns, first, into, to);
    }
  }

  /** Computes a band. Pixels at the end of a row, or in the last row, may be computed twice. */
  private void slide(
      PixelImages into, int image, int first, float[] starts, float[] band, float[] sums) {
    int rows = Math.min(rowsOfBand, into.rows() - first);
    int width = into.columns();
    int[] offsets = planes.offsets();
    for (int j = 0; j < into.channels(); j += FloatPanels.WIDTH) {
      long panel = FloatPanels.bytes(offsets.length, j);
      for (int i = 0; i < rows; i += FloatFewChannelsTile.HEIGHT) {
        int y = Math.min(i, Math.max(0, rows - FloatFewChannelsTile.HEIGHT));
        int below = Math.min(y + 1, rows - 1);
        long to = into.at(image, first + y) + j;
        long toBelow = into.at(image, first + below) + j;
        for (int k = 0; k < width; k += FloatFewChannelsTile.WIDTH) {
          int x = Math.min(k, width - FloatFewChannelsTile.WIDTH);
          FloatFewChannelsTile.multiply(
              packed.segment(),
              panel,
              band,
              y * planes.width() + x,
              below * planes.width() + x,
              offsets,
              sums);
          long shift = (long) x * into.channels();
          int step = into.channels();
          FloatFewChannelsTile.store(sums, 0, starts, j, into.segment(), to + shift, step);
          FloatFewChannelsTile.store(sums, 1, starts, j, into.segment(), toBelow + shift, step);
        }
      }
    }
  }
}
