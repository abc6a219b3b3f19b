package dev.staunch.kernel;

import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.Effects;
import dev.staunch.operation.Operands;
import dev.staunch.tensor.DenseTensor;
import java.util.List;

/**
 * Says which results of a call require a gradient. This is the only place that does so for new
 * tensors.
 */
final class GradientFlags {
  private GradientFlags() {}

  /**
   * The outcome of a call with an operand that requires a gradient; floating tensors in it require
   * one too. A tensor written in place stays as it is. A tensor that shares an operand's memory, or
   * might have, follows that operand.
   */
  static Object set(Object outcome, Operands operands, ResourceScope scope, Effects effects) {
    if (outcome instanceof Object[] results) {
      for (int i = 0; i < results.length; i++) {
        results[i] = set(results[i], i, operands, scope, effects);
      }
      return results;
    }
    return set(outcome, 0, operands, scope, effects);
  }

  private static Object set(
      Object result, int i, Operands operands, ResourceScope scope, Effects effects) {
    if (!(result instanceof DenseTensor tensor)
        || !tensor.dtype().isFloating()
        || tensor.requiresGrad()
        || !effects.returnsNew(i)
        || effects.aliasOf(i) != Effects.NONE
        || isOperand(tensor, operands)) {
      return result;
    }
    int viewed = effects.viewed(i);
    if (viewed != Effects.NONE && !requires(operands.value(viewed))) {
      return result;
    }
    DenseTensor flagged = tensor.requiringGrad(scope, true);
    if (tensor.home() == scope) { // a user's kernel may have kept it elsewhere
      tensor.close();
    }
    return flagged;
  }

  private static boolean requires(Object operand) {
    return operand instanceof DenseTensor tensor
        ? tensor.requiresGrad() && tensor.dtype().isFloating()
        : operand instanceof List<?> list && list.stream().anyMatch(GradientFlags::requires);
  }

  private static boolean isOperand(DenseTensor result, Operands operands) {
    for (int i = 0; i < operands.size(); i++) {
      if (result.is(operands.value(i))) {
        return true;
      }
    }
    return false;
  }
}
