package dev.staunch.kernel.standard;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.spectral.ComplexArithmetic;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.List;

/**
 * Gives operations on reals a second kernel, for complex operands: what they do is said by the real
 * and the imaginary parts. Costs a look at each operand's dtype.
 */
final class ComplexForms {
  private ComplexForms() {}

  /** The same operation, for complex operands, too, if it takes any. */
  static CatalogEntry widened(CatalogEntry operation) {
    String name = operation.name();
    Steps.Body body =
        name.startsWith("aten::")
            ? ComplexArithmetic.form(name.substring("aten::".length()))
            : null;
    if (body == null || !(operation.kernel() instanceof Kernel.One real)) {
      return operation;
    }
    Kernel.One either = call -> isComplex(call) ? Steps.within(call, body) : real.run(call);
    Inference inference = operation.inference();
    return operation.widened(either, inference == null ? null : ofReals(inference));
  }

  private static Inference ofReals(Inference real) {
    return operands ->
        isComplex(operands) ? Inference.Unknown.DEPENDS_ON_VALUES : real.infer(operands);
  }

  private static boolean isComplex(Call call) {
    for (int i = 0; i < call.size(); i++) {
      Object value = call.value(i);
      if (value instanceof DenseTensor tensor && tensor.dtype().kind() == DType.Kind.COMPLEX) {
        return true;
      }
      if (value instanceof List<?> list
          && !list.isEmpty()
          && list.get(0) instanceof DenseTensor first
          && first.dtype().kind() == DType.Kind.COMPLEX) {
        return true;
      }
    }
    return false;
  }

  private static boolean isComplex(Operands operands) {
    for (int i = 0; i < operands.size(); i++) {
      if (operands.value(i) instanceof TensorForm form
          && form.dtype().kind() == DType.Kind.COMPLEX) {
        return true;
      }
    }
    return operands instanceof Call call && isComplex(call);
  }
}
