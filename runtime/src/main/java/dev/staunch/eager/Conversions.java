package dev.staunch.eager;

import static dev.staunch.eager.Arguments.code;
import static dev.staunch.operation.None.NONE;

import dev.staunch.type.DType;

/** The same values in another dtype or another place. */
public sealed interface Conversions extends Applicable permits Tensor {

  /**
   * Each element as {@code dtype}; this itself, as a view, if nothing changes. Wide integers keep
   * their low bits. Reals are cut towards zero; beyond the range, where C leaves the result open,
   * it is PyTorch's on x86: NaN and what int64 does not hold is {@code Long.MIN_VALUE} as int64 and
   * 0 as uint8, which else takes the low bits; NaN and what int32 does not hold is {@code
   * Integer.MIN_VALUE} as int32 and 0 as int16 and int8, which else take the low bits. As bool, all
   * but 0 is true, NaN too. Into or out of a complex dtype it is an unsupported fault.
   */
  default Tensor to(DType dtype) {
    return apply("aten::to.dtype", this, code(dtype), false, false, NONE);
  }

  /** {@link #to} the dtype of {@code other}. */
  default Tensor typeAs(Tensor other) {
    return apply("aten::type_as", this, other);
  }

  /** A view if the elements already lie in row-major order, else a copy that does. */
  default Tensor contiguous() {
    return apply("aten::contiguous", this, 0L);
  }

  /** A copy with a storage of its own ({@code clone} in PyTorch). */
  default Tensor copy() {
    return apply("aten::clone", this, NONE);
  }

  /** A view that takes no part in gradients. */
  default Tensor detach() {
    return apply("aten::detach", this);
  }
}
