package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Arithmetic, comparisons and functions of single elements. */
final class PointwiseOperations {
  private static final String TENSOR = "(Tensor self, Tensor other) -> Tensor";
  private static final String SCALAR = "(Tensor self, Scalar other) -> Tensor";
  private static final String UNARY = "(Tensor self) -> Tensor";
  private static final String UNARY_IN_PLACE = "(Tensor(a!) self) -> Tensor(a!)";

  private static final Pointwise.Rule MULTIPLY =
      new Pointwise.Rule((a, b) -> a * b, (a, b) -> a * b);
  private static final Pointwise.Rule DIVIDE = new Pointwise.Rule((a, b) -> a / b, (a, b) -> 0);

  private PointwiseOperations() {}

  static void addTo(Catalog.Builder catalog) {
    sums(catalog);
    products(catalog);
    comparisons(catalog);
    functions(catalog);
    activations(catalog);
    catalog.one("aten::isnan" + UNARY, call -> test(call, Double::isNaN));
    catalog.one("aten::logical_not" + UNARY, PointwiseOperations::not);
    catalog.one("aten::bitwise_not" + UNARY, PointwiseOperations::bitwiseNot);
    binary(catalog, "aten::maximum", rule(Math::max, Math::max));
    binary(catalog, "aten::minimum", rule(Math::min, Math::min));
    logical(catalog);
  }

  private static Pointwise.Rule rule(
      java.util.function.DoubleBinaryOperator reals, java.util.function.LongBinaryOperator ints) {
    return new Pointwise.Rule(reals, ints);
  }

  private static void binary(Catalog.Builder catalog, String name, Pointwise.Rule rule) {
    catalog.one(name + TENSOR, Marking.one(call -> promoted(call, call.value(1), rule)));
  }

  private static void sums(Catalog.Builder catalog) {
    String tensor = "(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor";
    String scalar = "(Tensor self, Scalar other, Scalar alpha=1) -> Tensor";
    catalog.one("aten::add.Tensor" + tensor, Marking.one(call -> scaled(call, 1, false)));
    catalog.one("aten::add.Scalar" + scalar, Marking.one(call -> scaled(call, 1, false)));
    catalog.one("aten::sub.Tensor" + tensor, Marking.one(call -> scaled(call, -1, false)));
    catalog.one("aten::sub.Scalar" + scalar, Marking.one(call -> scaled(call, -1, false)));
    String tensorInPlace = "(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)";
    String scalarInPlace = "(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)";
    catalog.one("aten::add_.Tensor" + tensorInPlace, call -> scaled(call, 1, true));
    catalog.one("aten::add_.Scalar" + scalarInPlace, call -> scaled(call, 1, true));
    catalog.one("aten::sub_.Tensor" + tensorInPlace, call -> scaled(call, -1, true));
    catalog.one("aten::sub_.Scalar" + scalarInPlace, call -> scaled(call, -1, true));
    catalog.one(
        "aten::rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
        Marking.one(PointwiseOperations::reverseSubtract));
  }

  /** {@code self + sign * alpha * other}. */
  private static Object scaled(Call call, int sign, boolean inPlace) {
    Object other = call.value(1);
    Object alpha = call.scalar(2);
    if (alpha instanceof ComplexNumber || other instanceof ComplexNumber) {
      return Fault.unsupported("complex scalars are not supported here");
    }
    DType computed = Promotion.of(call.tensor(0), other).result();
    if (alpha instanceof Double && !computed.isFloating()) {
      return Fault.dtype(
          "For integral input tensors, argument alpha must not be a floating point number");
    }
    double real = sign * Scalars.real(alpha);
    long integer = alpha instanceof Double ? 0 : sign * Scalars.integer(alpha);
    boolean logical = computed == DType.BOOL;
    Pointwise.Rule rule =
        rule((a, b) -> a + real * b, logical ? (a, b) -> a | b : (a, b) -> a + integer * b);
    if (logical && sign < 0) {
      return Fault.dtype("Subtraction, the `-` operator, with two bool tensors is not supported");
    }
    return inPlace
        ? Pointwise.inPlace(call, computed, other, rule)
        : Pointwise.binary(call, computed, computed, call.tensor(0), other, rule);
  }

