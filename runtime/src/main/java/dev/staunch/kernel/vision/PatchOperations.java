package dev.staunch.kernel.vision;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Filled;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Doubles;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Image patches as columns, images as sums of patches, and unpooling. */
final class PatchOperations {
  private PatchOperations() {}

  static void addTo(Catalog.Builder catalog) {
    Catalog.Builder narrow = catalog.with(Trait.NARROW_AS_FLOAT32);
    String numbers = "int[2] dilation, int[2] padding, int[2] stride) -> Tensor";
    Filled.add(
        narrow,
        "aten::im2col(Tensor self, int[2] kernel_size, " + numbers,
        PatchOperations::columnForm,
        PatchOperations::columns);
    Filled.add(
        narrow.withDTypes(DType.of(DType.Kind.FLOATING)),
        "aten::col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, " + numbers,
        PatchOperations::pictureForm,
        PatchOperations::pictures);
    Composite.add(
        catalog.with(Trait.FAILS_ON_VALUES),
        "aten::max_unpool2d(Tensor self, Tensor indices, SymInt[2] output_size) -> Tensor",
        (steps, call) -> unpooled(steps, call, 2));
    Composite.add(
        catalog.with(Trait.FAILS_ON_VALUES),
        "aten::max_unpool3d(Tensor self, Tensor indices, SymInt[3] output_size, int[3] stride,"
            + " int[3] padding) -> Tensor",
        (steps, call) -> unpooled(steps, call, 3));
  }

  /** How a kernel slides over an image. */
  private record Grid(
      int height, int width, long[] kernel, long[] dilation, long[] padding, long[] stride) {
    int rows() {
      return count(height, 0);
    }

    int columns() {
      return count(width, 1);
    }

    private int count(int size, int d) {
      long free = size + 2 * padding[d] - dilation[d] * (kernel[d] - 1) - 1;
      return Shape.asInt(free < 0 ? 0 : free / stride[d] + 1);
    }

    int cells() {
      return Shape.asInt((long) rows() * columns());
    }

    int taps() {
      return Shape.asInt((long) Shape.asInt(kernel[0]) * Shape.asInt(kernel[1]));
    }

    /** The position in the image of a tap at an output; -1 outside. */
    int at(int tap, int row, int column) {
      long y = row * stride[0] - padding[0] + tap / kernel[1] * dilation[0];
      long x = column * stride[1] - padding[1] + tap % kernel[1] * dilation[1];
      return y < 0 || y >= height || x < 0 || x >= width ? -1 : (int) (y * width + x);
    }
  }

  /** The grid, or a fault; the numbers begin at argument {@code at}. */
  private static Object grid(Operands call, String name, long height, long width, int at) {
    long[][] numbers = new long[4][];
    for (int i = 0; i < 4; i++) {
      long[] given = call.integers(at + i);
      numbers[i] = given.length == 1 ? new long[] {given[0], given[0]} : given;
      int least = i == 2 ? 0 : 1;
      boolean fits = numbers[i].length == 2 && Arrays.stream(numbers[i]).allMatch(n -> n >= least);
      if (!fits) {
        String text =
            "%s takes 2 positive numbers each for kernel, dilation and stride, but got %s";
        return Fault.value(Message.of(text, name, Arrays.toString(given)));
      }
    }
    Grid grid =
        new Grid(
            Shape.asInt(height),
            Shape.asInt(width),
            numbers[0],
            numbers[1],
            numbers[2],
            numbers[3]);
    if (grid.rows() == 0 || grid.columns() == 0) {
      String text = "%s has no place for a kernel of %s in a picture of %d by %d";
      return Fault.shape(Message.of(text, name, Arrays.toString(numbers[0]), height, width));
    }
    return grid;
  }

  /** The grid over the input images of im2col. */
  private static Object columnGrid(Operands operands) {
    Shape shape = operands.shape(0);
    int rank = shape.rank();
    return grid(operands, "im2col", shape.size(rank - 2), shape.size(rank - 1), 1);
  }

  /** The grid over the images that col2im returns. */
  private static Object pictureGrid(Operands operands) {
    long[] size = operands.integers(1);
    return grid(operands, "col2im", size[0], size[1], 2);
  }

  private static Object columnForm(Operands operands) {
    TensorForm self = operands.form(0);
    int rank = self.rank();
    Fault fault = OperandChecks.floating("im2col", self.dtype());
    if (fault != null || (rank != 3 && rank != 4)) {
      return fault != null
          ? fault
          : OperandChecks.shape(
              "im2col takes pictures [c, h, w] or [n, c, h, w], but the shape is " + self.shape(),
              "3 or 4 dimensions",
              self.shape());
    }
    Object read = columnGrid(operands);
    if (!(read instanceof Grid grid)) {
      return read;
    }
    long lines = self.shape().size(rank - 3) * grid.taps();
    return TensorForm.contiguous(
        self.dtype(),
        rank == 4
            ? Shape.of(self.shape().size(0), lines, grid.cells())
            : Shape.of(lines, grid.cells()));
  }

