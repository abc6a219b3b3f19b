package dev.staunch.eager.operators;

import static dev.staunch.eager.operators.Arguments.code;
import static dev.staunch.operation.None.NONE;

import dev.staunch.type.DType;

/** The same values in another dtype or another place. */
public interface Conversions<T> extends Applicable<T> {

  /**
   * Each element as {@code dtype}; this itself, as a view, if nothing changes. Wide integers keep
   * their low bits. Reals are cut towards zero; beyond the range, where C leaves the result open,
   * it is PyTorch's on x86: NaN and what int64 does not hold is {@code Long.MIN_VALUE} as int64 and
   * 0 as uint8, which else takes the low bits; NaN and what int32 does not hold is {@code
   * Integer.MIN_VALUE} as int32 and 0 as int16 and int8, which else take the low bits. As bool, all
   * but 0 is true, NaN too. Into or out of a complex dtype it is an unsupported fault.
   */
  default T to(DType dtype) {
    return apply("aten::to.dtype", this, code(dtype), false, false, NONE);
  }

  /** {@link #to} the dtype of {@code other}. */
  default T typeAs(T other) {
    return apply("aten::type_as", this, other);
  }

  /** A view if the elements already lie in row-major order, else a copy that does. */
  default T contiguous() {
    return apply("aten::contiguous", this, 0L);
  }

  /** A copy with a storage of its own ({@code clone} in PyTorch). */
  default T copy() {
    return apply("aten::clone", this, NONE);
  }

  /** A view that takes no part in gradients. */
  default T detach() {
    return apply("aten::detach", this);
  }
}