  private static Object reverseSubtract(Call call) {
    Object alpha = call.scalar(2);
    double real = Scalars.real(alpha);
    long integer = alpha instanceof Double ? 0 : Scalars.integer(alpha);
    return promoted(call, call.value(1), rule((a, b) -> b - real * a, (a, b) -> b - integer * a));
  }

  private static Object promoted(Call call, Object other, Pointwise.Rule rule) {
    if (other instanceof ComplexNumber) {
      return Fault.unsupported("complex scalars are not supported here");
    }
    DType computed = Promotion.of(call.tensor(0), other).result();
    return Pointwise.binary(call, computed, computed, call.tensor(0), other, rule);
  }

  private static void products(Catalog.Builder catalog) {
    binary(catalog, "aten::mul.Tensor", MULTIPLY);
    catalog.one(
        "aten::mul.Scalar" + SCALAR, Marking.one(call -> promoted(call, call.value(1), MULTIPLY)));
    for (String form : new String[] {"Tensor", "Scalar"}) {
      String inPlace = "(Tensor(a!) self, " + form + " other) -> Tensor(a!)";
      String plain = "(Tensor self, " + form + " other) -> Tensor";
      catalog.one("aten::mul_." + form + inPlace, PointwiseOperations::multiplyInPlace);
      catalog.one("aten::div." + form + plain, Marking.one(PointwiseOperations::divide));
      catalog.one("aten::div_." + form + inPlace, PointwiseOperations::divideInPlace);
    }
    catalog.one(
        "aten::pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
        Marking.one(PointwiseOperations::power));
    catalog.one(
        "aten::pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor",
        Marking.one(PointwiseOperations::power));
    catalog.one(
        "aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor",
        Marking.one(PointwiseOperations::clamp));
  }

  private static Object multiplyInPlace(Call call) {
    DType computed = Promotion.of(call.tensor(0), call.value(1)).result();
    return Pointwise.inPlace(call, computed, call.value(1), MULTIPLY);
  }

  private static Object divide(Call call) {
    DType computed = Promotion.of(call.tensor(0), call.value(1)).floatingResult();
    return Pointwise.binary(call, computed, computed, call.tensor(0), call.value(1), DIVIDE);
  }

  private static Object divideInPlace(Call call) {
    DType computed = Promotion.of(call.tensor(0), call.value(1)).floatingResult();
    return Pointwise.inPlace(call, computed, call.value(1), DIVIDE);
  }

  private static Object power(Call call) {
    Object exponent = call.value(1);
    if (!call.tensor(0).dtype().isFloating() && exponent instanceof Long integer && integer < 0) {
      return Fault.value("Integers to negative integer powers are not allowed.");
    }
    return promoted(call, exponent, rule(Math::pow, PointwiseOperations::integerPower));
  }

  private static long integerPower(long base, long exponent) {
    if (exponent < 0) {
      return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
    }
    long result = 1;
    long square = base;
    for (long left = exponent; left > 0; left >>= 1) {
      result *= (left & 1) == 1 ? square : 1;
      square *= square;
    }
    return result;
  }

  private static Object clamp(Call call) {
    Object least = call.value(1);
    Object most = call.value(2);
    if (call.isNone(1) && call.isNone(2)) {
      return Fault.value("torch.clamp: At least one of 'min' or 'max' must not be None");
    }
    Object[] given =
        call.isNone(1)
            ? new Object[] {call.tensor(0), most}
            : call.isNone(2)
                ? new Object[] {call.tensor(0), least}
                : new Object[] {call.tensor(0), least, most};
    DType computed = Promotion.of(given).result();
    double low = call.isNone(1) ? Double.NEGATIVE_INFINITY : Scalars.real(least);
    double high = call.isNone(2) ? Double.POSITIVE_INFINITY : Scalars.real(most);
    long lowest = call.isNone(1) ? Long.MIN_VALUE : (long) low;
    long highest = call.isNone(2) ? Long.MAX_VALUE : (long) high;
    Pointwise.Rule rule =
        rule(
            (a, b) -> Double.isNaN(a) ? a : Math.min(Math.max(a, low), high),
            (a, b) -> Math.min(Math.max(a, lowest), highest));
    return Pointwise.binary(call, computed, computed, call.tensor(0), 0L, rule);
  }

