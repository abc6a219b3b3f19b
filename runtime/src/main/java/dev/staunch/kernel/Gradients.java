package dev.staunch.kernel;

import dev.staunch.tensor.DenseTensor;
import java.util.List;

/** Gives the result of an operation on a list of tensors the gradient flag that they ask for. */
final class Gradients {
  private Gradients() {}

  static Object marked(Call call, List<DenseTensor> operands, Object result) {
    boolean wanted =
        call.environment().gradEnabled() && operands.stream().anyMatch(DenseTensor::requiresGrad);
    if (wanted && result instanceof DenseTensor tensor && tensor.dtype().isFloating()) {
      DenseTensor flagged = tensor.requiringGrad(call.scope(), true);
      tensor.close();
      return flagged;
    }
    return result;
  }
}
