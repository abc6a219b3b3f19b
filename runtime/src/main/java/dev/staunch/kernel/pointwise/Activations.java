package dev.staunch.kernel.pointwise;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.FloatRun;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Marking;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.scalar.ErrorFunction;
import dev.staunch.type.DType;
import java.util.function.DoubleUnaryOperator;

/** The non-linearities of neural networks. */
final class Activations {
  private static final double SELU_ALPHA = 1.6732632423543772;
  private static final double SELU_SCALE = 1.0507009873554805;
  private static final double GELU_SCALE = Math.sqrt(2 / Math.PI);
  private static final Rule RELU =
      Rule.binary(Math::max, Math::max).withFloats(new FloatRun.Greater());

  private Activations() {}

  static void addTo(Catalog.Builder catalog) {
    Pointwise.both(catalog, "relu", "", "", Activations::relu);
    fixed(catalog, "silu", a -> a * TensorFunctions.sigmoid(a));
    fixed(catalog, "mish", a -> a * Math.tanh(softplus(a)));
    fixed(catalog, "selu", a -> SELU_SCALE * elu(a, SELU_ALPHA));
    fixed(catalog, "hardsigmoid", Activations::hardSigmoid);
    fixed(catalog, "hardswish", a -> a * Math.clamp(a + 3, 0, 6) / 6);
    catalog.one(
        "aten::log_sigmoid(Tensor self) -> Tensor",
        Marking.one(call -> computed(call, false, "log_sigmoid", a -> -softplus(-a))));
    bounded(catalog);
    sloped(catalog);
    Pointwise.both(catalog, "gelu", "", "*, str approximate=\"none\"", Activations::gelu);
    catalog.one(
        "aten::softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor",
        Marking.one(Activations::softplus));
  }

  private static Object computed(
      Call call, boolean inPlace, String name, DoubleUnaryOperator function) {
    Rule rule = Rule.unary(function, null);
    return Pointwise.apply(call, inPlace, name, call.tensor(0).dtype(), rule, call.tensor(0));
  }

  private static void fixed(Catalog.Builder catalog, String name, DoubleUnaryOperator function) {
    Rule rule = Rule.unary(function, null);
    Pointwise.both(
        catalog,
        name,
        "",
        "",
        (call, inPlace) ->
            Pointwise.apply(call, inPlace, name, call.tensor(0).dtype(), rule, call.tensor(0)));
  }

  private static double hardSigmoid(double a) {
    return Double.isNaN(a) ? a : Math.clamp(a + 3, 0, 6) / 6;
  }

  private static double softplus(double a) {
    return Math.max(a, 0) + Math.log1p(Math.exp(-Math.abs(a)));
  }

  private static double elu(double a, double alpha) {
    return a <= 0 ? alpha * Math.expm1(a) : a;
  }

  private static Object relu(Call call, boolean inPlace) {
    DType dtype = call.tensor(0).dtype();
    return dtype == DType.BOOL
        ? Pointwise.refusal("relu", dtype)
        : Pointwise.apply(call, inPlace, "relu", dtype, RELU, call.tensor(0), 0L);
  }

  private static void bounded(Catalog.Builder catalog) {
    Pointwise.both(
        catalog,
        "hardtanh",
        "",
        "Scalar min_val=-1, Scalar max_val=1",
        (call, inPlace) -> between(call, inPlace, "hardtanh", call.scalar(1), call.scalar(2)));
    Pointwise.both(
        catalog, "relu6", "", "", (call, inPlace) -> between(call, inPlace, "relu6", 0L, 6L));
  }

  private static Object between(
      Call call, boolean inPlace, String name, Object least, Object most) {
    DType dtype = call.tensor(0).dtype();
    if (dtype == DType.BOOL) {
      return Pointwise.refusal(name, dtype);
    }
    double low = Scalars.real(least);
    double high = Scalars.real(most);
    if (dtype == DType.UINT8 && (low < 0 || high < 0)) {
      return Fault.value(
          "the limits of "
              + name
              + " must not be negative for uint8, which has no negative elements");
    }
    Rule rule =
        Rule.unary(
            a -> Math.min(Math.max(a, low), high),
            a -> Math.min(Math.max(a, (long) low), (long) high));
    return Pointwise.apply(call, inPlace, name, dtype, rule, call.tensor(0));
  }

  private static void sloped(Catalog.Builder catalog) {
    Pointwise.both(
        catalog,
        "leaky_relu",
        "",
        "Scalar negative_slope=0.01",
        (call, inPlace) -> {
          double slope = Scalars.real(call.scalar(1));
          return computed(call, inPlace, "leaky_relu", a -> a > 0 ? a : a * slope);
        });
    Pointwise.both(
        catalog,
        "elu",
        "",
        "Scalar alpha=1, Scalar scale=1, Scalar input_scale=1",
        Activations::elu);
    Pointwise.both(
        catalog,
        "celu",
        "",
        "Scalar alpha=1.",
        (call, inPlace) -> {
          double alpha = Scalars.real(call.scalar(1));
          return alpha == 0
              ? Fault.value("`alpha` of celu must not be 0, since it divides")
              : computed(call, inPlace, "celu", a -> a <= 0 ? alpha * Math.expm1(a / alpha) : a);
        });
  }

  private static Object elu(Call call, boolean inPlace) {
    double negative = Scalars.real(call.scalar(1)) * Scalars.real(call.scalar(2));
    double positive = Scalars.real(call.scalar(2));
    double input = Scalars.real(call.scalar(3));
    return computed(
        call, inPlace, "elu", a -> a <= 0 ? Math.expm1(a * input) * negative : a * positive);
  }

  private static Object gelu(Call call, boolean inPlace) {
    return switch (call.string(1)) {
      case "none" ->
          computed(
              call, inPlace, "gelu", a -> 0.5 * a * (1 + ErrorFunction.erf(a * Math.sqrt(0.5))));
      case "tanh" -> computed(call, inPlace, "gelu", Activations::tanhGelu);
      default ->
          Fault.value("`approximate` takes 'none' or 'tanh', but got '" + call.string(1) + "'");
    };
  }

  private static double tanhGelu(double a) {
    return 0.5 * a * (1 + Math.tanh(GELU_SCALE * (a + 0.044715 * a * a * a)));
  }

  private static Object softplus(Call call) {
    double beta = Scalars.real(call.scalar(1));
    double threshold = Scalars.real(call.scalar(2));
    return computed(
        call,
        false,
        "softplus",
        a -> a * beta > threshold ? a : Math.log1p(Math.exp(a * beta)) / beta);
  }
}
