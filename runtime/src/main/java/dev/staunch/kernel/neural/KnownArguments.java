package dev.staunch.kernel.neural;

import dev.staunch.kernel.Call;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import java.util.List;

/**
 * Checked arguments: the forms of the leading ones, which are tensors, and the values of all
 * others.
 *
 * @param dtype the dtype of all tensors
 * @param values the arguments, with tensors replaced by their layouts
 * @param tensors the number of leading arguments that may be tensors
 */
record KnownArguments(DType dtype, Object[] values, int tensors) {

  /** The arguments of a call; its first argument is a tensor, and all tensors have its dtype. */
  static KnownArguments of(Call call, int tensors) {
    Object[] values = call.arguments();
    for (int i = 0; i < values.length; i++) {
      values[i] =
          switch (values[i]) {
            case DenseTensor tensor -> tensor.layout();
            case List<?> list -> List.copyOf(list);
            case Object other -> other;
          };
    }
    return new KnownArguments(call.dtype(0), values, tensors);
  }

  /** Whether the arguments of {@code call} have the same forms and values. */
  @SuppressWarnings("ReferenceEquality") // a constant list is the same object on every call
  boolean fit(Call call) {
    for (int i = 0; i < tensors; i++) {
      if (!fits(values[i], call.value(i))) {
        return false;
      }
    }
    for (int i = tensors; i < values.length; i++) {
      Object argument = call.value(i);
      if (values[i] != argument && !values[i].equals(argument)) {
        return false;
      }
    }
    return true;
  }

  private boolean fits(Object known, Object argument) {
    if (known instanceof Layout layout && argument instanceof DenseTensor tensor) {
      return tensor.dtype() == dtype && tensor.layout().isLike(layout);
    }
    return known.equals(argument);
  }
}
