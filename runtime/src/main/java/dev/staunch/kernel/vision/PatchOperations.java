package dev.staunch.kernel.vision;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Filled;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;

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
        (target, call) -> PatchColumns.fill(target, call, (PatchGrid) columnGrid(call)));
    Filled.add(
        narrow.withDTypes(DType.of(DType.Kind.FLOATING)),
        "aten::col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, " + numbers,
        PatchOperations::pictureForm,
        (target, call) -> PatchSums.fill(target, call, (PatchGrid) pictureGrid(call)));
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
    PatchGrid grid =
        new PatchGrid(
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
    if (!(read instanceof PatchGrid grid)) {
      return read;
    }
    long lines = self.shape().size(rank - 3) * grid.taps();
    return TensorForm.contiguous(
        self.dtype(),
        rank == 4
            ? Shape.of(self.shape().size(0), lines, grid.cells())
            : Shape.of(lines, grid.cells()));
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
    if (!(read instanceof PatchGrid grid)) {
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
    long given = 1;
    long area = 1;
    for (int d = 0; d < dims; d++) {
      given *= sizes[rank - dims + d];
      area *= size[d];
      sizes[rank - dims + d] = size[d];
    }
    Object empty = steps.run("new_zeros", call.value(0), Steps.ints(planes, area));
    Object places = steps.view(call.value(1), planes, given);
    Object filled =
        steps.run("scatter.src", empty, 1L, places, steps.view(call.value(0), planes, given));
    return steps.view(filled, sizes);
  }
}
