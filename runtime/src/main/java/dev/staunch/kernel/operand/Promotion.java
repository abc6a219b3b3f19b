package dev.staunch.kernel.operand;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/**
 * PyTorch's type promotion. Tensors with dimensions decide within a category. Scalars and tensors
 * without dimensions count only if their category is higher. Complex scalars keep the precision of
 * the reals with dimensions.
 */
public final class Promotion {
  private @Nullable DType dimensioned;
  private @Nullable DType single;
  private @Nullable DType wrapped;

  /** The promotion of tensors, or their forms, and program scalars, in any order. */
  public static Promotion of(Object... operands) {
    Promotion promotion = new Promotion();
    for (Object operand : operands) {
      promotion.add(operand);
    }
    return promotion;
  }

  /** The {@link #result} of the {@linkplain #of promotion} of the two. */
  public static DType common(Object first, Object second) {
    if (first instanceof DenseTensor a) {
      DType dtype = a.dtype();
      boolean decides =
          second instanceof DenseTensor b
              ? b.dtype() == dtype
              : dtype == DType.FLOAT32 && second instanceof Number;
      if (decides) {
        return dtype;
      }
    }
    return of(first, second).result();
  }

  private void add(Object operand) {
    switch (operand) {
      case DenseTensor tensor when tensor.rank() > 0 ->
          dimensioned = join(dimensioned, tensor.dtype());
      case DenseTensor tensor -> single = join(single, tensor.dtype());
      case TensorForm form when form.rank() > 0 -> dimensioned = join(dimensioned, form.dtype());
      case TensorForm form -> single = join(single, form.dtype());
      case Double real -> wrapped = join(wrapped, DType.FLOAT32);
      case Long integer -> wrapped = join(wrapped, DType.INT64);
      case Boolean flag -> wrapped = join(wrapped, DType.BOOL);
      default -> wrapped = join(wrapped, DType.COMPLEX64);
    }
  }

  private static DType join(@Nullable DType known, DType other) {
    return known == null ? other : DType.promote(known, other);
  }

  /** The dtype that all operands are converted to; float32 if there are none. */
  public DType result() {
    DType low = higher(single, wrapped);
    DType result = higher(dimensioned, low);
    return result == null ? DType.FLOAT32 : result;
  }

  private static @Nullable DType higher(@Nullable DType first, @Nullable DType second) {
    if (first == null || second == null) {
      return first == null ? second : first;
    }
    if (second.kind() == DType.Kind.COMPLEX && first.isFloating()) {
      return first == DType.FLOAT64 ? DType.COMPLEX128 : DType.COMPLEX64;
    }
    return second.kind().compareTo(first.kind()) > 0 ? second : first;
  }

  /** The dtype of functions that return reals: integers become float32. */
  public DType floatingResult() {
    return floating(result());
  }

  /** {@code result}, or float32 in place of integers. */
  public static DType floating(DType result) {
    boolean exact = result.kind() == DType.Kind.INTEGRAL || result.kind() == DType.Kind.BOOL;
    return exact ? DType.FLOAT32 : result;
  }

  /**
   * The fault for storing a {@code computed} result in place into a tensor of dtype {@code stored};
   * else null.
   */
  public static @Nullable Fault inPlace(DType computed, DType stored) {
    if (computed.kind().compareTo(stored.kind()) <= 0) {
      return null;
    }
    return Fault.dtype(
            Message.of(
                "a result of %s cannot be written in place into a tensor of %s", computed, stored))
        .withExpected(ExpectedDType.stored(stored), computed);
  }

  /**
   * The fault for an operation that would compute with the real parts of complex numbers only; else
   * null. A program that casts them itself gets the real parts.
   */
  public static @Nullable Fault narrowing(DType from, DType to) {
    return from.kind() == DType.Kind.COMPLEX && to.kind() != DType.Kind.COMPLEX
        ? Fault.unsupported(
                Message.of(
                    "%s are not implicitly cast to %s; take their parts with `real` or `imag`",
                    from, to))
            .withExpected(ExpectedDType.of(to), from)
        : null;
  }

  /** The fault for a dtype that pointwise kernels do not compute with; else null. */
  public static @Nullable Fault unsupported(String operation, DType dtype) {
    return dtype.kind() == DType.Kind.COMPLEX
        ? Fault.unsupported(operation + " is not implemented for " + dtype)
            .withExpected(ExpectedDType.FLOATING, dtype)
        : null;
  }
}
