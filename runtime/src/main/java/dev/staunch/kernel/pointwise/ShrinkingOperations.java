package dev.staunch.kernel.pointwise;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Combination;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import java.util.Arrays;

/** Activations that zero a range of values, gate one half by the other, or have weights. */
final class ShrinkingOperations {
  private static final Pointwise GATED = Pointwise.of("glu", Formulas.gatedLinear());
  private static final Pointwise SLOPED = new Pointwise(ShrinkingOperations::sloped, false);

  private ShrinkingOperations() {}

  static void addTo(Catalog.Builder catalog) {
    Pointwise.one(
        catalog, "softshrink(Tensor self, Scalar lambd=0.5)", ShrinkingOperations::softShrink);
    Pointwise.one(
        catalog, "hardshrink(Tensor self, Scalar lambd=0.5)", ShrinkingOperations::hardShrink);
    Pointwise.both(
        catalog, "threshold", "", "Scalar threshold, Scalar value", ShrinkingOperations::threshold);
    Composite.add(
        catalog, "aten::glu(Tensor self, int dim=-1) -> Tensor", ShrinkingOperations::gated);
    Composite.add(
        catalog.with(Trait.NARROW_AS_FLOAT32, Trait.AUTOCAST_REDUCES),
        "aten::prelu(Tensor self, Tensor weight) -> Tensor",
        ShrinkingOperations::weighted);
    Pointwise.one(catalog, "_prelu_kernel(Tensor self, Tensor weight)", SLOPED.choice());
    Pointwise.both(catalog, "logit", "", "float? eps=None", ShrinkingOperations::logit);
    Pointwise.one(
        catalog, "special_logit(Tensor self, float? eps=None)", ShrinkingOperations::logit);
    Pointwise.both(
        catalog,
        "nan_to_num",
        "",
        "float? nan=None, float? posinf=None, float? neginf=None",
        ShrinkingOperations::numbers);
  }

  private static Object softShrink(Operands operands) {
    double bound = operands.real(1);
    if (!(bound >= 0)) {
      return Fault.value("`lambd` must not be negative, but it is " + bound);
    }
    return Activations.computed(
        operands, "softshrink", Formulas.softShrink(rounded(operands, bound)));
  }

  private static Object hardShrink(Operands operands) {
    double bound = operands.real(1);
    return Activations.computed(
        operands, "hardshrink", Formulas.hardShrink(rounded(operands, bound)));
  }

  /** The bound rounded to the dtype, so that an element meant to equal the bound does. */
  private static double rounded(Operands operands, double bound) {
    DType dtype = operands.dtype(0);
    return dtype.isFloating() ? Elements.rounded(dtype, bound) : bound;
  }

  private static Object threshold(Operands operands) {
    DType dtype = operands.dtype(0);
    if (dtype == DType.BOOL) {
      return Pointwise.refusal("threshold", dtype);
    }
    double bound = operands.real(1);
    double value = operands.real(2);
    Fault unfit =
        OperandChecks.first(
            OperandChecks.fits(operands.scalar(1), dtype),
            OperandChecks.fits(operands.scalar(2), dtype));
    if (unfit != null) {
      return unfit;
    }
    long bits = Scalars.integer(operands.scalar(1));
    long integer = Scalars.integer(operands.scalar(2));
    Rule rule = Formulas.threshold(rounded(operands, bound), value, bits, integer);
    return Combination.of("threshold", dtype, rule, operands.value(0));
  }

  private static Object gated(Steps steps, Operands operands) {
    TensorForm self = operands.form(0);
    if (self.rank() == 0) {
      return Fault.shape("glu takes at least 1 dimension, but the tensor has none")
          .withExpected("at least 1 dimension", self.shape().toString());
    }
    Object dim = Dimensions.wrap(operands.integer(1), self.rank());
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long size = self.shape().size(at);
    if (size % 2 != 0) {
      String text = "glu halves dimension %d, whose size must be even, but it is %d";
      return OperandChecks.shape(Message.of(text, at, size), "an even size", self.shape());
    }
    Object value = steps.run("narrow", operands.value(0), (long) at, 0L, size / 2);
    Object gate = steps.run("narrow", operands.value(0), (long) at, size / 2, size / 2);
    return self.dtype().isFloating()
        ? steps.apply(GATED, value, gate)
        : Pointwise.refusal("glu", self.dtype());
  }

  private static Object weighted(Steps steps, Operands operands) {
    TensorForm self = operands.form(0);
    TensorForm weight = operands.form(1);
    if (self.dtype() != weight.dtype()) {
      String text = "the tensor and `weight` must have one dtype, but are %s and %s";
      return Fault.dtype(Message.of(text, self.dtype(), weight.dtype()))
          .withExpected(ExpectedDType.same(self.dtype()), weight.dtype());
    }
    long slopes = weight.shape().elements();
    if (slopes == 1) {
      return steps.apply(SLOPED, operands.value(0), steps.view(operands.value(1)));
    }
    if (self.rank() == 0) {
      return OperandChecks.shape(
          "a tensor without dimensions takes a `weight` of 1 element, but it is " + weight.shape(),
          "at least 1 dimension",
          self.shape());
    }
    long channels = self.rank() > 1 ? self.shape().size(1) : 1;
    if (channels != slopes) {
      String text = "`weight` has %d elements for %d channels; give one, or as many as channels";
      return OperandChecks.shape(
          Message.of(text, slopes, channels), "weight [" + channels + "]", weight.shape());
    }
    long[] sizes = new long[self.rank()];
    Arrays.fill(sizes, 1);
    sizes[Math.min(1, sizes.length - 1)] = channels;
    return steps.apply(SLOPED, operands.value(0), steps.view(operands.value(1), sizes));
  }

  private static Object sloped(Operands operands) {
    return Combination.of(
        "prelu", operands.dtype(0), Formulas.sloped(), operands.value(0), operands.value(1));
  }

  private static Object logit(Operands operands) {
    DType computed = Promotion.of(operands.value(0)).floatingResult();
    double low = Double.NEGATIVE_INFINITY;
    double high = Double.POSITIVE_INFINITY;
    if (!operands.isNone(1) && computed.isFloating()) {
      low = Elements.rounded(computed, operands.real(1));
      high = Elements.rounded(computed, 1 - low);
    }
    Rule rule = Formulas.logit(low, high);
    return Combination.of("logit", computed, rule, operands.value(0));
  }

  private static Object numbers(Operands operands) {
    DType self = operands.dtype(0);
    double nan = operands.isNone(1) ? 0 : operands.real(1);
    double most = operands.isNone(2) ? OperandChecks.greatest(self) : operands.real(2);
    double least = operands.isNone(3) ? -OperandChecks.greatest(self) : operands.real(3);
    Rule rule = Formulas.replaceNonFinite(nan, most, least);
    return Combination.of("nan_to_num", self, rule, operands.value(0));
  }
}
