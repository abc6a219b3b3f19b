package dev.staunch.kernel.standard;

import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.OperandTraits;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.spectral.ComplexArithmetic;
import org.jspecify.annotations.Nullable;

/**
 * Gives operations on reals a second kernel for complex operands, defined by the real and imaginary
 * parts.
 */
final class ComplexForms {
  private static final String NAMESPACE = "aten::";

  private ComplexForms() {}

  /**
   * How to compute an operation for complex operands; null if it takes none, or handles them
   * itself.
   */
  static CatalogEntry.@Nullable Form of(CatalogEntry operation) {
    String name = operation.name();
    Steps.Body body =
        name.startsWith(NAMESPACE)
            ? ComplexArithmetic.form(name.substring(NAMESPACE.length()))
            : null;
    return body == null || !(operation.kernel() instanceof Kernel.One)
        ? null
        : new CatalogEntry.Form(OperandTraits.COMPLEX, call -> Steps.within(call, body));
  }
}
