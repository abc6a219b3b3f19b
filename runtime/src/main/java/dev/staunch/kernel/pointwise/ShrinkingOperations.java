package dev.staunch.kernel.pointwise;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Demands;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Marking;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.Arrays;

/** Non-linearities that blank a range of values, gate one half by the other, or have weights. */
final class ShrinkingOperations {
  private ShrinkingOperations() {}

  static void addTo(Catalog.Builder catalog) {
    catalog.one(
        "aten::softshrink(Tensor self, Scalar lambd=0.5) -> Tensor",
        Marking.one(ShrinkingOperations::softShrink));
    catalog.one(
        "aten::hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor",
        Marking.one(ShrinkingOperations::hardShrink));
    Pointwise.both(
        catalog, "threshold", "", "Scalar threshold, Scalar value", ShrinkingOperations::threshold);
    Steps.add(catalog, "aten::glu(Tensor self, int dim=-1) -> Tensor", ShrinkingOperations::gated);
    Steps.add(
        catalog,
        "aten::prelu(Tensor self, Tensor weight) -> Tensor",
        ShrinkingOperations::weighted);
    Steps.add(
        catalog,
        "aten::_prelu_kernel(Tensor self, Tensor weight) -> Tensor",
        (steps, call) -> sloped(call, call.tensor(0), call.tensor(1)));
    Pointwise.both(catalog, "logit", "", "float? eps=None", ShrinkingOperations::logit);
    catalog.one(
        "aten::special_logit(Tensor self, float? eps=None) -> Tensor",
        Marking.one(call -> logit(call, false)));
    Pointwise.both(
        catalog,
        "nan_to_num",
        "",
        "float? nan=None, float? posinf=None, float? neginf=None",
        ShrinkingOperations::numbers);
  }

  private static Object computed(Call call, String name, Rule rule) {
    DenseTensor self = call.tensor(0);
    return Pointwise.apply(call, false, name, self.dtype(), rule, self);
  }

  private static Object softShrink(Call call) {
    double bound = Scalars.real(call.scalar(1));
    if (!(bound >= 0)) {
      return Fault.value("`lambd` must not be negative, but it is " + bound);
    }
    return computed(call, "softshrink", Formulas.softShrink(bound));
  }

  private static Object hardShrink(Call call) {
    double bound = Scalars.real(call.scalar(1));
    return computed(call, "hardshrink", Formulas.hardShrink(bound));
  }

  private static Object threshold(Call call, boolean inPlace) {
    DenseTensor self = call.tensor(0);
    DType dtype = self.dtype();
    if (dtype == DType.BOOL) {
      return Pointwise.refusal("threshold", dtype);
    }
    double bound = Scalars.real(call.scalar(1));
    double value = Scalars.real(call.scalar(2));
    long bits = Scalars.integer(call.scalar(1));
    long integer = Scalars.integer(call.scalar(2));
    Rule rule = Formulas.threshold(bound, value, bits, integer);
    return Pointwise.apply(call, inPlace, "threshold", dtype, rule, self);
  }

  private static Object gated(Steps steps, Call call) {
    DenseTensor self = call.tensor(0);
    if (self.rank() == 0) {
      return Fault.shape("glu takes at least 1 dimension, but the tensor has none")
          .withExpected("at least 1 dimension", self.shape().toString());
    }
    Object dim = Dimensions.wrap(call.integer(1), self.rank());
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long size = self.shape().size(at);
    if (size % 2 != 0) {
      String text = "glu halves dimension %d, whose size must be even, but it is %d";
      return Demands.shape(Message.of(text, at, size), "an even size", self.shape());
    }
    Object value = steps.run("narrow", self, (long) at, 0L, size / 2);
    Object gate = steps.run("narrow", self, (long) at, size / 2, size / 2);
    if (!self.dtype().isFloating()) {
      return Pointwise.refusal("glu", self.dtype());
    }
    return value instanceof Fault || gate instanceof Fault
        ? (value instanceof Fault ? value : gate)
        : Pointwise.apply(call, false, "glu", self.dtype(), Formulas.GATED_LINEAR, value, gate);
  }

  private static Object weighted(Steps steps, Call call) {
    DenseTensor self = call.tensor(0);
    DenseTensor weight = call.tensor(1);
    if (self.dtype() != weight.dtype()) {
      String text = "the tensor and `weight` must have one dtype, but are %s and %s";
      return Fault.dtype(Message.of(text, self.dtype(), weight.dtype()))
          .withExpected("the same dtype " + self.dtype(), weight.dtype().toString());
    }
    if (weight.elements() == 1) {
      return sloped(call, self, steps.view(weight));
    }
    if (self.rank() == 0) {
      return Demands.shape(
          "a tensor without dimensions takes a `weight` of 1 element, but it is " + weight.shape(),
          "at least 1 dimension",
          self.shape());
    }
    long channels = self.rank() > 1 ? self.shape().size(1) : 1;
    if (channels != weight.elements()) {
      String text = "`weight` has %d elements for %d channels; give one, or as many as channels";
      return Demands.shape(
          Message.of(text, weight.elements(), channels),
          "weight [" + channels + "]",
          weight.shape());
    }
    long[] sizes = new long[self.rank()];
    Arrays.fill(sizes, 1);
    sizes[Math.min(1, sizes.length - 1)] = channels;
    return sloped(call, self, steps.view(weight, sizes));
  }

  private static Object sloped(Call call, DenseTensor self, Object weight) {
    return weight instanceof Fault
        ? weight
        : Pointwise.apply(call, false, "prelu", self.dtype(), Formulas.SLOPED, self, weight);
  }

  private static Object logit(Call call, boolean inPlace) {
    DenseTensor self = call.tensor(0);
    double eps = call.isNone(1) ? 0 : call.real(1);
    Rule rule = Formulas.logit(!call.isNone(1), eps);
    DType computed = Promotion.of(self).floatingResult();
    return Pointwise.apply(call, inPlace, "logit", computed, rule, self);
  }

  private static Object numbers(Call call, boolean inPlace) {
    DenseTensor self = call.tensor(0);
    double nan = call.isNone(1) ? 0 : call.real(1);
    double most = call.isNone(2) ? greatest(self.dtype()) : call.real(2);
    double least = call.isNone(3) ? -greatest(self.dtype()) : call.real(3);
    Rule rule = Formulas.replaceNonFinite(nan, most, least);
    return Pointwise.apply(call, inPlace, "nan_to_num", self.dtype(), rule, self);
  }

  /** The greatest finite number. */
  static double greatest(DType dtype) {
    return switch (dtype) {
      case FLOAT32 -> Float.MAX_VALUE;
      case FLOAT16 -> 65504;
      case BFLOAT16 -> Float.intBitsToFloat(0x7f7f0000);
      default -> Double.MAX_VALUE;
    };
  }
}
