package dev.staunch.kernel.pointwise;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Combination;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Operands;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;

/** Operations on three tensors: interpolation, and products or quotients that are added. */
final class Interpolations {
  private Interpolations() {}

  static void addTo(Catalog.Builder catalog) {
    for (String form : new String[] {"Scalar", "Tensor"}) {
      String rest = "Tensor end, " + form + " weight";
      Pointwise.both(catalog, "lerp", form, rest, Interpolations::lerp);
    }
    String rest = "Tensor tensor1, Tensor tensor2, *, Scalar value=1";
    Catalog.Builder widened = catalog.with(Trait.AUTOCAST_WIDENS);
    Pointwise.both(widened, "addcmul", "", rest, Interpolations::addProduct);
    Pointwise.both(widened, "addcdiv", "", rest, Interpolations::addQuotient);
  }

  private static Object lerp(Operands operands) {
    DType self = operands.dtype(0);
    for (int k = 1; k < 3; k++) {
      if (operands.isTensor(k) && operands.dtype(k) != self) {
        return Fault.dtype(
                Message.of(
                    "`%s` must have the dtype of the tensor, %s, but it is %s",
                    k == 1 ? "end" : "weight", self, operands.dtype(k)))
            .withExpected(ExpectedDType.same(self), operands.dtype(k));
      }
    }
    Object start = operands.value(0);
    Object end = operands.value(1);
    if (operands.isTensor(2)
        || operands.scalar(2) instanceof ComplexNumber
        || self.kind() != DType.Kind.FLOATING) {
      return Combination.of("lerp", self, Formulas.lerp(), start, end, operands.value(2));
    }
    Fault unfit = OperandChecks.fits(operands.scalar(2), self);
    if (unfit != null) {
      return unfit;
    }
    // Rounded to the dtype, like the elements: 0.3 is another number in float32.
    double weight = Scalars.real(operands.scalar(2), self);
    Rule rule = weight < 0.5 ? Formulas.lerpNear(weight) : Formulas.lerpFar(weight);
    return Combination.of("lerp", self, rule, start, end);
  }

  private static Object addProduct(Operands operands) {
    DType computed = Promotion.of(operands.value(0), operands.value(1), operands.value(2)).result();
    Fault unfit = OperandChecks.fits(operands.scalar(3), computed);
    if (unfit != null) {
      return unfit;
    }
    if (computed == DType.BOOL) {
      return Pointwise.refusal("addcmul", computed);
    }
    double real = Scalars.real(operands.scalar(3));
    long factor = Scalars.integer(operands.scalar(3));
    Rule rule = Formulas.addProduct(real, factor);
    return Combination.of(
        "addcmul", computed, rule, operands.value(0), operands.value(1), operands.value(2));
  }

  private static Object addQuotient(Operands operands) {
    if (isWhole(operands.dtype(1)) && isWhole(operands.dtype(2))) {
      return Fault.dtype("addcdiv does not divide integers by integers")
          .withExpected(ExpectedDType.FLOATING.in("tensor1"), operands.dtype(1));
    }
    DType computed = Promotion.of(operands.value(0), operands.value(1), operands.value(2)).result();
    Fault unfit = OperandChecks.fits(operands.scalar(3), computed);
    if (unfit != null) {
      return unfit;
    }
    Rule rule = Formulas.addQuotient(Scalars.real(operands.scalar(3)));
    return Combination.of(
        "addcdiv", computed, rule, operands.value(0), operands.value(1), operands.value(2));
  }

  private static boolean isWhole(DType dtype) {
    return dtype.kind() == DType.Kind.INTEGRAL || dtype.kind() == DType.Kind.BOOL;
  }
}
