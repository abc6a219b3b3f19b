package dev.staunch.kernel.random;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Combination;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Views;
import dev.staunch.kernel.scalar.NumberText;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;

/**
 * Dropout of single elements or of whole features: with zeros, or as self-normalising networks need
 * it.
 */
final class Dropout {
  private static final double ALPHA = 1.7580993408473766;

  private Dropout() {}

  static void addTo(Catalog.Builder catalog) {
    add(catalog, "dropout", false, false);
    add(catalog, "feature_dropout", true, false);
    add(catalog, "alpha_dropout", false, true);
    add(catalog, "feature_alpha_dropout", true, true);
  }

  private static void add(Catalog.Builder catalog, String name, boolean features, boolean alpha) {
    Catalog.Builder drawing = catalog.with(Trait.DRAWS_RANDOM);
    drawing
        .with(Trait.SHARES, Trait.LAYOUT_AGNOSTIC)
        .withInference(operands -> form(operands, name, features, false))
        .one(
            "aten::" + name + "(Tensor input, float p, bool train) -> Tensor",
            call -> run(call, name, features, alpha, false));
    drawing
        .withInference(operands -> form(operands, name, features, true))
        .one(
            "aten::" + name + "_(Tensor(a!) self, float p, bool train) -> Tensor(a!)",
            call -> run(call, name, features, alpha, true));
  }

  /** Whether all elements stay unchanged. */
  private static boolean keeps(Operands operands) {
    return !operands.bool(2) || operands.real(1) == 0 || operands.shape(0).elements() == 0;
  }

  private static Object form(Operands operands, String name, boolean features, boolean inPlace) {
    TensorForm self = operands.form(0);
    double p = operands.real(1);
    if (!(p >= 0 && p <= 1)) {
      String text = "`p` of a dropout must be from 0 to 1, but it is ";
      return Fault.value(text + NumberText.brief(p))
          .withExpected("a probability from 0 to 1", NumberText.brief(p));
    }
    if (keeps(operands)) {
      return new TensorForm(self.dtype(), self.layout());
    }
    if (p < 1 && features && self.rank() < 2) {
      return Fault.shape(
              "a dropout of features takes [batch, features, ...], but the shape is "
                  + self.shape())
          .withExpected("[batch, features, ...]", self.shape().toString());
    }
    Fault fault = p < 1 ? Promotion.inPlace(DType.FLOAT32, self.dtype()) : null;
    Combination wanted =
        Combination.of(name, self.dtype(), Formulas.timesZero(), operands.value(0));
    return fault != null
        ? fault
        : inPlace ? Pointwise.formInPlace(operands, wanted) : Pointwise.form(wanted);
  }

  private static Object run(
      Call call, String name, boolean features, boolean alpha, boolean inPlace) {
    if (form(call, name, features, inPlace) instanceof Fault fault) {
      return fault;
    }
    DenseTensor self = call.tensor(0);
    double p = call.real(1);
    if (keeps(call)) {
      return Views.same(call, self);
    }
    return p == 1
        ? Pointwise.apply(
            call, inPlace, Combination.of(name, self.dtype(), Formulas.timesZero(), self))
        : masked(call, name, features, alpha ? alpha(p) : plain(p), inPlace);
  }

  private static Rule plain(double p) {
    return Formulas.dropped(1 / (1 - p));
  }

  /** Keeps mean 0 and variance 1 of activations after SELU. */
  private static Rule alpha(double p) {
    double a = 1 / Math.sqrt((ALPHA * ALPHA * p + 1) * (1 - p));
    return Formulas.alphaDropped(p, ALPHA, a);
  }

  private static Object masked(
      Call call, String name, boolean features, Rule rule, boolean inPlace) {
    DenseTensor self = call.tensor(0);
    long[] sizes = self.shape().toArray();
    if (features) {
      Arrays.fill(sizes, 2, sizes.length, 1);
    }
    Object made = call.allocate(DType.BOOL, Shape.of(sizes));
    Object noise = Drawing.filled(call, made, -1, Distribution.bernoulli(1 - call.real(1)));
    if (!(noise instanceof DenseTensor mask)) {
      return noise;
    }
    Object result =
        Pointwise.apply(call, inPlace, Combination.of(name, self.dtype(), rule, self, mask));
    mask.close();
    return result;
  }
}
