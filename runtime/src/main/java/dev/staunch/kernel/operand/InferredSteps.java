package dev.staunch.kernel.operand;

import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.Preparation;
import dev.staunch.operation.Cost;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.tensor.DenseTensor;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Steps that only infer the forms of their results and count multiplications and additions. */
final class InferredSteps extends Steps {
  private final Function<String, @Nullable CatalogEntry> catalog;
  private long multiplyAdds;

  InferredSteps(Function<String, @Nullable CatalogEntry> catalog) {
    this.catalog = catalog;
  }

  long multiplyAdds() {
    return multiplyAdds;
  }

  @Override
  @Nullable Object ended() {
    return null;
  }

  @Override
  public Object once(Object operand, Object format, Making making) {
    return making.of(this, operand);
  }

  @Override
  @Nullable Preparation kept() {
    return null;
  }

  @Override
  @Nullable CatalogEntry find(String name) {
    return catalog.apply(name);
  }

  @Override
  Object run(CatalogEntry operation, Object[] arguments, @Nullable Preparation kept) {
    Inference inference = operation.inference();
    if (inference == null) {
      return Inference.Unknown.NOT_INFERRED;
    }
    Operands operands = operands(arguments);
    Object results = inference.infer(operands);
    if (!isNoValue(results)) {
      multiplyAdds =
          Cost.sum(multiplyAdds, operation.definition().cost(operands, results).multiplyAdds());
    }
    return results;
  }

  @Override
  Object result(Kernel.One kernel, Inference inference, Object[] arguments) {
    return inference.infer(operands(arguments));
  }

  private static Operands operands(Object[] arguments) {
    Object[] forms = new Object[arguments.length];
    for (int i = 0; i < forms.length; i++) {
      forms[i] = forms(arguments[i]);
    }
    return Operands.of(forms);
  }

  /** Replaces tensors, including those in a list or among several results, by their forms. */
  static Object forms(Object value) {
    if (value instanceof List<?> list && list.stream().anyMatch(DenseTensor.class::isInstance)) {
      return list.stream().map(InferredSteps::forms).toList();
    }
    if (value instanceof Object[] several) {
      return Arrays.stream(several).map(InferredSteps::forms).toArray();
    }
    return value instanceof DenseTensor tensor ? Steps.form(tensor) : value;
  }
}
