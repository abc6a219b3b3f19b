package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.KernelSet;
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
 * Depthwise convolutions where both image and result have their channels last: a vector holds
 * channels of one pixel.
 *
 * @param packed the weight, for each vector of channels the elements of their kernels one after the
 *     other; null if it may change
 */
record FloatDepthwiseLast(Request request, KernelSet others, @Nullable DenseTensor packed)
    implements Convolution.Whole {
  /** Multiplications per piece that other threads may take. */
  private static final long PIECE = 1 << 18;

  private static final int LANES = FloatTurning.LANES;
  private static final ValueLayout.OfFloat ELEMENT = ValueLayout.JAVA_FLOAT;

  static FloatDepthwiseLast of(Request request, KernelSet others) {
    Constant constant = request.constant();
    DenseTensor packed =
        constant == null
            ? null
            : constant.packed(
                new Format(request.weight()), (tensor, scope) -> pack(request, tensor, scope));
    return new FloatDepthwiseLast(request, others, packed);
  }

  private record Format(Layout weight) {}

  /** Whether this kernel can read the operands. */
  static boolean fits(Request request) {
    return suits(request) && request.input().isChannelsLast() && request.result().isChannelsLast();
  }

  /** Whether it could read them if the channels were last. */
  static boolean suits(Request request) {
    Shape weight = request.weight().shape();
    return FloatConvolution.fits(request)
        && weight.size(0) == request.groups()
        && weight.size(1) == 1
        && weight.size(0) % LANES == 0;
  }

  private static Object pack(Request request, DenseTensor tensor, ResourceScope scope) {
    Shape shape = request.weight().shape();
    int channels = (int) shape.size(0);
    int taps = (int) (shape.size(2) * shape.size(3));
    Object made = DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(shape.elements()));
    if (made instanceof DenseTensor packed) {
      float[] kernels = new float[taps * channels];
      float[] turned = new float[taps * channels];
      long first = tensor.layout().offset() + request.weight().offset();
      MemorySegment.copy(
          tensor.segment(), ELEMENT, first * Float.BYTES, kernels, 0, kernels.length);
      for (int channel = 0; channel < channels; channel++) {
        for (int tap = 0; tap < taps; tap++) {
          turned[(channel / LANES * taps + tap) * LANES + channel % LANES] =
              kernels[channel * taps + tap];
        }
      }
      MemorySegment.copy(turned, 0, packed.segment(), ELEMENT, 0, turned.length);
    }
    return made;
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
    if (packed != null) {
      return run(context, input, packed.segment(), bias, result);
    }
    Object made = pack(request, weight, context.scope());
    if (!(made instanceof DenseTensor scratch)) {
      return (Fault) made;
    }
    try (scratch) {
      return run(context, input, scratch.segment(), bias, result);
    }
  }

  private @Nullable Fault run(
      ExecutionContext context,
      DenseTensor input,
      MemorySegment kernels,
      @Nullable DenseTensor bias,
      DenseTensor result) {
    PixelImages from = PixelImages.of(input, request.input());
    PixelImages into = PixelImages.of(result, request.result());
    Window down = request.vertical();
    Window across = request.horizontal();
    float[] starts = into.starts(bias, request.bias());
    FloatPixelSlide slide = new FloatPixelSlide(from, down, across, kernels, starts, into);
    long work = (long) into.columns() * into.channels() * down.kernel() * across.kernel();
    return context.parallel(
        (long) into.images() * into.rows(),
        Math.max(1, PIECE / work),
        (first, end) -> {
          for (int line = (int) first; line < end; line++) {
            slide.line(line / into.rows(), line % into.rows());
          }
          return context.cancelled();
        });
  }
}