  private static void comparisons(Catalog.Builder catalog) {
    comparison(catalog, "eq", rule((a, b) -> a == b ? 1 : 0, (a, b) -> a == b ? 1 : 0));
    comparison(catalog, "ne", rule((a, b) -> a != b ? 1 : 0, (a, b) -> a != b ? 1 : 0));
    comparison(catalog, "lt", rule((a, b) -> a < b ? 1 : 0, (a, b) -> a < b ? 1 : 0));
    comparison(catalog, "le", rule((a, b) -> a <= b ? 1 : 0, (a, b) -> a <= b ? 1 : 0));
    comparison(catalog, "gt", rule((a, b) -> a > b ? 1 : 0, (a, b) -> a > b ? 1 : 0));
    comparison(catalog, "ge", rule((a, b) -> a >= b ? 1 : 0, (a, b) -> a >= b ? 1 : 0));
  }

  private static void comparison(Catalog.Builder catalog, String name, Pointwise.Rule rule) {
    Kernel.One kernel =
        call -> {
          DType computed = Promotion.of(call.tensor(0), call.value(1)).result();
          return Pointwise.binary(call, DType.BOOL, computed, call.tensor(0), call.value(1), rule);
        };
    catalog.one("aten::" + name + ".Tensor" + TENSOR, kernel);
    catalog.one("aten::" + name + ".Scalar" + SCALAR, kernel);
  }

  private static void logical(Catalog.Builder catalog) {
    logical(catalog, "logical_and", (a, b) -> a != 0 && b != 0 ? 1 : 0);
    logical(catalog, "logical_or", (a, b) -> a != 0 || b != 0 ? 1 : 0);
    logical(catalog, "logical_xor", (a, b) -> (a != 0) != (b != 0) ? 1 : 0);
  }

  private static void logical(
      Catalog.Builder catalog, String name, java.util.function.DoubleBinaryOperator reals) {
    Pointwise.Rule rule = rule(reals, (a, b) -> (long) reals.applyAsDouble((double) a, (double) b));
    catalog.one(
        "aten::" + name + TENSOR,
        call -> {
          DType computed = Promotion.of(call.tensor(0), call.value(1)).result();
          return Pointwise.binary(call, DType.BOOL, computed, call.tensor(0), call.value(1), rule);
        });
  }

  private static void functions(Catalog.Builder catalog) {
    exact(catalog, "neg", a -> -a, a -> -a);
    exact(catalog, "abs", Math::abs, Math::abs);
    exact(catalog, "relu", PointwiseOperations::relu, a -> Math.max(a, 0));
    exact(catalog, "square", a -> a * a, a -> a * a);
    real(catalog, "exp", Math::exp);
    real(catalog, "log", Math::log);
    real(catalog, "log1p", Math::log1p);
    real(catalog, "log2", a -> Math.log(a) / Math.log(2));
    real(catalog, "log10", Math::log10);
    real(catalog, "expm1", Math::expm1);
    real(catalog, "sqrt", Math::sqrt);
    real(catalog, "rsqrt", a -> 1 / Math.sqrt(a));
    real(catalog, "reciprocal", a -> 1 / a);
    real(catalog, "sin", Math::sin);
    real(catalog, "cos", Math::cos);
    real(catalog, "tan", Math::tan);
    real(catalog, "tanh", Math::tanh);
    real(catalog, "sigmoid", PointwiseOperations::sigmoid);
    exact(catalog, "floor", Math::floor, a -> a);
    exact(catalog, "ceil", Math::ceil, a -> a);
    exact(catalog, "round", Math::rint, a -> a);
  }

  static double relu(double a) {
    return a > 0 || Double.isNaN(a) ? a : 0;
  }

  static double sigmoid(double a) {
    return 1 / (1 + Math.exp(-a));
  }

