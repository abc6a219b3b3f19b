package dev.staunch.kernel.pointwise;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Combination;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.scalar.CastOperations;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Operands;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/** Selects between elements by a mask. */
final class Selections {
  private Selections() {}

  static void addTo(Catalog.Builder catalog) {
    where(catalog.out("self_out"), "self", "Tensor", "Tensor");
    where(catalog, "ScalarSelf", "Scalar", "Tensor");
    where(catalog, "ScalarOther", "Tensor", "Scalar");
    where(catalog, "Scalar", "Scalar", "Scalar");
    for (String form : new String[] {"Scalar", "Tensor"}) {
      Pointwise.both(
          catalog, "masked_fill", form, "Tensor mask, " + form + " value", Selections::fill);
    }
  }

  private static void where(Catalog.Builder catalog, String overload, String a, String b) {
    Pointwise.one(
        catalog,
        Message.of("where.%s(Tensor condition, %s self, %s other)", overload, a, b),
        Selections::choose);
  }

  private static Object choose(Operands operands) {
    DType mask = operands.dtype(0);
    if (mask != DType.BOOL && mask != DType.UINT8) {
      return Fault.dtype("`condition` must be bool, but it is " + mask)
          .withExpected(ExpectedDType.of(DType.BOOL).in("condition"), mask);
    }
    DType computed = Promotion.of(operands.value(1), operands.value(2)).result();
    Object self = operands.value(1);
    Object other = operands.value(2);
    Fault fault =
        OperandChecks.first(
            OperandChecks.fits(self, computed), OperandChecks.fits(other, computed));
    return fault == null
        ? Combination.of("where", computed, Formulas.choose(), operands.value(0), self, other)
        : fault;
  }

  private static Object fill(Operands operands) {
    DType self = operands.dtype(0);
    Object value = operands.value(2);
    Fault fault = badMask(operands.dtype(1));
    fault = fault == null && operands.isTensor(2) ? badValue(operands.shape(2)) : fault;
    fault = fault == null ? OperandChecks.fits(value, self) : fault;
    if (fault != null) {
      return fault;
    }
    boolean truth = self == DType.BOOL && value instanceof DenseTensor;
    Object filled = truth ? CastOperations.item((DenseTensor) value) : value;
    return Combination.of(
            "masked_fill", self, Formulas.choose(), operands.value(1), filled, operands.value(0))
        .lyingAs();
  }

  private static @Nullable Fault badMask(DType mask) {
    return mask == DType.BOOL || mask == DType.UINT8
        ? null
        : Fault.dtype("`mask` must be bool, but it is " + mask)
            .withExpected(ExpectedDType.of(DType.BOOL).in("mask"), mask);
  }

  private static @Nullable Fault badValue(Shape shape) {
    String text =
        "`value` must have no dimensions, but its shape is %s; use `where` for one with"
            + " dimensions";
    return shape.equals(Shape.SCALAR) ? null : Fault.shape(Message.of(text, shape));
  }
}
