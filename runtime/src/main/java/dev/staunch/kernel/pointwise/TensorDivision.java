package dev.staunch.kernel.pointwise;

import static dev.staunch.kernel.loop.Elementwise.Kind.REAL;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Combination;
import dev.staunch.kernel.loop.Elementwise;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.operation.Operands;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/** Quotients and remainders of tensors. */
final class TensorDivision {
  private static final Elementwise TRUE = new Elementwise("div", Formulas.divide(), REAL);

  private TensorDivision() {}

  static void addTo(Catalog.Builder catalog) {
    Catalog.Builder ofValues = catalog.with(Trait.FAILS_ON_VALUES);
    Catalog.Builder widened = catalog.with(Trait.AUTOCAST_WIDENS);
    for (String form : new String[] {"Tensor", "Scalar"}) {
      boolean stored = form.equals("Tensor");
      String other = form + " other";
      quotient(widened.with(Trait.CONSTANT_IS_NUMBER), "div", form, stored);
      quotient(widened, "divide", form, stored);
      quotient(widened, "true_divide", form, stored);
      for (String name : new String[] {"div", "divide"}) {
        String moded = other + ", *, str? rounding_mode";
        Catalog.Builder failing = widened.with(Trait.FAILS_ON_VALUES);
        Pointwise.both(
            stored ? failing.out("out_mode") : failing,
            name,
            form + "_mode",
            moded,
            TensorDivision::rounded);
      }
      Pointwise.both(ofValues, "remainder", form, other, exact("remainder", Formulas.remainder()));
      Pointwise.both(ofValues, "fmod", form, other, exact("fmod", Formulas.fmod()));
    }
    Pointwise.Choice floor = exact("floor_divide", Formulas.floorQuotient());
    Pointwise.one(ofValues, "floor_divide(Tensor self, Tensor other)", floor);
    Pointwise.one(ofValues, "floor_divide.Scalar(Tensor self, Scalar other)", floor);
    Pointwise.inPlace(ofValues, "floor_divide_.Tensor(Tensor(a!) self, Tensor other)", floor);
    Pointwise.inPlace(ofValues, "floor_divide_.Scalar(Tensor(a!) self, Scalar other)", floor);
    Pointwise.one(
        ofValues,
        "remainder.Scalar_Tensor(Scalar self, Tensor other)",
        exact("remainder", Formulas.remainder()));
  }

  private static void quotient(Catalog.Builder catalog, String name, String form, boolean stored) {
    Catalog.Builder known = stored ? catalog.out("out") : catalog;
    Pointwise.both(known, name, form, form + " other", TRUE);
  }

  private static Object rounded(Operands operands) {
    if (operands.isNone(2)) {
      return TRUE.of(operands);
    }
    return switch (operands.string(2)) {
      case "floor" -> exact("div_floor", Formulas.floorQuotient()).of(operands);
      case "trunc" -> exact("div_trunc", truncated(operands)).of(operands);
      default ->
          Fault.value(
              "`rounding_mode` takes 'trunc', 'floor' or None, but got '"
                  + operands.string(2)
                  + "'");
    };
  }

  /**
   * Truncates the quotient after rounding it to the result's dtype, which may give the next
   * integer.
   */
  private static Rule truncated(Operands operands) {
    return Formulas.truncatedQuotient(promoted(operands));
  }

  private static DType promoted(Operands operands) {
    return Promotion.of(operands.value(0), operands.value(1)).result();
  }

  /** Computes integers as integers; division by 0 is a fault. */
  private static Pointwise.Choice exact(String name, Rule rule) {
    return operands -> {
      DType computed = promoted(operands);
      if (computed == DType.BOOL) {
        return Pointwise.refusal(name, computed);
      }
      Combination quotient =
          Combination.of(name, computed, rule, operands.value(0), operands.value(1));
      if (computed.kind() != DType.Kind.INTEGRAL || isEmpty(operands)) {
        return quotient;
      }
      if (operands.isTensor(1)) {
        return quotient.checked(call -> zeroDivisor(call, name));
      }
      boolean byZero = wrapped(Scalars.integer(operands.value(1)), computed) == 0;
      return byZero ? byZero(name, "") : quotient;
    };
  }

  private static boolean isEmpty(Operands operands) {
    Object shape = Pointwise.shape(operands.value(0), operands.value(1));
    return shape instanceof Shape known && known.elements() == 0;
  }

  private static @Nullable Fault zeroDivisor(Call call, String name) {
    DenseTensor divisor = call.tensor(1);
    CancellationPoll poll = new CancellationPoll(call);
    Places places = Places.of(divisor.layout());
    for (long i = 0; i < divisor.elements() && poll.mayContinue(1); i++) {
      if (Elements.asLong(divisor.segment(), divisor.dtype(), places.at(i)) == 0) {
        return byZero(name, ", element " + i + " of the divisor");
      }
    }
    return poll.fault();
  }

  /** The number in an integer dtype, that is, its lowest bits. */
  private static long wrapped(long number, DType dtype) {
    int rest = Long.SIZE - Byte.SIZE * dtype.bytes();
    return number << rest;
  }

  private static Fault byZero(String name, String place) {
    String mends = "; cast them to a floating dtype, whose result is infinite or NaN";
    return Fault.value(name + " of integers by 0" + place + mends);
  }
}
