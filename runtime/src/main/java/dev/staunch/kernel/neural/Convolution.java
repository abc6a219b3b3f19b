package dev.staunch.kernel.neural;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.linear.MatrixProduct;
import dev.staunch.kernel.linear.MatrixView;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A convolution over two spatial dimensions: unrolls bands of the input into columns and multiplies
 * them with the weight. The input's operands are checked before ({@link ConvolutionCall}).
 */
final class Convolution {
  private static final int BAND_ELEMENTS = 1 << 18;

  private final Call call;
  private final DenseTensor input;
  private final DenseTensor weight;
  private final @Nullable DenseTensor bias;
  private final Window vertical;
  private final Window horizontal;
  private final int groups;
  private final int height;
  private final int width;
  private final int channels;
  private final int outputRows;
  private final int outputColumns;

  /**
   * @param input contiguous [N, C, H, W]
   * @param weight contiguous [out, C / groups, kH, kW]
   */
  Convolution(
      Call call,
      DenseTensor input,
      DenseTensor weight,
      @Nullable DenseTensor bias,
      Window vertical,
      Window horizontal,
      int groups) {
    this.call = call;
    this.input = input;
    this.weight = weight;
    this.bias = bias;
    this.vertical = vertical;
    this.horizontal = horizontal;
    this.groups = groups;
    this.channels = Shape.asInt(weight.shape().size(1));
    this.height = Shape.asInt(input.shape().size(2));
    this.width = Shape.asInt(input.shape().size(3));
    this.outputRows = vertical.outputs(height, false);
    this.outputColumns = horizontal.outputs(width, false);
  }

  /** The result [N, out, H', W'], or a fault. */
  Object run() {
    Shape shape =
        Shape.of(input.shape().size(0), weight.shape().size(0), outputRows, outputColumns);
    Object made = call.allocate(input.dtype(), shape);
    if (!(made instanceof DenseTensor result)) {
      return made;
    }
    Fault fault = startWithBias(result);
    fault = fault != null || shape.elements() == 0 ? fault : addProducts(result);
    if (fault != null) {
      result.close();
      return fault;
    }
    return result;
  }

  private @Nullable Fault startWithBias(DenseTensor result) {
    if (bias == null) {
      return Filling.zero(call, result);
    }
    Layout layout =
        new Layout(
            Shape.of(bias.elements(), 1, 1),
            new long[] {bias.layout().stride(0), 0, 0},
            bias.layout().offset());
    Object view = bias.view(call.scope(), layout);
    if (!(view instanceof DenseTensor column)) {
      return (Fault) view;
    }
    Fault fault = Filling.expand(call, result, column, 1L);
    column.close();
    return fault;
  }

  private @Nullable Fault addProducts(DenseTensor result) {
    int depth = channels * vertical.kernel() * horizontal.kernel();
    int band = Math.clamp(BAND_ELEMENTS / Math.max(1, depth * outputColumns), 1, outputRows);
    Object made = call.allocate(input.dtype(), Shape.of(depth, (long) band * outputColumns));
    if (!(made instanceof DenseTensor columns)) {
      return (Fault) made;
    }
    Lookout lookout = new Lookout(call);
    try {
      for (int image = 0; image < input.shape().size(0); image++) {
        for (int group = 0; group < groups; group++) {
          for (int row = 0; row < outputRows; row += band) {
            int rows = Math.min(band, outputRows - row);
            Fault fault = unroll(lookout, columns, image, group, row, rows);
            if (fault == null) {
              fault = multiply(columns, depth, image, group, row, rows, result);
            }
            if (fault != null) {
              return fault;
            }
          }
        }
      }
      return null;
    } finally {
      columns.close();
    }
  }

  private @Nullable Fault multiply(
      DenseTensor columns, int depth, int image, int group, int row, int rows, DenseTensor result) {
    int outputs = Shape.asInt(weight.shape().size(0));
    int each = outputs / groups;
    int count = rows * outputColumns;
    long plane = (long) outputRows * outputColumns;
    long start = ((long) image * outputs + (long) group * each) * plane;
    MatrixView left =
        new MatrixView(
            weight.segment(),
            weight.dtype(),
            weight.layout().offset() + (long) group * each * depth,
            each,
            depth,
            depth,
            1);
    MatrixView right =
        new MatrixView(columns.segment(), columns.dtype(), 0, depth, count, count, 1);
    MatrixView target =
        new MatrixView(
            result.segment(),
            result.dtype(),
            start + (long) row * outputColumns,
            each,
            count,
            plane,
            1);
    return MatrixProduct.add(call.environment(), left, right, target, 1L);
  }

  /** Column by column, the inputs that each output of a band of rows depends on. */
  private @Nullable Fault unroll(
      Lookout lookout, DenseTensor columns, int image, int group, int row, int rows) {
    lookout.zero(columns.segment());
    long to = 0;
    for (int channel = 0; channel < channels; channel++) {
      long plane = ((long) image * groups + group) * channels + channel;
      long from = input.layout().offset() + plane * height * width;
      for (int y = 0; y < vertical.kernel(); y++) {
        for (int x = 0; x < horizontal.kernel(); x++) {
          for (int output = row; output < row + rows; output++) {
            int source = vertical.at(output, y);
            if (source >= 0 && source < height) {
              copyRow(lookout, from + (long) source * width, x, columns.segment(), to);
            }
            to += outputColumns;
          }
        }
      }
      if (lookout.fault() != null) {
        return lookout.fault();
      }
    }
    return null;
  }

  /** Copies what one tap of the window meets as it slides along a row, padding left out. */
  private void copyRow(Lookout lookout, long from, int tap, MemorySegment target, long to) {
    int first = horizontal.firstInside(tap);
    int end = Math.min(outputColumns, horizontal.endInside(tap, width));
    int bytes = input.dtype().bytes();
    MemorySegment source = input.segment();
    if (horizontal.stride() == 1 && first < end) {
      long at = from + horizontal.at(first, tap);
      lookout.copy(source, at * bytes, target, (to + first) * bytes, (long) (end - first) * bytes);
      return;
    }
    for (int start = first; start < end; start += Lookout.STRIDE) {
      int count = Math.min(Lookout.STRIDE, end - start);
      long at = from + horizontal.at(start, tap);
      if (bytes == Long.BYTES) {
        copyLongs(source, at, horizontal.stride(), target, to + start, count);
      } else {
        copyInts(source, at, horizontal.stride(), target, to + start, count);
      }
      if (!lookout.goesOn(count)) {
        return;
      }
    }
  }

  private static void copyLongs(
      MemorySegment source, long at, int step, MemorySegment target, long to, int count) {
    for (int i = 0; i < count; i++) {
      target.setAtIndex(JAVA_LONG, to + i, source.getAtIndex(JAVA_LONG, at + (long) i * step));
    }
  }

  private static void copyInts(
      MemorySegment source, long at, int step, MemorySegment target, long to, int count) {
    for (int i = 0; i < count; i++) {
      target.setAtIndex(JAVA_INT, to + i, source.getAtIndex(JAVA_INT, at + (long) i * step));
    }
  }
}