  private static @Nullable Fault columns(DenseTensor target, Call call) {
    Grid grid = (Grid) columnGrid(call);
    CancellationPoll poll = new CancellationPoll(call);
    double[] values = Doubles.of(poll, call.tensor(0));
    int cells = grid.cells();
    int area = Shape.asInt((long) grid.height() * grid.width());
    int planes = area == 0 ? 0 : values.length / area;
    double[] result = new double[Shape.asInt(target.elements())];
    for (int line = 0; line < planes * grid.taps() && poll.mayContinue(cells); line++) {
      for (int cell = 0; cell < cells; cell++) {
        int from = grid.at(line % grid.taps(), cell / grid.columns(), cell % grid.columns());
        double value = from < 0 ? 0 : values[line / grid.taps() * area + from];
        result[line * cells + cell] = value;
      }
    }
    Doubles.store(target, result);
    return poll.fault();
  }

  private static Object pictureForm(Operands operands) {
    TensorForm self = operands.form(0);
    int rank = self.rank();
    long[] size = operands.integers(1);
    Fault fault = OperandChecks.floating("col2im", self.dtype());
    if (fault != null || size.length != 2 || (rank != 2 && rank != 3)) {
      return fault != null
          ? fault
          : OperandChecks.shape(
              "col2im takes columns [lines, cells] or a batch, but the shape is " + self.shape(),
              "2 or 3 dimensions",
              self.shape());
    }
    Object read = pictureGrid(operands);
    if (!(read instanceof Grid grid)) {
      return read;
    }
    long lines = self.shape().size(rank - 2);
    if (lines % grid.taps() != 0 || self.shape().size(rank - 1) != grid.cells()) {
      String text = "col2im takes a multiple of %d lines of %d cells, but the shape is %s";
      return OperandChecks.shape(
          Message.of(text, grid.taps(), grid.cells(), self.shape()),
          grid.cells() + " cells",
          self.shape());
    }
    long channels = lines / grid.taps();
    return TensorForm.contiguous(
        self.dtype(),
        rank == 3
            ? Shape.of(self.shape().size(0), channels, size[0], size[1])
            : Shape.of(channels, size[0], size[1]));
  }

  private static @Nullable Fault pictures(DenseTensor target, Call call) {
    Grid grid = (Grid) pictureGrid(call);
    CancellationPoll poll = new CancellationPoll(call);
    double[] values = Doubles.of(poll, call.tensor(0));
    int cells = grid.cells();
    int area = Shape.asInt((long) grid.height() * grid.width());
    int planes = values.length / Shape.asInt((long) grid.taps() * cells);
    double[] result = new double[Shape.asInt(target.elements())];
    for (int line = 0; line < planes * grid.taps() && poll.mayContinue(cells); line++) {
      for (int cell = 0; cell < cells; cell++) {
        int to = grid.at(line % grid.taps(), cell / grid.columns(), cell % grid.columns());
        if (to >= 0) {
          result[line / grid.taps() * area + to] += values[line * cells + cell];
        }
      }
    }
    Doubles.store(target, result);
    return poll.fault();
  }

  private static Object unpooled(Steps steps, Operands call, int dims) {
    TensorForm self = call.form(0);
    TensorForm indices = call.form(1);
    long[] size = call.integers(2);
    int rank = self.rank();
    boolean fits =
        (rank == dims + 1 || rank == dims + 2)
            && size.length == dims
            && self.shape().equals(indices.shape());
    if (!fits) {
      String text = "max_unpool%dd takes indices of the input's shape %s, but they are %s";
      return OperandChecks.shape(
          Message.of(text, dims, self.shape(), indices.shape()),
          self.shape().toString(),
          indices.shape());
    }
    long[] sizes = self.shape().toArray();
    long planes = 1;
    for (int d = 0; d < rank - dims; d++) {
      planes *= sizes[d];
    }
    long area = 1;
    for (int d = 0; d < dims; d++) {
      area *= size[d];
      sizes[rank - dims + d] = size[d];
    }
    Object empty = steps.run("new_zeros", call.value(0), Steps.ints(planes, area));
    Object places = steps.view(call.value(1), planes, -1);
    Object filled =
        steps.run("scatter.src", empty, 1L, places, steps.view(call.value(0), planes, -1));
    return steps.view(filled, sizes);
  }
}
