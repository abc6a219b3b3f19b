package dev.staunch.vector;

import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.kernel.primitive.RowReduction;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Kernels that are warmed up, and then serve, together.
 *
 * @param name which products, convolutions or loop over rows; otherwise empty
 */
record KernelGroup(Primitive primitive, String name) {
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
    /** A formula of float32 rows. */
    FORMULA,
    /** A formula of float64 rows. */
    DOUBLES,
    /** A formula of int64 rows. */
    LONGS,
    /** A formula of int32 rows. */
    INTS,
    /** A formula of int8 or uint8 rows. */
    BYTES,
    /** A formula of bools. */
    BOOLS,
    REDUCTION
  }

  static final KernelGroup PRODUCT = of(Primitive.PRODUCT);

  /** Products of one row with a constant, as in a request that is a batch of one. */
  static final KernelGroup ROW_PRODUCT = new KernelGroup(Primitive.PRODUCT, "row");

  /** Products of one row with any other matrix. */
  static final KernelGroup ROW_COMBINATION = new KernelGroup(Primitive.PRODUCT, "row by any");

  static final KernelGroup CONVOLUTION = of(Primitive.CONVOLUTION);

  /** Convolutions whose kernels have one element. */
  static final KernelGroup POINTWISE = new KernelGroup(Primitive.CONVOLUTION, "pointwise");

  /** Convolutions whose channels are in groups, usually of one. */
  static final KernelGroup DEPTHWISE = new KernelGroup(Primitive.CONVOLUTION, "depthwise");

  static final KernelGroup POOLING = of(Primitive.POOLING);
  static final KernelGroup ROW_NORMALIZATION = of(Primitive.ROW_NORMALIZATION);
  static final KernelGroup CHANNEL_NORMALIZATION = of(Primitive.CHANNEL_NORMALIZATION);
  static final KernelGroup SOFTMAX = of(Primitive.SOFTMAX);
  static final KernelGroup COPY = of(Primitive.COPY);
  static final KernelGroup RECURRENCE = of(Primitive.RECURRENCE);
  static final KernelGroup ROW_SUM = of(Primitive.ROW_SUM);

  private static final Map<RowReduction.Kind, KernelGroup> REDUCTIONS =
      new EnumMap<>(RowReduction.Kind.class);

  static {
    for (RowReduction.Kind kind : RowReduction.Kind.values()) {
      REDUCTIONS.put(kind, new KernelGroup(Primitive.REDUCTION, kind.name()));
    }
  }

  private static KernelGroup of(Primitive primitive) {
    return new KernelGroup(primitive, "");
  }

  static KernelGroup of(MatrixProduct.Request request) {
    if (request.rows() > 1) {
      return PRODUCT;
    }
    return request.constant() == null ? ROW_COMBINATION : ROW_PRODUCT;
  }

  static KernelGroup of(Convolution.Request request) {
    if (request.groups() > 1) {
      return DEPTHWISE;
    }
    boolean point = request.vertical().kernel() == 1 && request.horizontal().kernel() == 1;
    return point ? POINTWISE : CONVOLUTION;
  }

  static KernelGroup formula(DType dtype, String name) {
    return new KernelGroup(
        switch (dtype) {
          case FLOAT64 -> Primitive.DOUBLES;
          case INT64 -> Primitive.LONGS;
          case INT32 -> Primitive.INTS;
          case INT8, UINT8 -> Primitive.BYTES;
          case BOOL -> Primitive.BOOLS;
          default -> Primitive.FORMULA;
        },
        name);
  }

  static KernelGroup reduction(RowReduction.Kind kind) {
    return Objects.requireNonNull(REDUCTIONS.get(kind));
  }

  /** Written out, because linking that of a record takes milliseconds of a program's start. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KernelGroup that
        && primitive == that.primitive
        && name.equals(that.name);
  }

  @Override
  public int hashCode() {
    return 31 * primitive.hashCode() + name.hashCode();
  }

  /** The groups of {@link VectorKernels}. */
  static List<KernelGroup> all() {
    List<KernelGroup> all = new ArrayList<>(REDUCTIONS.values());
    RowFormulas.FLOAT_NAMES.forEach(name -> all.add(formula(DType.FLOAT32, name)));
    FloatRemainders.ALL.keySet().forEach(name -> all.add(formula(DType.FLOAT32, name)));
    FloatPowers.ALL.keySet().forEach(name -> all.add(formula(DType.FLOAT32, name)));
    all.add(formula(DType.FLOAT32, FloatChoice.NAME));
    RowFormulas.DOUBLE_NAMES.forEach(name -> all.add(formula(DType.FLOAT64, name)));
    RowFormulas.LONG_NAMES.forEach(name -> all.add(formula(DType.INT64, name)));
    RowFormulas.INT_NAMES.forEach(name -> all.add(formula(DType.INT32, name)));
    RowFormulas.BYTE_NAMES.forEach(name -> all.add(formula(DType.INT8, name)));
    RowFormulas.TRUTH_NAMES.forEach(name -> all.add(formula(DType.BOOL, name)));
    all.add(PRODUCT);
    all.add(ROW_PRODUCT);
    all.add(ROW_COMBINATION);
    all.add(CONVOLUTION);
    all.add(POINTWISE);
    all.add(DEPTHWISE);
    all.add(POOLING);
    all.add(ROW_NORMALIZATION);
    all.add(CHANNEL_NORMALIZATION);
    all.add(SOFTMAX);
    all.add(COPY);
    all.add(RECURRENCE);
    all.add(ROW_SUM);
    return all;
  }
}
