package dev.staunch.eager.operators;

import static dev.staunch.eager.operators.Arguments.code;
import static dev.staunch.operation.None.NONE;

import dev.staunch.type.DType;

/** Converts dtypes and copies or rearranges memory; the values stay the same. */
public interface Conversions<T> extends Applicable<T> {

  /**
   * Converts each element to {@code dtype}; returns a view of this if that changes nothing. Wide
   * integers keep their low bits. Reals are truncated toward zero.
   *
   * <p>Beyond the range of an integer dtype, where C leaves the result open, the result is
   * PyTorch's on x86. NaN and values outside int64 become {@code Long.MIN_VALUE} as int64 and 0 as
   * uint8, which otherwise takes the low bits. NaN and values outside int32 become {@code
   * Integer.MIN_VALUE} as int32 and 0 as int16 and int8, which otherwise take the low bits. As
   * bool, everything but 0 is true, including NaN. A complex number loses its imaginary part.
   */
  default T to(DType dtype) {
    return apply("aten::to.dtype", this, code(dtype), false, false, NONE);
  }

  /** Converts {@link #to} the dtype of {@code other}. */
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

  /** A view that is excluded from gradients. */
  default T detach() {
    return apply("aten::detach", this);
  }
}
