package dev.staunch.kernel.primitive;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import org.jspecify.annotations.Nullable;

/** {@code c = addend + alpha * a * b}, prepared for operands of one form. */
public interface MatrixProduct {

  /**
   * What to compute. All operands have one dtype. Layouts have the same batch dimensions in front
   * of their last two; operands that repeat along one have stride 0 there. A layout's offset counts
   * from the first element of the tensor that is passed to {@link #run}.
   *
   * @param a [*, rows, depth]
   * @param b [*, depth, columns]
   * @param addend [*, rows, columns], or null for zeros; may be the layout of c itself
   * @param c [*, rows, columns], the last dimension without gaps; no two elements share a position
   * @param alpha the factor of the product
   * @param constant b, if it is the same at every call
   */
  record Request(
      DType dtype,
      Layout a,
      Layout b,
      @Nullable Layout addend,
      Layout c,
      Number alpha,
      @Nullable Constant constant) {

    /** Rows of each matrix a. */
    public long rows() {
      return c.shape().size(c.shape().rank() - 2);
    }

    /** Columns of each matrix b. */
    public long columns() {
      return c.shape().size(c.shape().rank() - 1);
    }

    /** The number of products that are summed for one element. */
    public long depth() {
      return a.shape().size(a.shape().rank() - 1);
    }
  }

  /**
   * Writes all of {@code c}, which shares no memory with {@code a} and {@code b}, and applies the
   * epilogue to each element.
   *
   * @param addend null exactly if the request has none; may be {@code c}
   * @param epilogue null for none; if there is one, {@code c} is row-major without gaps
   * @return the fault of a cancellation or of too little memory; {@code c} is then undefined
   */
  @Nullable Fault run(
      ExecutionContext context,
      DenseTensor a,
      DenseTensor b,
      @Nullable DenseTensor addend,
      DenseTensor c,
      @Nullable Epilogue epilogue);

  /** As above, without an epilogue. */
  default @Nullable Fault run(
      ExecutionContext context,
      DenseTensor a,
      DenseTensor b,
      @Nullable DenseTensor addend,
      DenseTensor c) {
    return run(context, a, b, addend, c, null);
  }

  /**
   * A product that does not finish elements block by block: it applies the epilogue to all elements
   * once the last one is computed.
   */
  interface Whole extends MatrixProduct {
    /** Writes all of {@code c}, as {@link #run} does before it applies the epilogue. */
    @Nullable Fault compute(
        ExecutionContext context,
        DenseTensor a,
        DenseTensor b,
        @Nullable DenseTensor addend,
        DenseTensor c);

    @Override
    default @Nullable Fault run(
        ExecutionContext context,
        DenseTensor a,
        DenseTensor b,
        @Nullable DenseTensor addend,
        DenseTensor c,
        @Nullable Epilogue epilogue) {
      Fault fault = compute(context, a, b, addend, c);
      return fault == null && epilogue != null ? epilogue.finishAll(context, c.elements()) : fault;
    }
  }
}
