package dev.staunch.kernel.pointwise;

import static dev.staunch.kernel.loop.Elementwise.Kind.SAME;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Combination;
import dev.staunch.kernel.loop.Elementwise;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/** Sums, differences, products, minima and maxima of tensors. */
final class TensorArithmetic {
  /** The default factor of a sum. */
  private static final Long ONE = 1L;

  private TensorArithmetic() {}

  static void addTo(Catalog.Builder catalog) {
    Catalog.Builder widened = catalog.with(Trait.AUTOCAST_WIDENS);
    Catalog.Builder traced = widened.with(Trait.CONSTANT_IS_NUMBER);
    sums(traced, "add", 1);
    sums(traced, "sub", -1);
    sums(widened, "subtract", -1);
    Pointwise.one(
        catalog, "rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1)", TensorArithmetic::rsub);
    Pointwise.one(
        catalog,
        "rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1)",
        TensorArithmetic::rsub);
    products(traced, widened, "mul");
    products(widened, widened, "multiply");
    extremes(catalog);
  }

  private static void products(Catalog.Builder ofTensors, Catalog.Builder ofNumbers, String name) {
    Pointwise.Choice product = new Elementwise("mul", Formulas.multiply(), SAME);
    Pointwise.both(ofTensors.out("out"), name, "Tensor", "Tensor other", product);
    Pointwise.both(ofNumbers, name, "Scalar", "Scalar other", product);
  }

  private static void sums(Catalog.Builder catalog, String name, int sign) {
    Rule unscaled = sign > 0 ? Formulas.add() : Formulas.subtract();
    Pointwise.Choice body = new Sum(name, sign, unscaled);
    Pointwise.both(catalog.out("out"), name, "Tensor", "Tensor other, *, Scalar alpha=1", body);
    Pointwise.both(catalog, name, "Scalar", "Scalar other, Scalar alpha=1", body);
  }

  /**
   * {@code self + sign * alpha * other}.
   *
   * @param unscaled the rule for an {@code alpha} of 1
   */
  private record Sum(String name, int sign, Rule unscaled) implements Pointwise.Choice {
    @Override
    public @Nullable Rule rule(Operands operands) {
      return ONE.equals(operands.value(2)) ? unscaled : null;
    }

    @Override
    public Object of(Operands operands) {
      Object self = operands.value(0);
      Object other = operands.value(1);
      DType computed = Promotion.common(self, other);
      Fault fault = badAlpha(operands, computed, sign < 0);
      return fault == null
          ? Combination.of(name, computed, sumRule(operands, computed, sign, unscaled), self, other)
          : fault;
    }
  }

  private static Rule sumRule(Operands operands, DType computed, int sign, Rule unscaled) {
    double real = Scalars.real(operands.scalar(2));
    if (real == 1 && computed != DType.BOOL) {
      return unscaled;
    }
    long alpha = sign * Scalars.integer(operands.scalar(2));
    return computed == DType.BOOL
        ? Formulas.addBools(alpha)
        : Formulas.addScaled(sign * real, alpha);
  }

  /** {@code alpha * -self + other}. */
  private static Object rsub(Operands operands) {
    DType computed = Promotion.of(operands.value(0), operands.value(1)).result();
    Fault fault = badAlpha(operands, computed, true);
    double real = Scalars.real(operands.scalar(2));
    long alpha = Scalars.integer(operands.scalar(2));
    Rule rule = Formulas.subtractedFrom(real, alpha);
    if (fault != null) {
      return fault;
    }
    Object self = operands.value(0);
    Object other = operands.value(1);
    return Combination.of("rsub", computed, rule, self, other).lyingAs(other, self);
  }

  private static @Nullable Fault badAlpha(Operands operands, DType computed, boolean subtracts) {
    Object alpha = operands.scalar(2);
    DType.Kind kind = computed.kind();
    if (alpha instanceof ComplexNumber || kind == DType.Kind.COMPLEX) {
      return Fault.unsupported(
          "add and sub are not implemented for complex numbers; work on `real` and `imag` apart");
    }
    if (subtracts && (isBool(operands.value(0)) || isBool(operands.value(1)))) {
      String other =
          isBool(operands.value(0)) && isBool(operands.value(1))
              ? "`logical_xor` tells where two masks differ"
              : "`logical_not` inverts a mask";
      return Fault.dtype("bool is not subtracted: " + other).withExpected("numbers", DType.BOOL);
    }
    if (alpha instanceof Double && !computed.isFloating()) {
      return Fault.dtype("`alpha` must be an integer for tensors of integers")
          .withExpected(ExpectedDType.INTEGER.in("alpha"), "a float");
    }
    if (alpha instanceof Boolean && computed != DType.BOOL) {
      return Fault.dtype("a bool `alpha` does not scale " + computed);
    }
    return ONE.equals(alpha) ? null : OperandChecks.fits(alpha, computed);
  }

  private static boolean isBool(Object operand) {
    return operand instanceof Boolean
        || (operand instanceof DenseTensor tensor && tensor.dtype() == DType.BOOL)
        || (operand instanceof TensorForm form && form.dtype() == DType.BOOL);
  }

  private static void extremes(Catalog.Builder catalog) {
    pairs(catalog.out("out"), "maximum", Formulas.greater());
    pairs(catalog, "max.other", Formulas.greater());
    pairs(catalog.out("out"), "minimum", Formulas.less());
    pairs(catalog, "min.other", Formulas.less());
    pairs(catalog, "fmax", Formulas.greaterNumber());
    pairs(catalog, "fmin", Formulas.lessNumber());
  }

  private static void pairs(Catalog.Builder catalog, String name, Rule rule) {
    Pointwise.one(catalog, name + "(Tensor self, Tensor other)", new Elementwise(name, rule, SAME));
  }
}
