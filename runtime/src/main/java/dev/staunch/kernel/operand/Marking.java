package dev.staunch.kernel.operand;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Kernel;
import dev.staunch.tensor.DenseTensor;

/** Gives results the gradient flag that their operands ask for. */
public final class Marking {
  private Marking() {}

  /** {@code kernel}, whose floating results require a gradient if an operand does. */
  public static Kernel.One one(Kernel.One kernel) {
    return call -> marked(call, kernel.run(call));
  }

  /** As {@link #one}, for the first of several results. */
  public static Kernel.Many first(Kernel.Many kernel) {
    return call -> {
      Object results = kernel.run(call);
      if (results instanceof Object[] several) {
        several[0] = marked(call, several[0]);
      }
      return results;
    };
  }

  /** {@code result}, which requires a gradient if it is of floats and an operand does. */
  public static Object marked(Call call, Object result) {
    if (result instanceof Fault || !call.environment().gradEnabled() || !anyRequires(call)) {
      return result;
    }
    if (result instanceof DenseTensor tensor
        && tensor.dtype().isFloating()
        && !tensor.requiresGrad()) {
      DenseTensor flagged = tensor.requiringGrad(call.scope(), true);
      tensor.close();
      return flagged;
    }
    return result;
  }

  private static boolean anyRequires(Call call) {
    for (int i = 0; i < call.size(); i++) {
      if (call.value(i) instanceof DenseTensor tensor
          && tensor.requiresGrad()
          && tensor.dtype().isFloating()) {
        return true;
      }
    }
    return false;
  }
}
