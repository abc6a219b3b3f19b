package dev.staunch.kernel.operand;

import dev.staunch.kernel.Call;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.List;

/** Gives the results of operations on lists of tensors the gradient flag that they ask for. */
public final class Gradients {
  private Gradients() {}

  /** {@code result}, requiring a gradient if it is of floats and an operand does. */
  public static Object marked(Call call, List<DenseTensor> operands, Object result) {
    boolean wanted =
        call.environment().gradEnabled() && operands.stream().anyMatch(DenseTensor::requiresGrad);
    if (wanted && result instanceof DenseTensor tensor && tensor.dtype().isFloating()) {
      DenseTensor flagged = tensor.requiringGrad(call.scope(), true);
      tensor.close();
      return flagged;
    }
    return result;
  }

  /** Several results, marked if any argument, or element of one, asks for it. */
  public static Object each(Call call, Object results) {
    if (!(results instanceof Object[] several) || !call.environment().gradEnabled()) {
      return results;
    }
    List<DenseTensor> operands = new ArrayList<>();
    for (int i = 0; i < call.size(); i++) {
      for (Object part : call.value(i) instanceof List<?> list ? list : List.of(call.value(i))) {
        if (part instanceof DenseTensor tensor) {
          operands.add(tensor);
        }
      }
    }
    for (int i = 0; i < several.length; i++) {
      several[i] = marked(call, operands, several[i]);
    }
    return several;
  }
}
