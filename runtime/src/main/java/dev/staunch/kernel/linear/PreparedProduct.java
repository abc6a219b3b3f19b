package dev.staunch.kernel.linear;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Preparation;
import dev.staunch.kernel.linear.BatchedProduct.Addend;
import dev.staunch.kernel.linear.BatchedProduct.Operand;
import dev.staunch.kernel.loop.Broadcast;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.primitive.Constant;
import dev.staunch.kernel.primitive.Epilogue;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A product with checked operands and a prepared primitive, to run again on operands of the same
 * form.
 *
 * @param a the first operand that it was made for, without its elements; the same holds for the
 *     others
 */
record PreparedProduct(
    Form a, Form b, @Nullable Form self, Object beta, Object alpha, TensorForm result, Body body) {

  /**
   * The primitive.
   *
   * @param copies whether it takes a copy of the first operand, in row-major order
   * @param expands whether the addend has to be expanded into the result first
   * @param constant the constant that the primitive was prepared for
   */
  private record Body(
      MatrixProduct product, boolean copies, boolean expands, @Nullable Constant constant) {}

  /** A stack of matrices with fewer rows is copied if that makes one matrix of it. */
  private static final long FEW_ROWS = 16;

  /** The relevant properties of an operand: its layout, and where that starts in the tensor. */
  private record Form(DType dtype, Layout layout, long shift, boolean transposed) {
    static Form of(Operand operand) {
      return new Form(
          operand.tensor().dtype(), operand.own(), operand.shift(), operand.transposed());
    }

    boolean fits(Operand operand) {
      return operand.isLike(dtype, layout, shift, transposed);
    }

    static boolean fits(@Nullable Form form, @Nullable DenseTensor tensor) {
      if (form == null || tensor == null) {
        return form == null && tensor == null;
      }
      return tensor.dtype() == form.dtype && tensor.layout().isLike(form.layout);
    }
  }

  /**
   * Prepares a product of operands for which {@link BatchedProduct#form} has returned {@code
   * result}.
   */
  static PreparedProduct of(Call call, Operand a, Operand b, Addend addend, TensorForm result) {
    boolean copies = isWorthCopying(a, b);
    Layout own = copies ? rowMajor(a.own()) : a.layout();
    Layout left = own.shape().rank() == 1 ? asRow(own) : folded(own, b);
    Layout right = b.layout().shape().rank() == 1 ? asColumn(b.layout()) : b.layout();
    Shape batch =
        Shape.of(Objects.requireNonNull(BatchedProduct.broadcast(left.shape(), right.shape())));
    long rows = left.shape().size(left.shape().rank() - 2);
    long columns = right.shape().size(right.shape().rank() - 1);
    Layout target = Layout.contiguous(stack(batch, rows, columns));
    DenseTensor self = addend.self();
    Layout from = self == null || !isOne(addend.beta()) ? null : added(self, a, b, result, target);
    boolean expands = self != null && from == null;
    Preparation preparation = call.preparation();
    Constant constant = preparation == null ? null : preparation.constant(b.tensor());
    MatrixProduct product =
        call.environment()
            .kernels()
            .matrixProduct(
                new MatrixProduct.Request(
                    result.dtype(),
                    stacked(a.tensor(), left, batch),
                    stacked(b.tensor(), right, batch),
                    expands ? target : from,
                    target,
                    (Number) addend.alpha(),
                    constant));
    return new PreparedProduct(
        Form.of(a),
        Form.of(b),
        self == null ? null : Form.of(Operand.of(self)),
        addend.beta(),
        addend.alpha(),
        result,
        new Body(product, copies, expands, constant));
  }

  boolean fits(Operand first, Operand second, Addend addend) {
    return Constant.isValidFor(body.constant, second.tensor())
        && a.fits(first)
        && b.fits(second)
        && Form.fits(self, addend.self())
        && beta.equals(addend.beta())
        && alpha.equals(addend.alpha());
  }

  /** The product of operands that fit, as a new tensor; or a fault. */
  Object run(Call call, DenseTensor first, DenseTensor second, Addend addend) {
    Object made = call.allocate(result.dtype(), result.shape());
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    DenseTensor from = addend.self();
    Fault fault = null;
    if (from != null && body.expands) {
      fault = ScaledAddend.write(call, target, from, addend.beta());
      from = target;
    }
    if (fault == null) {
      Epilogue epilogue = call.epilogue(target);
      fault =
          body.copies
              ? multiplyCopy(call, first, second, from, target, epilogue)
              : body.product.run(call.environment(), first, second, from, target, epilogue);
    }
    if (fault != null) {
      target.close();
      return fault;
    }
    return target;
  }

  private @Nullable Fault multiplyCopy(
      Call call,
      DenseTensor first,
      DenseTensor second,
      @Nullable DenseTensor from,
      DenseTensor target,
      @Nullable Epilogue epilogue) {
    Object made = Copying.toContiguous(call, first, first.dtype());
    if (!(made instanceof DenseTensor copy)) {
      return (Fault) made;
    }
    try (copy) {
      return body.product.run(call.environment(), copy, second, from, target, epilogue);
    }
  }

  private static boolean isOne(Object factor) {
    return ((Number) factor).doubleValue() == 1;
  }

  /** The addend as a stack of matrices; null if its strides do not allow that. */
  private static @Nullable Layout added(
      DenseTensor self, Operand a, Operand b, TensorForm result, Layout target) {
    Layout wide = Broadcast.stretch(self.layout(), result.shape());
    boolean ofRow = a.own().shape().rank() == 1;
    boolean ofColumn = b.own().shape().rank() == 1;
    int rank = wide.shape().rank() + (ofRow ? 1 : 0) + (ofColumn ? 1 : 0);
    long[] sizes = Arrays.copyOf(wide.shape().toArray(), rank);
    long[] strides = Arrays.copyOf(wide.strides(), rank);
    if (ofRow && !ofColumn) {
      sizes[rank - 1] = sizes[rank - 2];
      strides[rank - 1] = strides[rank - 2];
      strides[rank - 2] = 0;
    }
    int count = target.shape().rank();
    for (int d = 0; count < rank && d < rank - 2; d++) { // the stack was folded into tall matrices
      if (strides[d] != strides[d + 1] * sizes[d + 1]) {
        return null;
      }
    }
    long[] last = Arrays.copyOfRange(strides, rank - count, rank);
    return new Layout(target.shape(), last, 0);
  }

  private static Layout asRow(Layout vector) {
    long[] strides = {0, vector.stride(0)};
    return new Layout(Shape.of(1, vector.shape().size(0)), strides, vector.offset());
  }

  private static Layout asColumn(Layout vector) {
    long[] strides = {vector.stride(0), 0};
    return new Layout(Shape.of(vector.shape().size(0), 1), strides, vector.offset());
  }

  /** The left stack as one tall matrix, if its rows and the right side allow that. */
  private static Layout folded(Layout layout, Operand b) {
    Layout tall = b.own().shape().rank() > 2 ? null : tall(layout);
    return tall == null ? layout : tall;
  }

  /** A stack of matrices as a single one; null if its rows are not evenly spaced. */
  private static @Nullable Layout tall(Layout layout) {
    int last = layout.shape().rank() - 1;
    if (last < 2 || layout.shape().elements() == 0) {
      return null;
    }
    long rows = 1;
    long step = layout.stride(last - 1);
    for (int d = last - 1; d >= 0; d--) {
      long size = layout.shape().size(d);
      step = rows == 1 ? layout.stride(d) : step;
      if (size > 1 && layout.stride(d) != step * rows) {
        return null;
      }
      rows *= size;
    }
    long[] strides = {step, layout.stride(last)};
    return new Layout(Shape.of(rows, layout.shape().size(last)), strides, layout.offset());
  }

  /** Whether the left operand is a stack of low matrices that a copy makes a tall one. */
  private static boolean isWorthCopying(Operand a, Operand b) {
    Layout layout = a.own();
    int rank = layout.shape().rank();
    return rank >= 3
        && b.own().shape().rank() == 2
        && layout.shape().size(rank - 2) < FEW_ROWS
        && layout.isLike(a.tensor().layout())
        && a.shift() == 0
        && !a.transposed()
        && layout.shape().elements() > 0
        && tall(layout) == null;
  }

  /** The layout of a copy of {@code layout}, which starts where its tensor does. */
  private static Layout rowMajor(Layout layout) {
    Layout copy = Layout.contiguous(layout.shape());
    return new Layout(copy.shape(), copy.strides(), layout.offset());
  }

  private static Shape stack(Shape batch, long rows, long columns) {
    long[] sizes = Arrays.copyOf(batch.toArray(), batch.rank() + 2);
    sizes[batch.rank()] = rows;
    sizes[batch.rank() + 1] = columns;
    return Shape.of(sizes);
  }

  /**
   * A layout repeated along the dimensions of a stack; its offset counts from the tensor's first
   * element.
   */
  private static Layout stacked(DenseTensor tensor, Layout layout, Shape batch) {
    int rank = layout.shape().rank();
    Shape shape = stack(batch, layout.shape().size(rank - 2), layout.shape().size(rank - 1));
    Layout wide = Broadcast.stretch(layout, shape);
    long[] strides = wide.strides();
    strides[strides.length - 2] = layout.stride(rank - 2);
    strides[strides.length - 1] = layout.stride(rank - 1);
    return new Layout(shape, strides, layout.offset() - tensor.layout().offset());
  }
}
