package dev.staunch.kernel.plain;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.Window;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One run of a convolution, on operands in row-major order: unrolls bands of the input into columns
 * and multiplies them with the weight.
 */
final class Unrolling {
  private static final int BAND_ELEMENTS = 1 << 18;

  /** Bytes that the JDK copies by a loop of its own, which is slow until it is compiled. */
  private static final int SHORT = 64;

  private final ExecutionContext context;
  private final DenseTensor input;
  private final DenseTensor weight;
  private final @Nullable DenseTensor bias;
  private final DenseTensor result;
  private final DType dtype;
  private final Window vertical;
  private final Window horizontal;
  private final int images;
  private final int groups;
  private final int height;
  private final int width;
  private final int channels;
  private final int outputs;
  private final int outputRows;
  private final int outputColumns;

  /** Whether the input lies as it would be unrolled. */
  private final boolean isProduct;

  Unrolling(
      ExecutionContext context,
      Convolution.Request request,
      DenseTensor input,
      DenseTensor weight,
      @Nullable DenseTensor bias,
      DenseTensor result) {
    this.context = context;
    this.input = input;
    this.weight = weight;
    this.bias = bias;
    this.result = result;
    this.dtype = request.dtype();
    this.vertical = request.vertical();
    this.horizontal = request.horizontal();
    this.groups = request.groups();
    Shape image = request.input().shape();
    Shape planes = request.result().shape();
    this.images = Shape.asInt(image.size(0));
    this.height = Shape.asInt(image.size(2));
    this.width = Shape.asInt(image.size(3));
    this.channels = Shape.asInt(request.weight().shape().size(1));
    this.outputs = Shape.asInt(planes.size(1));
    this.outputRows = Shape.asInt(planes.size(2));
    this.outputColumns = Shape.asInt(planes.size(3));
    this.isProduct = isPoint(vertical) && isPoint(horizontal);
  }

  private static boolean isPoint(Window window) {
    return window.kernel() == 1
        && window.stride() == 1
        && window.before() == 0
        && window.after() == 0;
  }

  /** Bands of all images and groups, one a piece; a single band's product is taken in parts. */
  @Nullable Fault run() {
    int depth = channels * vertical.kernel() * horizontal.kernel();
    int band = Math.clamp(BAND_ELEMENTS / Math.max(1, depth * outputColumns), 1, outputRows);
    int bands = Math.ceilDiv(outputRows, band);
    long pieces = (long) images * groups * bands;
    return context.parallel(
        pieces,
        1,
        (piece, end) -> {
          int row = (int) (piece % bands) * band;
          int rows = Math.min(band, outputRows - row);
          int group = (int) (piece / bands % groups);
          int image = (int) (piece / bands / groups);
          return piece(depth, image, group, row, rows, pieces == 1);
        });
  }

  private @Nullable Fault piece(int depth, int image, int group, int row, int rows, boolean alone) {
    if (isProduct) {
      long plane = ((long) image * groups + group) * channels * height;
      long from = input.layout().offset() + (plane + row) * width;
      int count = rows * outputColumns;
      long apart = (long) height * width;
      return multiply(
          new MatrixView(Operand.of(input), from, depth, count, apart, 1),
          image,
          group,
          row,
          alone);
    }
    Shape shape = Shape.of(depth, (long) rows * outputColumns);
    Object made = DenseTensor.allocate(context.scope(), dtype, Layout.contiguous(shape), context);
    if (!(made instanceof DenseTensor columns)) {
      return (Fault) made;
    }
    try {
      Fault fault = unroll(new CancellationPoll(context), columns, image, group, row, rows);
      int count = rows * outputColumns;
      MatrixView unrolled = new MatrixView(Operand.of(columns), 0, depth, count, count, 1);
      return fault == null ? multiply(unrolled, image, group, row, alone) : fault;
    } finally {
      columns.close();
    }
  }

  private @Nullable Fault multiply(
      MatrixView columns, int image, int group, int row, boolean alone) {
    int each = outputs / groups;
    int depth = columns.rows();
    int count = columns.columns();
    long plane = (long) outputRows * outputColumns;
    long filters = weight.layout().offset() + (long) group * each * depth;
    long start = ((long) image * outputs + (long) group * each) * plane;
    long target = result.layout().offset() + start + (long) row * outputColumns;
    PlainMatrixProduct.Operands operands =
        new PlainMatrixProduct.Operands(
            new MatrixView(Operand.of(weight), filters, each, depth, depth, 1),
            columns,
            bias == null ? null : biases(bias, group * each, each, count),
            new MatrixView(Operand.of(result), target, each, count, plane, 1));
    return alone
        ? PlainMatrixProduct.multiplyParts(context, operands, 1L)
        : PlainMatrixProduct.multiply(context, operands, 1L);
  }

  /** The biases of some outputs, each repeated along a row. */
  private MatrixView biases(DenseTensor from, int first, int each, int count) {
    long stride = from.layout().stride(0);
    long at = from.layout().offset() + first * stride;
    return new MatrixView(Operand.of(from), at, each, count, stride, 0);
  }

  /** Column by column, the inputs that each output of a band of rows depends on. */
  private @Nullable Fault unroll(
      CancellationPoll poll, DenseTensor columns, int image, int group, int row, int rows) {
    poll.zero(columns.segment());
    StridedCopy apart = new StridedCopy(dtype);
    long to = 0;
    for (int channel = 0; channel < channels; channel++) {
      long plane = ((long) image * groups + group) * channels + channel;
      long from = input.layout().offset() + plane * height * width;
      for (int y = 0; y < vertical.kernel(); y++) {
        for (int x = 0; x < horizontal.kernel(); x++) {
          unrollTap(poll, apart, columns.segment(), from, row, rows, y, x, to);
          to += (long) rows * outputColumns;
        }
      }
      if (poll.fault() != null) {
        return poll.fault();
      }
    }
    return null;
  }

  /** The inputs that one tap of the window meets, row by row, padding left out. */
  private void unrollTap(
      CancellationPoll poll,
      StridedCopy apart,
      MemorySegment target,
      long plane,
      int row,
      int rows,
      int y,
      int x,
      long to) {
    int first = horizontal.firstInside(x);
    int count = Math.min(outputColumns, horizontal.endInside(x, width)) - first;
    int shift = horizontal.at(first, x);
    boolean lieTogether = horizontal.stride() == 1 && count * dtype.bytes() > SHORT;
    for (int i = 0; i < rows; i++) {
      int source = vertical.at(row + i, y);
      if (source >= 0 && source < height) {
        long from = plane + (long) source * width + shift;
        long at = to + (long) i * outputColumns + first;
        if (lieTogether) {
          copyTogether(poll, from, count, target, at);
        } else {
          copyApart(poll, apart, from, count, target, at);
        }
      }
    }
  }

  private void copyTogether(
      CancellationPoll poll, long from, int count, MemorySegment target, long to) {
    int bytes = dtype.bytes();
    poll.copy(input.segment(), from * bytes, target, to * bytes, (long) count * bytes);
  }

  private void copyApart(
      CancellationPoll poll,
      StridedCopy apart,
      long from,
      int count,
      MemorySegment target,
      long to) {
    int step = horizontal.stride();
    for (int done = 0; done < count && poll.fault() == null; ) {
      long at = from + (long) done * step;
      int many = apart.copy(input.segment(), at, step, count - done, target, to + done);
      poll.mayContinue(many);
      done += many;
    }
  }
}
