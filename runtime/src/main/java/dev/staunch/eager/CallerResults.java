package dev.staunch.eager;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.CompoundTensor;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.Reachable;
import dev.staunch.tensor.DenseTensor;
import java.util.Arrays;
import java.util.List;

/** What a caller gets of the results of a kernel; what it cannot have is closed. */
final class CallerResults {
  private CallerResults() {}

  /** Replaces each result that only scripts can hold by a fault. */
  static Object values(Object own, List<?> operands, Signature signature) {
    if (own instanceof Object[] parts) {
      Arrays.setAll(parts, i -> values(parts[i], operands, signature));
      return parts;
    }
    return isForScripts(own) ? tensorOrFault(own, operands, signature) : own;
  }

  /** Replaces each result that is not a tensor by a fault, where handles were asked for. */
  static Object tensors(Object own, List<?> operands, Signature signature) {
    if (own instanceof Object[] parts) {
      Arrays.setAll(parts, i -> tensors(parts[i], operands, signature));
      return parts;
    }
    return tensorOrFault(own, operands, signature);
  }

  /** Whether {@code value} is no tensor that a handle can have, but holds some. */
  private static boolean isForScripts(Object value) {
    return value instanceof CompoundTensor
        || (value instanceof ObjectValue && !Reachable.of(value).tensors().isEmpty());
  }

  /**
   * Returns {@code made}, or a fault if that is neither an ordinary tensor nor a fault. The parts
   * of a refused value are closed, unless they are among {@code operands}.
   */
  static Object tensorOrFault(Object made, List<?> operands, Signature signature) {
    if (made instanceof DenseTensor || made instanceof Fault) {
      return made;
    }
    boolean isForScripts = isForScripts(made);
    for (DenseTensor part : Reachable.of(made).tensors()) {
      if (operands.stream().noneMatch(each -> each instanceof DenseTensor it && part.is(it))) {
        part.close();
      }
    }
    String why =
        isForScripts
            ? " returns a value that only scripts can hold"
            : " does not return a tensor here; call applyValue";
    return Fault.value(signature.name() + why).withOperation(signature.name(), List.of());
  }
}