  /** A function that keeps the dtype, with its in-place form. */
  private static void exact(
      Catalog.Builder catalog,
      String name,
      DoubleUnaryOperator reals,
      java.util.function.LongUnaryOperator integers) {
    Pointwise.Rule rule = rule((a, b) -> reals.applyAsDouble(a), (a, b) -> integers.applyAsLong(a));
    catalog.one(
        "aten::" + name + UNARY,
        Marking.one(call -> {
          DType dtype = call.tensor(0).dtype();
          return dtype == DType.BOOL
              ? Fault.dtype(name + " is not supported for bool tensors")
              : Pointwise.binary(call, dtype, dtype, call.tensor(0), 0L, rule);
        }));
    catalog.one(
        "aten::" + name + "_" + UNARY_IN_PLACE,
        call -> Pointwise.inPlace(call, call.tensor(0).dtype(), 0L, rule));
  }

  /** A function whose results are reals, with its in-place form. */
  private static void real(Catalog.Builder catalog, String name, DoubleUnaryOperator function) {
    Pointwise.Rule rule = rule((a, b) -> function.applyAsDouble(a), (a, b) -> 0);
    catalog.one(
        "aten::" + name + UNARY,
        Marking.one(call -> {
          DType dtype = Promotion.of(call.tensor(0)).floatingResult();
          return Pointwise.binary(call, dtype, dtype, call.tensor(0), 0L, rule);
        }));
    catalog.one(
        "aten::" + name + "_" + UNARY_IN_PLACE,
        call -> Pointwise.inPlace(call, Promotion.of(call.tensor(0)).floatingResult(), 0L, rule));
  }

  private static void activations(Catalog.Builder catalog) {
    catalog.one(
        "aten::dropout(Tensor input, float p, bool train) -> Tensor", PointwiseOperations::dropout);
    catalog.one(
        "aten::dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)",
        PointwiseOperations::dropout);
    catalog.one(
        "aten::gelu(Tensor self, *, str approximate=\"none\") -> Tensor",
        Marking.one(PointwiseOperations::gelu));
    catalog.one(
        "aten::leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor",
        Marking.one(call -> {
          double slope = Scalars.real(call.scalar(1));
          DType dtype = call.tensor(0).dtype();
          return Pointwise.binary(
              call,
              dtype,
              dtype,
              call.tensor(0),
              0L,
              rule((a, b) -> a >= 0 ? a : a * slope, (a, b) -> a));
        }));
  }

  private static Object dropout(Call call) {
    DenseTensor self = call.tensor(0);
    boolean identity = !call.bool(2) || call.real(1) == 0;
    return identity
        ? self.view(call.scope(), self.layout())
        : Fault.unsupported("dropout in training mode is not supported yet");
  }

  private static Object gelu(Call call) {
    DType dtype = call.tensor(0).dtype();
    if (!dtype.isFloating()) {
      return Fault.dtype("gelu is not implemented for " + dtype);
    }
    boolean tanh = call.string(1).equals("tanh");
    DoubleUnaryOperator function =
        tanh
            ? a -> 0.5 * a * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (a + 0.044715 * a * a * a)))
            : a -> 0.5 * a * (1 + ErrorFunction.erf(a / Math.sqrt(2)));
    Pointwise.Rule rule = rule((a, b) -> function.applyAsDouble(a), (a, b) -> 0);
    return Pointwise.binary(call, dtype, dtype, call.tensor(0), 0L, rule);
  }

  private static Object test(Call call, java.util.function.DoublePredicate predicate) {
    Pointwise.Rule rule = rule((a, b) -> predicate.test(a) ? 1 : 0, (a, b) -> 0);
    DType dtype = call.tensor(0).dtype();
    return Pointwise.binary(call, DType.BOOL, dtype, call.tensor(0), 0L, rule);
  }

  private static Object not(Call call) {
    Pointwise.Rule rule = rule((a, b) -> a == 0 ? 1 : 0, (a, b) -> a == 0 ? 1 : 0);
    return Pointwise.binary(call, DType.BOOL, call.tensor(0).dtype(), call.tensor(0), 0L, rule);
  }

  private static Object bitwiseNot(Call call) {
    DType dtype = call.tensor(0).dtype();
    @Nullable Fault fault =
        dtype.isFloating() ? Fault.dtype("bitwise_not is not implemented for " + dtype) : null;
    Pointwise.Rule rule = rule((a, b) -> 0, dtype == DType.BOOL ? (a, b) -> a ^ 1 : (a, b) -> ~a);
    return fault == null ? Pointwise.binary(call, dtype, dtype, call.tensor(0), 0L, rule) : fault;
  }
}
