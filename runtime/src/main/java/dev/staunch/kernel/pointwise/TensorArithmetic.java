package dev.staunch.kernel.pointwise;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Marking;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/** Sums, differences, products, minima and maxima of tensors. */
final class TensorArithmetic {
  private TensorArithmetic() {}

  static void addTo(Catalog.Builder catalog) {
    sums(catalog, "add", 1);
    sums(catalog, "sub", -1);
    sums(catalog, "subtract", -1);
    String reverse = "(Tensor self, %s other, %sScalar alpha=1) -> Tensor";
    catalog.one(
        "aten::rsub.Scalar" + Message.of(reverse, "Scalar", ""),
        Marking.one(TensorArithmetic::rsub));
    catalog.one(
        "aten::rsub.Tensor" + Message.of(reverse, "Tensor", "*, "),
        Marking.one(TensorArithmetic::rsub));
    for (String name : new String[] {"mul", "multiply"}) {
      for (String form : new String[] {"Tensor", "Scalar"}) {
        Pointwise.both(catalog, name, form, form + " other", TensorArithmetic::multiply);
      }
    }
    extremes(catalog);
  }

  private static void sums(Catalog.Builder catalog, String name, int sign) {
    Pointwise.Body body = (call, inPlace) -> sum(call, inPlace, name, sign);
    Pointwise.both(catalog, name, "Tensor", "Tensor other, *, Scalar alpha=1", body);
    Pointwise.both(catalog, name, "Scalar", "Scalar other, Scalar alpha=1", body);
  }

  private static Object multiply(Call call, boolean inPlace) {
    DType computed = Promotion.of(call.tensor(0), call.value(1)).result();
    return Pointwise.apply(
        call, inPlace, "mul", computed, Formulas.MULTIPLY, call.tensor(0), call.value(1));
  }

  /** {@code self + sign * alpha * other}. */
  private static Object sum(Call call, boolean inPlace, String name, int sign) {
    DType computed = Promotion.of(call.tensor(0), call.value(1)).result();
    Fault fault = badAlpha(call, computed, sign < 0);
    return fault == null
        ? Pointwise.apply(
            call,
            inPlace,
            name,
            computed,
            sumRule(call, computed, sign),
            call.tensor(0),
            call.value(1))
        : fault;
  }

  private static Rule sumRule(Call call, DType computed, int sign) {
    double real = Scalars.real(call.scalar(2));
    if (real == 1 && computed != DType.BOOL) {
      return sign > 0 ? Formulas.ADD : Formulas.SUBTRACT;
    }
    long alpha = sign * Scalars.integer(call.scalar(2));
    return computed == DType.BOOL
        ? Formulas.addBools(alpha)
        : Formulas.addScaled(sign * real, alpha);
  }

  /** {@code alpha * -self + other}. */
  private static Object rsub(Call call) {
    DType computed = Promotion.of(call.tensor(0), call.value(1)).result();
    Fault fault = badAlpha(call, computed, true);
    double real = Scalars.real(call.scalar(2));
    long alpha = Scalars.integer(call.scalar(2));
    Rule rule = Formulas.subtractedFrom(real, alpha);
    return fault == null
        ? Pointwise.apply(call, false, "rsub", computed, rule, call.tensor(0), call.value(1))
        : fault;
  }

  private static @Nullable Fault badAlpha(Call call, DType computed, boolean subtracts) {
    Object alpha = call.scalar(2);
    if (alpha instanceof ComplexNumber || computed.kind() == DType.Kind.COMPLEX) {
      return Fault.unsupported(
          "add and sub are not implemented for complex numbers; work on `real` and `imag` apart");
    }
    if (subtracts && (isBool(call.value(0)) || isBool(call.value(1)))) {
      String other =
          isBool(call.value(0)) && isBool(call.value(1))
              ? "`logical_xor` tells where two masks differ"
              : "`logical_not` inverts a mask";
      return Fault.dtype("bool is not subtracted: " + other)
          .withExpected("numbers", DType.BOOL.toString());
    }
    if (alpha instanceof Double && !computed.isFloating()) {
      return Fault.dtype("`alpha` must be an integer for tensors of integers")
          .withExpected("alpha of an integer dtype", "a float");
    }
    return alpha instanceof Boolean && computed != DType.BOOL
        ? Fault.dtype("a bool `alpha` does not scale " + computed)
        : null;
  }

  private static boolean isBool(Object operand) {
    return operand instanceof Boolean
        || (operand instanceof DenseTensor tensor && tensor.dtype() == DType.BOOL);
  }

  private static void extremes(Catalog.Builder catalog) {
    pairs(catalog, "maximum", Formulas.GREATER);
    pairs(catalog, "max.other", Formulas.GREATER);
    pairs(catalog, "minimum", Formulas.LESS);
    pairs(catalog, "min.other", Formulas.LESS);
    pairs(catalog, "fmax", Formulas.GREATER_NUMBER);
    pairs(catalog, "fmin", Formulas.LESS_NUMBER);
  }

  private static void pairs(Catalog.Builder catalog, String name, Rule rule) {
    catalog.one(
        "aten::" + name + "(Tensor self, Tensor other) -> Tensor",
        Marking.one(call -> {
          DType computed = Promotion.of(call.tensor(0), call.tensor(1)).result();
          return Pointwise.apply(call, false, name, computed, rule, call.tensor(0), call.tensor(1));
        }));
  }
}
