package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.Window;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Depthwise convolutions with kernels of 3 x 3 elements, one per channel: computed channel by
 * channel, in {@link FloatStrips}, from the image in place.
 */
record FloatDepthwise(Request request, KernelSet others) implements Convolution.Whole {
  /** Elements of channels per piece. */
  private static final long PIECE = 1 << 16;

  private static final int TAPS = 9;
  private static final ValueLayout.OfFloat ELEMENT = ValueLayout.JAVA_FLOAT;

  /** Whether this kernel can read the operands. */
  static boolean fits(Request request) {
    Window down = request.vertical();
    Window across = request.horizontal();
    Shape weight = request.weight().shape();
    return FloatConvolution.fits(request)
        && weight.size(0) == request.groups()
        && weight.size(1) == 1
        && isThree(down)
        && isThree(across)
        && down.stride() == across.stride()
        && request.input().stride(3) == 1;
  }

  private static boolean isThree(Window window) {
    return window.kernel() == 3
        && window.dilation() == 1
        && window.stride() <= 2
        && window.before() <= FloatStrips.MOST_BEFORE;
  }

  @Override
  public @Nullable Fault compute(
      ExecutionContext context,
      DenseTensor input,
      DenseTensor weight,
      @Nullable DenseTensor bias,
      DenseTensor result) {
    if (input.segment().isMapped() || weight.segment().isMapped()) {
      return others.convolution(request).run(context, input, weight, bias, result);
    }
    Shape shape = request.result().shape();
    return context.parallel(
        shape.size(0) * shape.size(1),
        Math.max(1, PIECE / (shape.size(2) * shape.size(3))),
        (first, end) -> {
          FloatStrips any = strips(new float[TAPS], 0);
          Shape size = Shape.of(any.room() + any.resultRoom());
          Object made = DenseTensor.allocate(context.scope(), DType.FLOAT32, size);
          if (!(made instanceof DenseTensor scratch)) {
            return (Fault) made;
          }
          try (scratch) {
            for (long plane = first; plane < end; plane++) {
              slide(plane, input, weight, bias, result, scratch.segment());
            }
          }
          return context.cancelled();
        });
  }

  private FloatStrips strips(float[] kernel, float bias) {
    Shape image = request.input().shape();
    Shape result = request.result().shape();
    return new FloatStrips(
        (int) image.size(2),
        (int) image.size(3),
        request.vertical(),
        request.horizontal(),
        (int) result.size(2),
        (int) result.size(3),
        kernel,
        bias);
  }

  /**
   * Convolves one channel of one image.
   *
   * @param scratch room for the channel, if its neighbours in memory must not be read, followed by
   *     room for its result, if more than that would be written
   */
  private void slide(
      long plane,
      DenseTensor input,
      DenseTensor weight,
      @Nullable DenseTensor bias,
      DenseTensor result,
      MemorySegment scratch) {
    Layout from = request.input();
    Shape size = request.result().shape();
    long pixels = size.size(2) * size.size(3);
    long channel = plane % size.size(1);
    float[] kernel = new float[TAPS];
    long kernelAt = start(weight, request.weight()) + channel * TAPS;
    MemorySegment.copy(weight.segment(), ELEMENT, kernelAt * Float.BYTES, kernel, 0, TAPS);
    FloatStrips strips = strips(kernel, bias == null ? 0 : bias(bias, channel));
    long at = start(input, from) + plane / size.size(1) * from.stride(0) + channel * from.stride(1);
    Matrix image = new Matrix(input.segment(), at, from.stride(2), 1);
    if (!strips.liesIn(image)) {
      Matrix copy = new Matrix(scratch, FloatStrips.MOST_BEFORE, from.shape().size(3), 1);
      copy(image, copy, from.shape());
      image = copy;
    }
    long to = start(result, request.result()) + plane * pixels;
    if (strips.resultRoom() == pixels) {
      strips.run(image, result.segment(), to);
    } else {
      strips.run(image, scratch, strips.room());
      long made = strips.room() * Float.BYTES;
      MemorySegment.copy(scratch, made, result.segment(), to * Float.BYTES, pixels * Float.BYTES);
    }
  }

  private static void copy(Matrix from, Matrix to, Shape shape) {
    for (long row = 0; row < shape.size(2); row++) {
      MemorySegment.copy(
          from.segment(),
          from.at(row, 0) * Float.BYTES,
          to.segment(),
          to.at(row, 0) * Float.BYTES,
          shape.size(3) * Float.BYTES);
    }
  }

  private float bias(DenseTensor bias, long channel) {
    Layout layout = request.bias() == null ? bias.layout() : request.bias();
    long at = bias.layout().offset() + (request.bias() == null ? 0 : layout.offset());
    return bias.segment().getAtIndex(ELEMENT, at + channel * layout.stride(0));
  }

  private static long start(DenseTensor tensor, Layout layout) {
    return tensor.layout().offset() + layout.offset();
  }
}
