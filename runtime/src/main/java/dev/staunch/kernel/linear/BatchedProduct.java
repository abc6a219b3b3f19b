package dev.staunch.kernel.linear;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.TensorForm;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.operand.Places;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Products of tensors as {@code matmul} defines them: vectors, matrices and batches of matrices
 * whose leading dimensions broadcast. An operand may be seen through another layout than its own.
 */
public final class BatchedProduct {
  /** An operand: the elements of {@code tensor} as {@code layout} arranges them. */
  public record Operand(DenseTensor tensor, Layout layout) {
    /** The tensor as it lies. */
    public static Operand of(DenseTensor tensor) {
      return new Operand(tensor, tensor.layout());
    }

    /** The last two dimensions swapped; a vector stays as it is. */
    public static Operand transposed(DenseTensor tensor) {
      return new Operand(tensor, transposed(tensor.layout()));
    }

    static Layout transposed(Layout own) {
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

    Shape shape() {
      return layout.shape();
    }

    TensorForm form() {
      return new TensorForm(tensor.dtype(), layout.shape(), layout, tensor.name());
    }
  }

  /** What the product is added to, and the factors of both: {@code beta * self + alpha * a * b}. */
  public record Addend(@Nullable DenseTensor self, Object beta, Object alpha) {
    /** The product by itself. */
    public static final Addend NOTHING = new Addend(null, 1L, 1L);
  }

  private final Call call;
  private final Operand a;
  private final Operand b;
  private final Addend addend;

  private BatchedProduct(Call call, Operand a, Operand b, Addend addend) {
    this.call = call;
    this.a = a;
    this.b = b;
    this.addend = addend;
  }

  /** The product as a new tensor, or a fault. {@code operation} is for messages. */
  public static Object of(Call call, String operation, Operand a, Operand b, Addend addend) {
    TensorForm self = addend.self() == null ? null : TensorForm.of(addend.self());
    Object form = form(operation, a.form(), b.form(), self);
    return form instanceof TensorForm result
        ? new BatchedProduct(call, a, b, addend).run(result)
        : form;
  }

  /**
   * The form of a product, or its fault.
   *
   * @param addend what the product is added to, if there is something
   */
  static Object form(String operation, TensorForm a, TensorForm b, @Nullable TensorForm addend) {
    if (a.rank() == 0 || b.rank() == 0) {
      String text =
          "both operands of %s must have at least 1 dimension, but the shapes are %s and %s; `mul`"
              + " takes numbers";
      return Fault.shape(Message.of(text, operation, a.shape(), b.shape()));
    }
    Fault fault = ProductFaults.dtypes(operation, a, b, addend);
    Object shape = fault == null ? shape(a.shape(), b.shape()) : fault;
    fault =
        addend != null && shape instanceof Shape sum ? Filling.misfit(addend.shape(), sum) : null;
    if (fault != null) {
      return fault;
    }
    return shape instanceof Shape result ? TensorForm.contiguous(a.dtype(), result) : shape;
  }

  private Object run(TensorForm form) {
    Operand left = a.shape().rank() == 1 ? asRow(a) : folded();
    Operand right = b.shape().rank() == 1 ? asColumn(b) : b;
    long[] batch = Objects.requireNonNull(broadcast(left.shape(), right.shape()));
    Object made = call.allocate(form.dtype(), form.shape());
    if (!(made instanceof DenseTensor result)) {
      return made;
    }
    Fault fault = start(result);
    fault = fault != null ? fault : multiply(left, right, Shape.of(batch), result);
    if (fault != null) {
      result.close();
      return fault;
    }
    return result;
  }

  private @Nullable Fault start(DenseTensor result) {
    DenseTensor self = addend.self();
    if (self != null) {
      return Filling.expand(call, result, self, addend.beta());
    }
    return Filling.zero(call, result);
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

  private static Operand asRow(Operand vector) {
    long n = vector.shape().size(0);
    long[] strides = {0, vector.layout().stride(0)};
    return new Operand(
        vector.tensor(), new Layout(Shape.of(1, n), strides, vector.layout().offset()));
  }

  private static Operand asColumn(Operand vector) {
    long n = vector.shape().size(0);
    long[] strides = {vector.layout().stride(0), 0};
    return new Operand(
        vector.tensor(), new Layout(Shape.of(n, 1), strides, vector.layout().offset()));
  }

  /** The left batch as one tall matrix, where the right side is a single one. */
  private Operand folded() {
    Layout layout = a.layout();
    int rank = layout.shape().rank();
    if (rank < 3 || b.shape().rank() > 2 || !layout.isContiguous() || a.shape().elements() == 0) {
      return a;
    }
    long k = layout.shape().size(rank - 1);
    long[] strides = {k, 1};
    Shape tall = Shape.of(layout.shape().elements() / k, k);
    return new Operand(a.tensor(), new Layout(tall, strides, layout.offset()));
  }

  private static long @Nullable [] broadcast(Shape left, Shape right) {
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

  private @Nullable Fault multiply(Operand left, Operand right, Shape batch, DenseTensor result) {
    Places leftShifts = shifts(left.layout(), batch);
    Places rightShifts = shifts(right.layout(), batch);
    int rows = Shape.asInt(left.shape().size(left.shape().rank() - 2));
    int columns = Shape.asInt(right.shape().size(right.shape().rank() - 1));
    for (long i = 0; i < batch.elements(); i++) {
      MatrixView c =
          new MatrixView(
              result.segment(), result.dtype(), i * rows * columns, rows, columns, columns, 1);
      Fault fault =
          MatrixProduct.add(
              call.environment(),
              MatrixView.of(left.tensor(), left.layout(), leftShifts.at(i)),
              MatrixView.of(right.tensor(), right.layout(), rightShifts.at(i)),
              c,
              addend.alpha());
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  /** How far each matrix of a broadcast batch lies from the first, in elements. */
  private static Places shifts(Layout layout, Shape batch) {
    long[] strides = new long[batch.rank()];
    int own = layout.shape().rank() - 2;
    for (int i = 1; i <= own; i++) {
      int dim = own - i;
      strides[batch.rank() - i] = layout.shape().size(dim) == 1 ? 0 : layout.stride(dim);
    }
    return Places.of(new Layout(batch, strides, 0));
  }
}
