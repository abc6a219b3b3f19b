package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.Epilogue;
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
 * Convolutions of images with channels last: pixels are the rows of matrix products with the
 * weight. An image in planes is transposed before, and a result in planes is transposed afterwards.
 *
 * @param panels computes the same in panels of pixels; used if intermediate values overflow
 */
record FloatChannelsLast(Request request, Convolution panels, PixelSums sums)
    implements Convolution {
  /** Elements per piece that other threads may take. */
  private static final int PIECE = 1 << 15;

  private static final int LANES = FloatTurning.LANES;
  private static final ValueLayout.OfFloat ELEMENT = ValueLayout.JAVA_FLOAT;

  /** Returns this form if it suits the request, otherwise a convolution in panels of pixels. */
  static Convolution of(Request request, KernelSet others, ScratchPool<FloatTiles> tiles) {
    if (isTurned(request.result())) {
      Convolution otherwise = inPanels(withoutConstant(request), others, tiles);
      Convolution fewChannels = FloatFewChannels.of(request, otherwise, tiles);
      if (fewChannels != null) {
        return fewChannels;
      }
    }
    PixelSums sums = fits(request) ? sums(request, tiles) : null;
    return sums == null
        ? inPanels(request, others, tiles)
        : new FloatChannelsLast(request, inPanels(withoutConstant(request), others, tiles), sums);
  }

  private static Convolution inPanels(
      Request request, KernelSet others, ScratchPool<FloatTiles> tiles) {
    return request.result().isContiguous()
        ? FloatConvolution.of(request, others, tiles)
        : Convolution.byRowMajor(request, each -> FloatConvolution.of(each, others, tiles));
  }

  /** Removes the constant, so that no weight is packed for a convolution that hardly ever runs. */
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

  private static boolean fits(Request request) {
    Layout input = request.input();
    boolean inPlanes = input.stride(3) == 1 && input.stride(2) == input.shape().size(3);
    boolean back = request.result().shape().size(1) % LANES == 0;
    return FloatConvolution.fits(request)
        && (request.groups() == 1 || FloatGroupRows.fits(request))
        && (input.isChannelsLast() || inPlanes)
        && (request.result().isChannelsLast() || back);
  }

  private static @Nullable PixelSums sums(Request request, ScratchPool<FloatTiles> tiles) {
    Constant constant = request.constant();
    if (constant == null) {
      return null;
    }
    boolean last = isTurned(request.input()) || isTurned(request.result());
    if (request.groups() > 1) {
      return last ? FloatGroupRows.of(request, constant, tiles) : null;
    }
    PixelSums few = FloatWinograd.of(request, constant, tiles);
    if (few != null) {
      return few;
    }
    boolean suits =
        request.input().shape().size(1) % LANES == 0 && FloatPixelRows.suitsPlanes(request);
    return last || suits ? FloatPixelRows.of(request, constant, tiles) : null;
  }

  private static boolean isTurned(Layout layout) {
    return layout.isChannelsLast() && !layout.isContiguous();
  }

  /** Whether this is faster when both image and result have their channels last. */
  static boolean prefers(Request request) {
    long channels = request.input().shape().size(1);
    long outputs = request.result().shape().size(1);
    boolean inVectors = channels % (LANES / 2) == 0 && outputs >= LANES;
    return request.constant() != null
        && (request.groups() == 1
            ? inVectors || FloatFewChannels.fits(request)
            : inVectors && FloatGroupRows.fits(request))
        && FloatConvolution.fits(request);
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
      return panels.run(context, input, weight, bias, result, epilogue);
    }
    Shape image = request.input().shape();
    Shape made = request.result().shape();
    boolean turns = !request.input().isChannelsLast();
    boolean turnsBack = !request.result().isChannelsLast();
    long size = turns ? image.elements() / image.size(0) : 0;
    long resultSize = turnsBack ? made.elements() / made.size(0) : 0;
    long outputs = Math.ceilDiv(made.size(1), LANES) * (long) LANES;
    Object room =
        DenseTensor.allocate(context.scope(), DType.FLOAT32, Shape.of(outputs + size + resultSize));
    if (!(room instanceof DenseTensor scratch)) {
      return (Fault) room;
    }
    try (scratch) {
      MemorySegment own = scratch.segment();
      read(bias, own);
      PixelImages from =
          turns ? PixelImages.of(own, outputs, image) : PixelImages.of(input, request.input());
      PixelImages into =
          turnsBack
              ? PixelImages.of(own, outputs + size, made)
              : PixelImages.of(result, request.result());
      boolean[] finite = {true};
      Matrix starts = new Matrix(own, 0, 0, 1);
      Finishing finishing =
          epilogue == null || turnsBack ? null : new Finishing(epilogue, result.layout().offset());
      Fault fault =
          turns || turnsBack
              ? oneByOne(context, input, from, starts, into, result, finite, finishing)
              : sums.run(context, from, starts, into, finite, finishing);
      if (fault == null && !finite[0]) { // compute everything again, finished or not
        return panels.run(context, input, weight, bias, result, epilogue);
      }
      return fault == null && epilogue != null && turnsBack
          ? epilogue.finishAll(context, result.elements())
          : fault;
    }
  }

  /** Reads the bias, or zeros if there is none. */
  private void read(@Nullable DenseTensor bias, MemorySegment into) {
    Layout layout = request.bias();
    int count = (int) request.result().shape().size(1);
    if (bias == null || layout == null) {
      into.asSlice(0, count * (long) Float.BYTES).fill((byte) 0);
      return;
    }
    long at = bias.layout().offset() + layout.offset();
    for (int i = 0; i < count; i++) {
      float element = bias.segment().getAtIndex(ELEMENT, at + i * layout.stride(0));
      into.setAtIndex(ELEMENT, i, element);
    }
  }

  /**
   * Runs image by image, and transposes each where necessary.
   *
   * @param from all images, or room for one
   */
  private @Nullable Fault oneByOne(
      ExecutionContext context,
      DenseTensor input,
      PixelImages from,
      Matrix bias,
      PixelImages into,
      DenseTensor result,
      boolean[] finite,
      @Nullable Finishing finishing) {
    boolean turns = !request.input().isChannelsLast();
    boolean turnsBack = !request.result().isChannelsLast();
    Fault fault = null;
    for (int i = 0; i < request.result().shape().size(0) && fault == null; i++) {
      PixelImages image = from.only(turns ? 0 : i);
      PixelImages sum = into.only(turnsBack ? 0 : i);
      fault = turns ? turn(context, input, i, image) : null;
      fault = fault == null ? sums.run(context, image, bias, sum, finite, finishing) : fault;
      fault = fault == null && turnsBack ? turnBack(context, sum, result, i) : fault;
    }
    return fault;
  }

  private @Nullable Fault turn(
      ExecutionContext context, DenseTensor input, int index, PixelImages image) {
    Layout layout = request.input();
    long first = input.layout().offset() + layout.offset() + index * layout.stride(0);
    Matrix planes = new Matrix(input.segment(), first, layout.stride(1), 1);
    int channels = image.channels();
    return context.parallel(
        image.pixels(),
        grain(channels),
        (from, end) -> {
          FloatTurning.pixels(planes, (int) from, (int) end, channels, image.segment(), image.at());
          return context.cancelled();
        });
  }

  /** Pixels per piece, a whole number of vectors. */
  private static long grain(int channels) {
    return Math.ceilDiv(PIECE / channels + 1, LANES) * (long) LANES;
  }

  private @Nullable Fault turnBack(
      ExecutionContext context, PixelImages sum, DenseTensor result, int index) {
    int channels = sum.channels();
    int pixels = sum.pixels();
    long at = result.layout().offset() + request.result().offset();
    Matrix planes = new Matrix(result.segment(), at + (long) index * channels * pixels, pixels, 1);
    return context.parallel(
        pixels,
        grain(channels),
        (from, end) -> {
          FloatTurning.planes(sum.segment(), sum.at(), (int) from, (int) end, channels, planes);
          return context.cancelled();
        });
  }
}
