package dev.staunch.kernel.loop;

import dev.staunch.kernel.Call;
import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.tensor.DenseTensor;
import org.jspecify.annotations.Nullable;

/** Finds the kernel set's own loop for a rule. */
final class RowFormulas {
  private RowFormulas() {}

  /**
   * The set's loop for {@code rule} on operands of float32; null if the rule's own is to be run.
   */
  static @Nullable RowFormula of(Call call, Rule rule, Object... operands) {
    if (!rule.isConstant() || !(rule instanceof Rule.Numbers) || !rule.takesReals()) {
      return null;
    }
    for (Object operand : operands) {
      if (operand instanceof DenseTensor tensor && tensor.segment().isMapped()) {
        return null;
      }
    }
    return call.environment().kernels().rowFormula(rule.name());
  }
}
