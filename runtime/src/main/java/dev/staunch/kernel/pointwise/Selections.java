package dev.staunch.kernel.pointwise;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.operand.Demands;
import dev.staunch.kernel.operand.Marking;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.scalar.CastOperations;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/** Chooses between elements by a mask. */
final class Selections {
  private Selections() {}

  static void addTo(Catalog.Builder catalog) {
    where(catalog, "self", "Tensor", "Tensor");
    where(catalog, "ScalarSelf", "Scalar", "Tensor");
    where(catalog, "ScalarOther", "Tensor", "Scalar");
    where(catalog, "Scalar", "Scalar", "Scalar");
    for (String form : new String[] {"Scalar", "Tensor"}) {
      Pointwise.both(
          catalog, "masked_fill", form, "Tensor mask, " + form + " value", Selections::fill);
    }
  }

  private static void where(Catalog.Builder catalog, String overload, String a, String b) {
    catalog.one(
        Message.of("aten::where.%s(Tensor condition, %s self, %s other) -> Tensor", overload, a, b),
        Marking.one(Selections::choose));
  }

  private static Object choose(Call call) {
    DType mask = call.tensor(0).dtype();
    if (mask != DType.BOOL && mask != DType.UINT8) {
      return Fault.dtype("`condition` must be bool, but it is " + mask)
          .withExpected("condition of bool", mask.toString());
    }
    DType computed = Promotion.of(call.value(1), call.value(2)).result();
    return Pointwise.apply(
        call,
        false,
        "where",
        computed,
        Formulas.CHOOSE,
        call.tensor(0),
        call.value(1),
        call.value(2));
  }

  private static Object fill(Call call, boolean inPlace) {
    DenseTensor self = call.tensor(0);
    Fault fault = badFill(call.tensor(1), call.value(2));
    fault = fault == null ? Demands.fits(call.value(2), self.dtype()) : fault;
    if (fault != null) {
      return fault;
    }
    boolean truth = self.dtype() == DType.BOOL && call.value(2) instanceof DenseTensor;
    Object value = truth ? CastOperations.item(call.tensor(2)) : call.value(2);
    return Pointwise.apply(
        call, inPlace, "masked_fill", self.dtype(), Formulas.CHOOSE, call.tensor(1), value, self);
  }

  private static @Nullable Fault badFill(DenseTensor mask, Object value) {
    if (mask.dtype() != DType.BOOL && mask.dtype() != DType.UINT8) {
      return Fault.dtype("`mask` must be bool, but it is " + mask.dtype())
          .withExpected("mask of bool", mask.dtype().toString());
    }
    if (value instanceof DenseTensor tensor && !tensor.shape().equals(Shape.SCALAR)) {
      String text =
          "`value` must have no dimensions, but its shape is %s; use `where` for one with"
              + " dimensions";
      return Fault.shape(Message.of(text, tensor.shape()));
    }
    return null;
  }
}
