package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.primitive.Copy;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/**
 * Products of int8, uint8 and int16 matrices, computed in floats, or in doubles if there are many
 * terms: no sum, in whatever order, is then so large that it would be rounded. The Vector API has
 * no product of bytes, and floats have a fused multiply-add, which is twice as fast as ints. If
 * there is no memory for operands and sums in that form, another set's product runs.
 */
final class ExactProduct implements MatrixProduct.Whole {
  /** Every integer up to this one is exact as a float. */
  private static final long MOST_IN_FLOAT = 1 << 24;

  /** Every integer up to this one is exact as a double. */
  private static final long MOST_IN_DOUBLE = 1L << 53;

  /**
   * The fewest rows and columns for which converting the operands pays, per byte of the wider
   * dtype.
   */
  private static final long FEWEST = 2;

  /** The fewest multiplications for which it pays. */
  private static final long LEAST_WORK = 1 << 15;

  /** Elements per piece when the sums are stored in the result. */
  private static final long PIECE = 1 << 15;

  private final Request request;
  private final KernelSet others;
  private final DType wide;
  private final Layout a;
  private final Layout b;
  private final Layout sums;
  private final Batch c;
  private final MatrixProduct product;

  private ExactProduct(Request request, KernelSet others, KernelSet products, DType wide) {
    this.request = request;
    this.others = others;
    this.wide = wide;
    this.a = dense(request.a());
    this.b = dense(request.b());
    this.sums = Layout.contiguous(request.c().shape());
    this.c = new Batch(request.c());
    this.product = products.matrixProduct(new Request(wide, a, b, null, sums, 1, null));
  }

  /**
   * Returns this product, or that of {@code others} if this kernel does not fit.
   *
   * @param products supplies the products of floats and doubles
   */
  static MatrixProduct of(Request request, KernelSet others, KernelSet products) {
    DType wide = wide(request.dtype(), request.depth());
    boolean fits =
        wide != null
            && request.c().shape().elements() > 0
            && Math.min(request.rows(), request.columns()) >= FEWEST * wide.bytes()
            && (double) request.rows() * request.columns() * request.depth() >= LEAST_WORK;
    return wide == null || !fits
        ? others.matrixProduct(request)
        : new ExactProduct(request, others, products, wide);
  }

  /** The dtype in which a sum of {@code terms} products is exact; null if there is none. */
  private static @Nullable DType wide(DType dtype, long terms) {
    double greatest =
        switch (dtype) {
          case INT8 -> -Byte.MIN_VALUE;
          case UINT8 -> 0xff;
          case INT16 -> -Short.MIN_VALUE;
          default -> Double.POSITIVE_INFINITY;
        };
    double sum = greatest * greatest * terms;
    return sum <= MOST_IN_FLOAT ? DType.FLOAT32 : sum <= MOST_IN_DOUBLE ? DType.FLOAT64 : null;
  }

  /**
   * A layout without gaps whose dimensions have the memory order of {@code given}; repeated
   * dimensions stay repeated.
   */
  private static Layout dense(Layout given) {
    int rank = given.shape().rank();
    long[] strides = new long[rank];
    boolean[] done = new boolean[rank];
    long step = 1;
    for (int next = 0; next < rank; next++) {
      int dim = -1;
      for (int each = rank - 1; each >= 0; each--) {
        if (!done[each] && (dim < 0 || given.stride(each) < given.stride(dim))) {
          dim = each;
        }
      }
      done[dim] = true;
      if (given.stride(dim) > 0) {
        strides[dim] = step;
        step *= given.shape().size(dim);
      }
    }
    return new Layout(given.shape(), strides, 0);
  }

  @Override
  public @Nullable Fault compute(
      ExecutionContext context,
      DenseTensor left,
      DenseTensor right,
      @Nullable DenseTensor start,
      DenseTensor result) {
    if (left.segment().isMapped()
        || right.segment().isMapped()
        || (start != null && start.segment().isMapped())) {
      return others.matrixProduct(request).run(context, left, right, start, result);
    }
    Object x = DenseTensor.allocate(context.scope(), wide, Shape.of(a.extent()));
    Object y = DenseTensor.allocate(context.scope(), wide, Shape.of(b.extent()));
    Object z = DenseTensor.allocate(context.scope(), wide, sums);
    try {
      return x instanceof DenseTensor p && y instanceof DenseTensor q && z instanceof DenseTensor r
          ? compute(context, left, p, right, q, start, r, result)
          : others.matrixProduct(request).run(context, left, right, start, result);
    } finally {
      close(x);
      close(y);
      close(z);
    }
  }

  private static void close(Object made) {
    if (made instanceof DenseTensor scratch) {
      scratch.close();
    }
  }

  private @Nullable Fault compute(
      ExecutionContext context,
      DenseTensor left,
      DenseTensor wideLeft,
      DenseTensor right,
      DenseTensor wideRight,
      @Nullable DenseTensor start,
      DenseTensor exact,
      DenseTensor result) {
    Fault fault = widen(context, left, request.a(), wideLeft, a);
    fault = fault == null ? widen(context, right, request.b(), wideRight, b) : fault;
    fault = fault == null ? product.run(context, wideLeft, wideRight, null, exact) : fault;
    if (fault != null) {
      return fault.type() == FaultType.OUT_OF_MEMORY
          ? others.matrixProduct(request).run(context, left, right, start, result)
          : fault;
    }
    long columns = request.columns();
    return context.parallel(
        c.size() * request.rows(),
        Math.max(1, PIECE / columns),
        (first, end) -> {
          ExactSums lines = new ExactSums(request, exact, start, result);
          for (long line = first; line < end; line++) {
            lines.put(line);
          }
          return context.cancelled();
        });
  }

  /** Converts to the wider dtype; repeated elements are converted once. */
  private @Nullable Fault widen(
      ExecutionContext context, DenseTensor from, Layout given, DenseTensor into, Layout dense) {
    long[] sizes = given.shape().toArray();
    for (int dim = 0; dim < sizes.length; dim++) {
      sizes[dim] = dense.stride(dim) == 0 ? 1 : sizes[dim];
    }
    Shape once = Shape.of(sizes);
    long offset = from.layout().offset() + given.offset();
    Layout source = new Layout(once, given.strides(), offset);
    Layout target = new Layout(once, dense.strides(), into.layout().offset());
    return others
        .copy(new Copy.Request(from.dtype(), source, wide, target))
        .run(context, from, into);
  }
}
