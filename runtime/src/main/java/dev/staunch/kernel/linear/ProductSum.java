package dev.staunch.kernel.linear;

import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Operands;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/**
 * A product that a tensor is added to, both times a factor. A tensor of another dtype than the
 * product is cast to it before.
 *
 * @param product the product alone, if TorchScript rewrites the sum as {@code self + product} where
 *     both factors are 1: then it broadcasts and has the dtype that {@code add} gives
 */
record ProductSum(String name, int leftRank, int rightRank, @Nullable String product) {
  /** Whether {@link #inParts} computes the sum; the operands have their ranks. */
  boolean hasParts(Operands operands) {
    boolean mixed = operands.dtype(0) != operands.dtype(1);
    if (product == null) {
      return mixed && operands.dtype(1) == operands.dtype(2);
    }
    return isOne(operands.scalar(3))
        && isOne(operands.scalar(4))
        && (mixed || ScaledAddend.misfit(operands.shape(0), shape(operands)) != null);
  }

  private static Shape shape(Operands operands) {
    return Shape.of(operands.shape(1).size(0), operands.shape(2).size(1));
  }

  private static boolean isOne(Object factor) {
    return factor instanceof Number number && number.doubleValue() == 1;
  }

  /** The sum as steps of other operations. */
  Object inParts(Steps steps, Operands call) {
    Object left = call.value(1);
    Object right = call.value(2);
    return product == null
        ? steps.run(
            name,
            steps.cast(call.value(0), call.dtype(1)),
            left,
            right,
            call.value(3),
            call.value(4))
        : steps.sum(call.value(0), steps.run(product, left, right));
  }
}
