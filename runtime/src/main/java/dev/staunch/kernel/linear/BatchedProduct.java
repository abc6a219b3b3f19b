package dev.staunch.kernel.linear;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Preparation;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Products of tensors as {@code matmul} defines them: vectors, matrices, and batches of matrices
 * whose leading dimensions broadcast. An operand may be viewed through a layout other than its own.
 */
public final class BatchedProduct {
  /**
   * An operand: the elements of {@code tensor} as {@code own} arranges them.
   *
   * @param transposed whether the last two dimensions are swapped; a vector stays as it is
   */
  public record Operand(DenseTensor tensor, Layout own, boolean transposed) {
    /** The tensor in its own layout. */
    public static Operand of(DenseTensor tensor) {
      return new Operand(tensor, tensor.layout(), false);
    }

    /** The tensor viewed through another layout. */
    public static Operand of(DenseTensor tensor, Layout layout) {
      return new Operand(tensor, layout, false);
    }

    /** The tensor with its last two dimensions swapped; a vector stays as it is. */
    public static Operand transposed(DenseTensor tensor) {
      return new Operand(tensor, tensor.layout(), true);
    }

    /** This operand with its last two dimensions swapped again. */
    public Operand swapped() {
      return new Operand(tensor, own, !transposed);
    }

    Layout layout() {
      return transposed ? transposed(own) : own;
    }

    /** The layout with its last two dimensions swapped; that of a vector stays as it is. */
    public static Layout transposed(Layout own) {
      if (own.shape().rank() < 2) {
        return own;
      }
      long[] sizes = own.shape().toArray();
      long[] strides = own.strides();
      swapLast(sizes);
      swapLast(strides);
      return new Layout(Shape.of(sizes), strides, own.offset());
    }

    private static void swapLast(long[] values) {
      int last = values.length - 1;
      long kept = values[last];
      values[last] = values[last - 1];
      values[last - 1] = kept;
    }

    /** The distance, in elements, from the tensor's first element to this operand's first. */
    long shift() {
      return own.offset() - tensor.layout().offset();
    }

    /**
     * Whether this operand has that dtype and form; where its tensor begins in the storage does not
     * matter.
     */
    boolean isLike(DType dtype, Layout layout, long shift, boolean swapped) {
      return tensor.dtype() == dtype
          && transposed == swapped
          && own.isLike(layout)
          && shift() == shift;
    }

    TensorForm form() {
      Layout layout = layout();
      return new TensorForm(tensor.dtype(), layout.shape(), layout, tensor.name());
    }
  }

  /**
   * The tensor that the product is added to, and the factors of both: {@code beta * self + alpha *
   * a * b}.
   */
  public record Addend(@Nullable DenseTensor self, Object beta, Object alpha) {
    /** No addend: the product alone. */
    public static final Addend NOTHING = new Addend(null, 1L, 1L);
  }

  private BatchedProduct() {}

  /** The product as a new tensor, or a fault. {@code operation} is for messages. */
  public static Object of(Call call, String operation, Operand a, Operand b, Addend addend) {
    return of(call, 0, operation, a, b, addend);
  }

  /**
   * As {@link #of(Call, String, Operand, Operand, Addend)}.
   *
   * @param slot the slot of the call's {@link Preparation} for this product; each product of a
   *     kernel has its own
   */
  public static Object of(
      Call call, int slot, String operation, Operand a, Operand b, Addend addend) {
    Preparation preparation = call.preparation();
    if (preparation != null) {
      for (Object each : preparation.at(slot)) {
        if (each instanceof PreparedProduct known && known.fits(a, b, addend)) {
          return known.run(call, a.tensor(), b.tensor(), addend);
        }
      }
    }
    TensorForm self = addend.self() == null ? null : Call.formOf(addend.self());
    Object form = form(operation, a.form(), b.form(), self);
    if (!(form instanceof TensorForm result)) {
      return form;
    }
    PreparedProduct fresh = PreparedProduct.of(call, a, b, addend, result);
    if (preparation != null) {
      preparation.keep(slot, fresh);
    }
    return fresh.run(call, a.tensor(), b.tensor(), addend);
  }

  /**
   * The form of a product, or its fault.
   *
   * @param addend the tensor that the product is added to, if there is one
   */
  public static Object form(
      String operation, TensorForm a, TensorForm b, @Nullable TensorForm addend) {
    if (a.rank() == 0 || b.rank() == 0) {
      String text =
          "both operands of %s must have at least 1 dimension, but the shapes are %s and %s; `mul`"
              + " takes numbers";
      return Fault.shape(Message.of(text, operation, a.shape(), b.shape()));
    }
    Fault fault = ProductFaults.dtypes(operation, a, b, addend);
    Object shape = fault == null ? shape(a.shape(), b.shape()) : fault;
    fault =
        addend != null && shape instanceof Shape sum
            ? ScaledAddend.misfit(addend.shape(), sum)
            : null;
    if (fault != null) {
      return fault;
    }
    return shape instanceof Shape result ? TensorForm.contiguous(a.dtype(), result) : shape;
  }

  /** The shape of the product; or the fault. */
  private static Object shape(Shape a, Shape b) {
    Shape left = atLeast2(a, true);
    Shape right = atLeast2(b, false);
    if (left.size(left.rank() - 1) != right.size(right.rank() - 2)) {
      return ProductFaults.inner(a, left, right);
    }
    long[] batch = broadcast(left, right);
    if (batch == null) {
      return ProductFaults.batches(a, b);
    }
    long[] sizes = Arrays.copyOf(batch, batch.length + 2);
    int rank = batch.length;
    if (a.rank() > 1) {
      sizes[rank++] = a.size(a.rank() - 2);
    }
    if (b.rank() > 1) {
      sizes[rank++] = b.size(b.rank() - 1);
    }
    return Shape.of(Arrays.copyOf(sizes, rank));
  }

  private static Shape atLeast2(Shape shape, boolean row) {
    return shape.rank() > 1 ? shape : row ? Shape.of(1, shape.size(0)) : Shape.of(shape.size(0), 1);
  }

  /** The common leading dimensions of two stacks of matrices; null if they do not broadcast. */
  static long @Nullable [] broadcast(Shape left, Shape right) {
    int rank = Math.max(left.rank(), right.rank()) - 2;
    long[] sizes = new long[rank];
    for (int i = 1; i <= rank; i++) {
      long x = i <= left.rank() - 2 ? left.size(left.rank() - 2 - i) : 1;
      long y = i <= right.rank() - 2 ? right.size(right.rank() - 2 - i) : 1;
      if (x != y && x != 1 && y != 1) {
        return null;
      }
      sizes[rank - i] = x == 1 ? y : x;
    }
    return sizes;
  }
}
