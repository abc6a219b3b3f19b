package dev.staunch.kernel.plain;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.Window;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/**
 * One run of a convolution on row-major operands. It multiplies the weight by the patches of the
 * image that the kernel covers, one band of the result at a time.
 */
final class ConvolvedBands {
  /** Pixels of a band: enough for long loops, and for two bands of a small image. */
  private static final int BAND = ProductOperands.WIDTH / 2;

  /** The number of products from which several bands pay. */
  private static final long WORTH = 1 << 23;

  private final ExecutionContext context;
  private final DenseTensor input;
  private final DenseTensor weight;
  private final @Nullable DenseTensor bias;
  private final DenseTensor result;
  private final Window vertical;
  private final Window horizontal;
  private final int images;
  private final int groups;
  private final int height;
  private final int width;
  private final int channels;

  /** The elements of one filter. */
  private final int depth;

  private final int outputs;
  private final int outputRows;
  private final int outputColumns;

  /** Whether the input already is the matrix of patches. */
  private final boolean isProduct;

  ConvolvedBands(
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
    this.vertical = request.vertical();
    this.horizontal = request.horizontal();
    this.groups = request.groups();
    Shape image = request.input().shape();
    Shape planes = request.result().shape();
    this.images = Shape.asInt(image.size(0));
    this.height = Shape.asInt(image.size(2));
    this.width = Shape.asInt(image.size(3));
    this.channels = Shape.asInt(request.weight().shape().size(1));
    this.outputs = Shape.asInt(planes.size(1), MatrixView.MOST);
    this.outputRows = Shape.asInt(planes.size(2));
    this.outputColumns = Shape.asInt(planes.size(3), MatrixView.MOST);
    this.depth = Shape.asInt(request.weight().shape().elements() / outputs, MatrixView.MOST);
    this.isProduct = vertical.isPoint() && horizontal.isPoint();
  }

  /**
   * Runs the bands of all images and groups, one per piece; the product of a single band is split
   * into parts.
   */
  @Nullable Fault run() {
    int bands = bands();
    int band = Math.ceilDiv(outputRows, bands);
    int used = Math.ceilDiv(outputRows, band);
    long pieces = (long) images * groups * used;
    return context.parallel(
        pieces,
        1,
        (piece, end) -> {
          int row = (int) (piece % used) * band;
          int rows = Math.min(band, outputRows - row);
          int group = (int) (piece / used % groups);
          int image = (int) (piece / used / groups);
          return multiply(columns(image, group, row, rows), image, group, row, pieces == 1);
        });
  }

  /** The number of parts that the rows of one group of an image are split into. */
  private int bands() {
    long pixels = (long) outputRows * outputColumns;
    long products = pixels * depth * (outputs / groups);
    return products > WORTH ? (int) Math.min(Math.ceilDiv(pixels, BAND), outputRows) : 1;
  }

  /** The factor that the weight of a group is multiplied by, for some rows of an image's result. */
  private Factor columns(int image, int group, int row, int rows) {
    long plane = ((long) image * groups + group) * channels * height;
    long from = input.layout().offset() + plane * width;
    int count = rows * outputColumns;
    Operand elements = Operand.of(input);
    return isProduct
        ? new MatrixView(
            elements, from + (long) row * width, depth, count, (long) height * width, 1)
        : new Patches(
            elements,
            from,
            height,
            width,
            vertical,
            horizontal,
            outputColumns,
            row,
            0,
            0,
            depth,
            count);
  }

  private @Nullable Fault multiply(Factor columns, int image, int group, int row, boolean alone) {
    int each = outputs / groups;
    int count = columns.columns();
    long plane = (long) outputRows * outputColumns;
    long filters = weight.layout().offset() + (long) group * each * depth;
    long start = ((long) image * outputs + (long) group * each) * plane;
    long target = result.layout().offset() + start + (long) row * outputColumns;
    ProductOperands operands =
        new ProductOperands(
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
}
