package dev.staunch.kernel.pointwise;

import static dev.staunch.kernel.loop.Elementwise.Kind.SAME;
import static dev.staunch.kernel.loop.Elementwise.functions;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Combination;
import dev.staunch.kernel.loop.Elementwise;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.operation.Operands;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;

/** The activation functions of neural networks. */
final class Activations {
  private Activations() {}

  /** Adds the one that most models use on its own: each formula is a class to load. */
  static void addRelu(Catalog.Builder catalog) {
    Rule greater = Formulas.greater();
    Pointwise.both(catalog, "relu", "", "", operands -> relu(operands, greater));
  }

  static void addTo(Catalog.Builder catalog) {
    functions(catalog, SAME, Formulas.silu(), "silu");
    functions(catalog, SAME, Formulas.mish(), "mish");
    functions(catalog, SAME, Formulas.selu(), "selu");
    functions(catalog, SAME, Formulas.hardSigmoid(), "hardsigmoid");
    functions(catalog, SAME, Formulas.hardSwish(), "hardswish");
    Pointwise.one(
        catalog,
        "log_sigmoid(Tensor self)",
        new Elementwise("log_sigmoid", Formulas.logSigmoid(), SAME).inRowMajorOrder());
    bounded(catalog);
    sloped(catalog);
  }

  /** Adds those that are based on logarithms and on the error function. */
  static void addSmooth(Catalog.Builder catalog) {
    Catalog.Builder widened = catalog.with(Trait.AUTOCAST_WIDENS);
    Pointwise.both(widened, "gelu", "", "*, str approximate=\"none\"", Activations::gelu);
    Pointwise.one(
        widened.out("out"),
        "softplus(Tensor self, Scalar beta=1, Scalar threshold=20)",
        Activations::softplus);
  }

  static Object computed(Operands operands, String name, Rule rule) {
    DType dtype = operands.dtype(0);
    Fault unfit = dtype.isFloating() ? OperandChecks.factorsFit(operands, 1, dtype) : null;
    return unfit == null ? Combination.of(name, dtype, rule, operands.value(0)) : unfit;
  }

  private static Object relu(Operands operands, Rule greater) {
    DType dtype = operands.dtype(0);
    return dtype == DType.BOOL
        ? Pointwise.refusal("relu", dtype)
        : Combination.of("relu", dtype, greater, operands.value(0), 0L);
  }

  private static void bounded(Catalog.Builder catalog) {
    Pointwise.both(
        catalog,
        "hardtanh",
        "",
        "Scalar min_val=-1, Scalar max_val=1",
        operands -> between(operands, "hardtanh", operands.real(1), operands.real(2)));
    Pointwise.both(catalog, "relu6", "", "", operands -> between(operands, "relu6", 0, 6));
  }

  private static Object between(Operands operands, String name, double low, double high) {
    DType dtype = operands.dtype(0);
    if (dtype == DType.BOOL) {
      return Pointwise.refusal(name, dtype);
    }
    if (dtype == DType.UINT8 && (low < 0 || high < 0)) {
      return Fault.value(
          "the limits of "
              + name
              + " must not be negative for uint8, which has no negative elements");
    }
    Fault unfit = OperandChecks.factorsFit(operands, 1, dtype);
    return unfit == null
        ? Combination.of(name, dtype, Formulas.between(low, high), operands.value(0))
        : unfit;
  }

  private static void sloped(Catalog.Builder catalog) {
    Pointwise.both(
        catalog,
        "leaky_relu",
        "",
        "Scalar negative_slope=0.01",
        operands -> {
          double slope = operands.real(1);
          boolean gentle = slope > 0 && slope <= 1; // then the greater of two is the same
          Rule rule = gentle ? Formulas.greaterScaled(slope) : Formulas.leakyRelu(slope);
          return computed(operands, "leaky_relu", rule);
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
        operands -> {
          double alpha = operands.real(1);
          return alpha == 0
              ? Fault.value("`alpha` of celu must not be 0, since it divides")
              : computed(operands, "celu", Formulas.celu(alpha));
        });
  }

  private static Object elu(Operands operands) {
    double negative = operands.real(1) * operands.real(2);
    double positive = operands.real(2);
    double input = operands.real(3);
    boolean unit = negative == 1 && positive == 1 && input == 1;
    Rule rule = unit ? Formulas.unitElu() : Formulas.elu(negative, positive, input);
    return computed(operands, "elu", rule);
  }

  private static Object gelu(Operands operands) {
    return switch (operands.string(1)) {
      case "none" -> computed(operands, "gelu", Formulas.gelu());
      case "tanh" -> computed(operands, "gelu", Formulas.tanhGelu());
      default ->
          Fault.value("`approximate` takes 'none' or 'tanh', but got '" + operands.string(1) + "'");
    };
  }

  private static Object softplus(Operands operands) {
    double beta = operands.real(1);
    double threshold = operands.real(2);
    boolean unit = beta == 1 && threshold == 20;
    Rule rule = unit ? Formulas.unitSoftplus() : Formulas.softplus(beta, threshold);
    return computed(operands, "softplus", rule);
  }
}
