package dev.staunch.kernel;

import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Properties of a call's operands, as bits found in one pass; a bit is set if any operand has the
 * property. The bits decide which kernel of an operation computes the call, and whether the results
 * require a gradient.
 */
public final class OperandTraits {
  /**
   * No bits: no tensors, or only open dense tensors of reals, none narrow and none that requires a
   * gradient.
   */
  public static final int USUAL = 0;

  public static final int CLOSED = 1;

  /** A {@link CompoundTensor}. */
  public static final int COMPOUND = 1 << 1;

  /** A {@link SparseTensor}; it also sets {@link #COMPOUND}. */
  public static final int SPARSE = 1 << 2;

  public static final int COMPLEX = 1 << 3;

  /** A tensor of float16 or bfloat16. */
  public static final int NARROW = 1 << 4;

  /** A floating tensor that requires a gradient. */
  public static final int REQUIRES_GRAD = 1 << 5;

  /** A {@link QuantizedTensor}; it also sets {@link #COMPOUND}. */
  public static final int QUANTIZED = 1 << 6;

  private OperandTraits() {}

  /**
   * The traits of all operands, including the elements of the operands at the indices {@code
   * lists}, which are lists of tensors.
   */
  static int of(Operands operands, int[] lists) {
    int traits = USUAL;
    int count = operands.size();
    for (int i = 0; i < count; i++) {
      traits |= of(operands.value(i));
    }
    for (int i : lists) {
      if (operands.value(i) instanceof List<?> list) {
        for (Object element : list) {
          traits |= of(element);
        }
      }
    }
    return traits;
  }

  /** The traits of one tensor. */
  static int of(DenseTensor tensor) {
    DType dtype = tensor.dtype();
    int traits = tensor.isClosed() ? CLOSED : USUAL;
    traits |= dtype == DType.FLOAT32 ? USUAL : of(dtype);
    return tensor.requiresGrad() && dtype.isFloating() ? traits | REQUIRES_GRAD : traits;
  }

  /** The traits of one operand. */
  static int of(@Nullable Object value) {
    if (value instanceof DenseTensor tensor) {
      return of(tensor);
    }
    if (value instanceof TensorForm form) {
      return of(form.dtype());
    }
    if (value instanceof CompoundTensor compound) {
      return of(compound);
    }
    return value instanceof ComplexNumber ? COMPLEX : USUAL;
  }

  private static int of(DType dtype) {
    if (dtype.isFloating()) {
      return dtype.bytes() < DType.FLOAT32.bytes() ? NARROW : USUAL;
    }
    return dtype.kind() == DType.Kind.COMPLEX ? COMPLEX : USUAL;
  }

  private static int of(CompoundTensor compound) {
    int traits =
        switch (compound) {
          case SparseTensor sparse -> COMPOUND | SPARSE;
          case QuantizedTensor quantized -> COMPOUND | QUANTIZED;
          case NestedTensor nested -> COMPOUND;
        };
    for (DenseTensor part : compound.parts()) {
      traits |= of(part);
    }
    return traits;
  }
}
