package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Convolutions that have the channels last inside: the image is turned so that a pixel's channels
 * lie together, pixels are the rows of products with the weight, and their sums are turned back.
 *
 * @param panels computes the same the other way; stands in where numbers overflow in between
 */
record FloatChannelsLast(Request request, Convolution panels, PixelSums sums)
    implements Convolution {
  /** Elements of a piece that other threads may take. */
  private static final int PIECE = 1 << 15;

  private static final int LANES = FloatTurning.LANES;

  /** In this form if that suits it, else in panels of pixels. */
  static Convolution of(Request request, KernelSet others, Spares<FloatTiles> tiles) {
    Layout input = request.input();
    boolean fits =
        FloatConvolution.fits(request)
            && request.constant() != null
            && request.groups() == 1
            && input.shape().size(1) % LANES == 0
            && request.result().shape().size(1) % LANES == 0
            && input.stride(3) == 1
            && input.stride(2) == input.shape().size(3);
    PixelSums sums = fits ? sums(request, tiles) : null;
    return sums == null
        ? FloatConvolution.of(request, others, tiles)
        : new FloatChannelsLast(
            request, FloatConvolution.of(withoutConstant(request), others, tiles), sums);
  }

  /** So that nothing is packed for what hardly ever runs. */
  private static Request withoutConstant(Request request) {
    return new Request(
        request.dtype(),
        request.input(),
        request.weight(),
        request.bias(),
        request.result(),
        request.vertical(),
        request.horizontal(),
        request.groups(),
        null);
  }

  private static @Nullable PixelSums sums(Request request, Spares<FloatTiles> tiles) {
    PixelSums few = FloatWinograd.of(request, tiles);
    return few == null ? FloatPixelRows.of(request, tiles) : few;
  }

  @Override
  public @Nullable Fault run(
      ExecutionContext context,
      DenseTensor input,
      DenseTensor weight,
      @Nullable DenseTensor bias,
      DenseTensor result) {
    if (input.segment().isMapped()) {
      return panels.run(context, input, weight, bias, result);
    }
    long channels = request.input().shape().size(1);
    long outputs = request.result().shape().size(1);
    long size = sums.rows() * (long) sums.columns() * channels;
    long resultSize = sums.resultRows() * (long) sums.resultColumns() * outputs;
    Object made = DenseTensor.allocate(context.scope(), DType.FLOAT32, Shape.of(size));
    if (!(made instanceof DenseTensor image)) {
      return (Fault) made;
    }
    Object room = DenseTensor.allocate(context.scope(), DType.FLOAT32, Shape.of(resultSize));
    try (image) {
      if (!(room instanceof DenseTensor turned)) {
        return (Fault) room;
      }
      try (turned) {
        return run(context, input, weight, bias, image.segment(), turned.segment(), result);
      }
    }
  }

  private @Nullable Fault run(
      ExecutionContext context,
      DenseTensor input,
      DenseTensor weight,
      @Nullable DenseTensor bias,
      MemorySegment image,
      MemorySegment turned,
      DenseTensor result) {
    float[] added = read(bias);
    boolean[] finite = {true};
    Fault fault = null;
    for (int i = 0; i < request.result().shape().size(0) && fault == null; i++) {
      fault = turn(context, input, i, image);
      fault = fault == null ? sums.run(context, image, turned, finite) : fault;
      fault = fault == null ? turnBack(context, turned, added, result, i) : fault;
    }
    boolean overflowed = fault == null && !finite[0];
    return overflowed ? panels.run(context, input, weight, bias, result) : fault;
  }

  private float[] read(@Nullable DenseTensor bias) {
    float[] elements = new float[(int) request.result().shape().size(1)];
    Layout layout = request.bias();
    if (bias != null && layout != null) {
      long at = bias.layout().offset() + layout.offset();
      for (int i = 0; i < elements.length; i++) {
        elements[i] = bias.segment().getAtIndex(ValueLayout.JAVA_FLOAT, at + i * layout.stride(0));
      }
    }
    return elements;
  }

  private @Nullable Fault turn(
      ExecutionContext context, DenseTensor input, int index, MemorySegment image) {
    Layout layout = request.input();
    int channels = (int) layout.shape().size(1);
    int columns = (int) layout.shape().size(3);
    int pixels = (int) layout.shape().size(2) * columns;
    long first = input.layout().offset() + layout.offset() + index * layout.stride(0);
    Matrix planes = new Matrix(input.segment(), first, layout.stride(1), 1);
    int top = request.vertical().before();
    int left = request.horizontal().before();
    zeroPadding(image, channels, top, (int) layout.shape().size(2), left, columns);
    long to = ((long) top * sums.columns() + left) * channels;
    return context.parallel(
        pixels,
        grain(channels),
        (from, end) -> {
          FloatTurning.pixels(
              planes, (int) from, (int) end, columns, channels, image, to, sums.columns());
          return context.cancelled();
        });
  }

  /** Pixels of a piece, a whole number of vectors. */
  private static long grain(int channels) {
    return Math.ceilDiv(PIECE / channels + 1, LANES) * (long) LANES;
  }

  private void zeroPadding(
      MemorySegment image, int channels, int top, int rows, int left, int columns) {
    int right = sums.columns() - left - columns;
    for (int y = 0; y < sums.rows(); y++) {
      long at = (long) y * sums.columns() * channels;
      if (y < top || y >= top + rows) {
        FloatTurning.zero(image, at, (long) sums.columns() * channels);
      } else {
        FloatTurning.zero(image, at, (long) left * channels);
        long behind = at + (long) (left + columns) * channels;
        FloatTurning.zero(image, behind, (long) right * channels);
      }
    }
  }

  private @Nullable Fault turnBack(
      ExecutionContext context, MemorySegment turned, float[] bias, DenseTensor result, int index) {
    Shape shape = request.result().shape();
    int channels = (int) shape.size(1);
    int columns = (int) shape.size(3);
    int pixels = (int) shape.size(2) * columns;
    long at = result.layout().offset() + request.result().offset();
    Matrix planes = new Matrix(result.segment(), at + (long) index * channels * pixels, pixels, 1);
    return context.parallel(
        pixels,
        grain(channels),
        (from, end) -> {
          FloatTurning.planes(
              turned, sums.resultColumns(), (int) from, (int) end, columns, channels, bias, planes);
          return context.cancelled();
        });
  }
}
