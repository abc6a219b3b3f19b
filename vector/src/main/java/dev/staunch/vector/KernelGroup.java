package dev.staunch.vector;

import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Kernels that are warmed up, and then serve, together.
 *
 * @param dtype of the operands
 * @param name which products, convolutions or loop over rows; otherwise empty
 */
record KernelGroup(Primitive primitive, DType dtype, String name) {
  /** What the kernels compute. */
  enum Primitive {
    PRODUCT,
    CONVOLUTION,
    POOLING,
    ROW_NORMALIZATION,
    CHANNEL_NORMALIZATION,
    SOFTMAX,
    /** Copies and casts. */
    COPY,
    RECURRENCE,
    ROW_SUM,
    FORMULA,
    REDUCTION
  }

  static final KernelGroup PRODUCT = of(Primitive.PRODUCT);

  /** Products of one row with a constant, as in a request that is a batch of one. */
  static final KernelGroup ROW_PRODUCT = of(Primitive.PRODUCT, "row");

  /** Products of one row with any other matrix. */
  static final KernelGroup ROW_COMBINATION = of(Primitive.PRODUCT, "row by any");

  static final KernelGroup CONVOLUTION = of(Primitive.CONVOLUTION);

  /** Convolutions whose kernels have one element. */
  static final KernelGroup POINTWISE = of(Primitive.CONVOLUTION, "pointwise");

  /** Convolutions whose channels are in groups, usually of one. */
  static final KernelGroup DEPTHWISE = of(Primitive.CONVOLUTION, "depthwise");

  static final KernelGroup POOLING = of(Primitive.POOLING);
  static final KernelGroup ROW_NORMALIZATION = of(Primitive.ROW_NORMALIZATION);
  static final KernelGroup CHANNEL_NORMALIZATION = of(Primitive.CHANNEL_NORMALIZATION);
  static final KernelGroup SOFTMAX = of(Primitive.SOFTMAX);
  static final KernelGroup COPY = of(Primitive.COPY);
  static final KernelGroup RECURRENCE = of(Primitive.RECURRENCE);
  static final KernelGroup ROW_SUM = of(Primitive.ROW_SUM);

  /** All kinds together: HotSpot then compiles each alone and not as a part of what calls it. */
  static final KernelGroup REDUCTION = of(Primitive.REDUCTION);

  private static KernelGroup of(Primitive primitive) {
    return of(primitive, "");
  }

  private static KernelGroup of(Primitive primitive, String name) {
    return new KernelGroup(primitive, DType.FLOAT32, name);
  }

  /** The same kernels for operands of another dtype; these if they serve that one, too. */
  KernelGroup of(DType other) {
    return other == DType.FLOAT64 ? new KernelGroup(primitive, other, name) : this;
  }

  static KernelGroup of(MatrixProduct.Request request) {
    KernelGroup row = request.constant() == null ? ROW_COMBINATION : ROW_PRODUCT;
    return (request.rows() > 1 ? PRODUCT : row).of(request.dtype());
  }

  static KernelGroup of(Convolution.Request request) {
    boolean point = request.vertical().kernel() == 1 && request.horizontal().kernel() == 1;
    KernelGroup ungrouped = point ? POINTWISE : CONVOLUTION;
    return (request.groups() > 1 ? DEPTHWISE : ungrouped).of(request.dtype());
  }

  static KernelGroup formula(DType dtype, String name) {
    DType served = dtype == DType.UINT8 ? DType.INT8 : dtype;
    return new KernelGroup(Primitive.FORMULA, served, name);
  }

  /** Written out, because linking that of a record takes milliseconds of a program's start. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KernelGroup that
        && primitive == that.primitive
        && dtype == that.dtype
        && name.equals(that.name);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * primitive.hashCode() + dtype.hashCode()) + name.hashCode();
  }

  /** The groups of {@link VectorKernels}. */
  static List<KernelGroup> all() {
    List<KernelGroup> all = new ArrayList<>();
    RowFormulas.FLOAT_NAMES.forEach(name -> all.add(formula(DType.FLOAT32, name)));
    FloatRemainders.ALL.keySet().forEach(name -> all.add(formula(DType.FLOAT32, name)));
    FloatPowers.ALL.keySet().forEach(name -> all.add(formula(DType.FLOAT32, name)));
    all.add(formula(DType.FLOAT32, FloatChoice.NAME));
    RowFormulas.DOUBLE_NAMES.forEach(name -> all.add(formula(DType.FLOAT64, name)));
    RowFormulas.LONG_NAMES.forEach(name -> all.add(formula(DType.INT64, name)));
    RowFormulas.INT_NAMES.forEach(name -> all.add(formula(DType.INT32, name)));
    RowFormulas.BYTE_NAMES.forEach(name -> all.add(formula(DType.INT8, name)));
    RowFormulas.TRUTH_NAMES.forEach(name -> all.add(formula(DType.BOOL, name)));
    all.add(COPY);
    all.add(ROW_SUM);
    List<KernelGroup> ofBoth =
        List.of(
            PRODUCT,
            ROW_PRODUCT,
            ROW_COMBINATION,
            CONVOLUTION,
            POINTWISE,
            DEPTHWISE,
            POOLING,
            ROW_NORMALIZATION,
            CHANNEL_NORMALIZATION,
            SOFTMAX,
            RECURRENCE,
            REDUCTION);
    all.addAll(ofBoth);
    ofBoth.forEach(group -> all.add(group.of(DType.FLOAT64)));
    return all;
  }
}
