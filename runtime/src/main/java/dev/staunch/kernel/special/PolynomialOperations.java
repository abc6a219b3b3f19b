package dev.staunch.kernel.special;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Broadcast;
import dev.staunch.kernel.loop.Filled;
import dev.staunch.kernel.operand.Doubles;
import dev.staunch.operation.Operands;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Orthogonal polynomials of a place and a degree, either of which may be a number. */
final class PolynomialOperations {
  private PolynomialOperations() {}

  static void addTo(Catalog.Builder catalog) {
    for (OrthogonalPolynomial family : OrthogonalPolynomial.values()) {
      add(catalog.out("out"), family, "(Tensor x, Tensor n)");
      add(catalog.out("x_scalar_out"), family, ".x_scalar(Scalar x, Tensor n)");
      add(catalog.out("n_scalar_out"), family, ".n_scalar(Tensor x, Scalar n)");
    }
  }

  private static void add(Catalog.Builder catalog, OrthogonalPolynomial family, String form) {
    String name = family.operation();
    Filled.add(
        catalog,
        "aten::" + name + form + " -> Tensor",
        operands ->
            SpecialOperations.form(name, shape(operands), operands.value(0), operands.value(1)),
        (target, call) -> fill(target, call, family));
  }

  private static Object shape(Operands operands) {
    return !operands.isTensor(0)
        ? operands.shape(1)
        : !operands.isTensor(1)
            ? operands.shape(0)
            : Broadcast.shape(operands.shape(0), operands.shape(1));
  }

  private static @Nullable Fault fill(DenseTensor target, Call call, OrthogonalPolynomial family) {
    CancellationPoll poll = new CancellationPoll(call);
    double[] places = stretched(poll, call, 0, target);
    double[] degrees = stretched(poll, call, 1, target);
    for (int i = 0; i < places.length && poll.mayContinue(16); i++) {
      places[i] = family.at(places[i], degrees[i], poll);
    }
    Doubles.store(target, places);
    return poll.fault();
  }

  /** An operand in the result's shape, rounded to its dtype. */
  private static double[] stretched(CancellationPoll poll, Call call, int i, DenseTensor target) {
    double[] values;
    if (call.isTensor(i)) {
      values = SpecialOperations.stretched(poll, call, i, target.shape());
    } else {
      values = new double[Shape.asInt(target.elements())];
      Arrays.fill(values, call.real(i));
    }
    for (int k = 0; k < values.length && poll.mayContinue(1); k++) {
      values[k] = Elements.rounded(target.dtype(), values[k]);
    }
    return values;
  }
}
