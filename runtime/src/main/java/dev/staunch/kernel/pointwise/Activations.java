package dev.staunch.kernel.pointwise;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Marking;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.type.DType;

/** The non-linearities of neural networks. */
final class Activations {
  private Activations() {}

  static void addTo(Catalog.Builder catalog) {
    Pointwise.both(catalog, "relu", "", "", Activations::relu);
    fixed(catalog, "silu", Formulas.SILU);
    fixed(catalog, "mish", Formulas.MISH);
    fixed(catalog, "selu", Formulas.SELU);
    fixed(catalog, "hardsigmoid", Formulas.HARD_SIGMOID);
    fixed(catalog, "hardswish", Formulas.HARD_SWISH);
    catalog.one(
        "aten::log_sigmoid(Tensor self) -> Tensor",
        Marking.one(call -> computed(call, false, "log_sigmoid", Formulas.LOG_SIGMOID)));
    bounded(catalog);
    sloped(catalog);
    Pointwise.both(catalog, "gelu", "", "*, str approximate=\"none\"", Activations::gelu);
    catalog.one(
        "aten::softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor",
        Marking.one(Activations::softplus));
  }

  private static Object computed(Call call, boolean inPlace, String name, Rule rule) {
    return Pointwise.apply(call, inPlace, name, call.tensor(0).dtype(), rule, call.tensor(0));
  }

  private static void fixed(Catalog.Builder catalog, String name, Rule rule) {
    Pointwise.both(catalog, name, "", "", (call, inPlace) -> computed(call, inPlace, name, rule));
  }

  private static Object relu(Call call, boolean inPlace) {
    DType dtype = call.tensor(0).dtype();
    return dtype == DType.BOOL
        ? Pointwise.refusal("relu", dtype)
        : Pointwise.apply(call, inPlace, "relu", dtype, Formulas.GREATER, call.tensor(0), 0L);
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
    return Pointwise.apply(call, inPlace, name, dtype, Formulas.between(low, high), call.tensor(0));
  }

  private static void sloped(Catalog.Builder catalog) {
    Pointwise.both(
        catalog,
        "leaky_relu",
        "",
        "Scalar negative_slope=0.01",
        (call, inPlace) -> {
          double slope = Scalars.real(call.scalar(1));
          return computed(call, inPlace, "leaky_relu", Formulas.leakyRelu(slope));
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
              : computed(call, inPlace, "celu", Formulas.celu(alpha));
        });
  }

  private static Object elu(Call call, boolean inPlace) {
    double negative = Scalars.real(call.scalar(1)) * Scalars.real(call.scalar(2));
    double positive = Scalars.real(call.scalar(2));
    double input = Scalars.real(call.scalar(3));
    return computed(call, inPlace, "elu", Formulas.elu(negative, positive, input));
  }

  private static Object gelu(Call call, boolean inPlace) {
    return switch (call.string(1)) {
      case "none" -> computed(call, inPlace, "gelu", Formulas.GELU);
      case "tanh" -> computed(call, inPlace, "gelu", Formulas.TANH_GELU);
      default ->
          Fault.value("`approximate` takes 'none' or 'tanh', but got '" + call.string(1) + "'");
    };
  }

  private static Object softplus(Call call) {
    double beta = Scalars.real(call.scalar(1));
    double threshold = Scalars.real(call.scalar(2));
    return computed(call, false, "softplus", Formulas.softplus(beta, threshold));
  }
}
