package dev.staunch.kernel.pointwise;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Marking;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/** Quotients and remainders of tensors. */
final class TensorDivision {
  private TensorDivision() {}

  static void addTo(Catalog.Builder catalog) {
    for (String form : new String[] {"Tensor", "Scalar"}) {
      String other = form + " other";
      for (String name : new String[] {"div", "divide", "true_divide"}) {
        Pointwise.both(catalog, name, form, other, TensorDivision::divide);
      }
      for (String name : new String[] {"div", "divide"}) {
        String moded = other + ", *, str? rounding_mode";
        Pointwise.both(catalog, name, form + "_mode", moded, TensorDivision::rounded);
      }
      Pointwise.both(catalog, "remainder", form, other, exact("remainder", Formulas.REMAINDER));
      Pointwise.both(catalog, "fmod", form, other, exact("fmod", Formulas.FMOD));
    }
    Pointwise.Body floor = exact("floor_divide", Formulas.FLOOR_QUOTIENT);
    catalog.one(
        "aten::floor_divide(Tensor self, Tensor other) -> Tensor",
        Marking.one(call -> floor.run(call, false)));
    catalog.one(
        "aten::floor_divide.Scalar(Tensor self, Scalar other) -> Tensor",
        Marking.one(call -> floor.run(call, false)));
    catalog.one(
        "aten::floor_divide_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)",
        call -> floor.run(call, true));
    catalog.one(
        "aten::floor_divide_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)",
        call -> floor.run(call, true));
    catalog.one(
        "aten::remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
        Marking.one(call -> exact("remainder", Formulas.REMAINDER).run(call, false)));
  }

  private static Object divide(Call call, boolean inPlace) {
    DType computed = Promotion.of(call.tensor(0), call.value(1)).floatingResult();
    return Pointwise.apply(
        call, inPlace, "div", computed, Formulas.DIVIDE, call.tensor(0), call.value(1));
  }

  private static Object rounded(Call call, boolean inPlace) {
    if (call.isNone(2)) {
      return divide(call, inPlace);
    }
    return switch (call.string(2)) {
      case "floor" -> exact("div_floor", Formulas.FLOOR_QUOTIENT).run(call, inPlace);
      case "trunc" -> exact("div_trunc", truncated(call)).run(call, inPlace);
      default ->
          Fault.value(
              "`rounding_mode` takes 'trunc', 'floor' or None, but got '" + call.string(2) + "'");
    };
  }

  /** Truncates the quotient as the result's dtype holds it, which may be the next integer. */
  private static Rule truncated(Call call) {
    DType computed = Promotion.of(call.value(0), call.value(1)).result();
    return Formulas.truncatedQuotient(computed);
  }

  private static Pointwise.Body exact(String name, Rule rule) {
    return (call, inPlace) -> {
      DType computed = Promotion.of(call.value(0), call.value(1)).result();
      Fault fault = zeroDivisor(call, name, computed);
      return fault == null
          ? Pointwise.apply(call, inPlace, name, computed, rule, call.value(0), call.value(1))
          : fault;
    };
  }

  private static @Nullable Fault zeroDivisor(Call call, String name, DType computed) {
    if (computed == DType.BOOL) {
      return Pointwise.refusal(name, computed);
    }
    Object shape = Pointwise.shape(call.value(0), call.value(1));
    boolean none = shape instanceof Shape known && known.elements() == 0;
    if (computed.kind() != DType.Kind.INTEGRAL || none) {
      return null;
    }
    if (call.value(1) instanceof DenseTensor divisor) {
      Lookout lookout = new Lookout(call);
      Places places = Places.of(divisor.layout());
      for (long i = 0; i < divisor.elements() && lookout.goesOn(1); i++) {
        if (Elements.asLong(divisor.segment(), divisor.dtype(), places.at(i)) == 0) {
          return byZero(name, ", element " + i + " of the divisor");
        }
      }
      return lookout.fault();
    }
    return wrapped(Scalars.integer(call.value(1)), computed) == 0 ? byZero(name, "") : null;
  }

  /** A number as an integer dtype holds it, its lowest bits. */
  private static long wrapped(long number, DType dtype) {
    int rest = Long.SIZE - Byte.SIZE * dtype.bytes();
    return number << rest;
  }

  private static Fault byZero(String name, String place) {
    String mends = "; cast them to a floating dtype, whose result is infinite or NaN";
    return Fault.value(name + " of integers by 0" + place + mends);
  }
}
