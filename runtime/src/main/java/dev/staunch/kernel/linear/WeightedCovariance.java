package dev.staunch.kernel.linear;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Filled;
import dev.staunch.kernel.operand.Doubles;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.None;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The covariance of observations that count more than once, or are more or less important. */
final class WeightedCovariance {
  private static final Filled WEIGHTS =
      new Filled(WeightedCovariance::form, WeightedCovariance::multiply);

  private WeightedCovariance() {}

  /**
   * The covariance.
   *
   * @param call the arguments of {@code cov}
   * @param rows the variables; each column is an observation
   */
  static Object of(Steps steps, Operands call, Object rows) {
    long count = Steps.form(rows).shape().size(1);
    Object weights = steps.apply(WEIGHTS, call.value(2), call.value(3), count);
    Object total = steps.run("sum", weights);
    Object weighted = steps.product(rows, weights);
    Object sums = steps.run("sum.dim_IntList", weighted, Steps.ints(1), true);
    Object away = steps.difference(rows, steps.run("div.Tensor", sums, total));
    Object turned = steps.run("conj", steps.run("t", steps.product(away, weights)));
    Object square = steps.run("matmul", away, turned);
    long correction = call.integer(1);
    Object less = (Object) (double) correction;
    if (!call.isNone(3) && correction != 0) {
      Object squares = steps.run("sum", steps.product(weights, call.value(3)));
      less = steps.scaled(steps.run("div.Tensor", squares, total), correction);
    }
    Object divisor =
        less instanceof Double
            ? steps.run("sub.Scalar", total, less)
            : steps.difference(total, less);
    Object positive = steps.run("clamp_min", divisor, 0L);
    return steps.run("squeeze", steps.run("div.Tensor", square, positive));
  }

  private static Object form(Operands operands) {
    DType dtype = DType.INT64;
    for (int i = 0; i < 2; i++) {
      if (!operands.isNone(i)) {
        TensorForm weights = operands.form(i);
        Fault fault = misfit(weights, i == 0, operands.integer(2));
        if (fault != null) {
          return fault;
        }
        dtype = weights.dtype();
      }
    }
    return TensorForm.contiguous(dtype, Shape.of(operands.integer(2)));
  }

  private static @Nullable Fault misfit(TensorForm weights, boolean counts, long observations) {
    String name = counts ? "fweights" : "aweights";
    DType dtype = weights.dtype();
    if (counts ? dtype.kind() != DType.Kind.INTEGRAL : !dtype.isFloating()) {
      String kind = counts ? "integers" : "floating point numbers";
      return Fault.dtype(Message.of("`%s` of cov are %s, but they are %s", name, kind, dtype))
          .withExpected(ExpectedDType.worded(kind, counts ? DType.INT64 : DType.FLOAT32), dtype);
    }
    if (weights.rank() > 1 || weights.elements() != observations) {
      String text = "`%s` of cov are one for each of %d observations, but their shape is %s";
      return OperandChecks.shape(
          Message.of(text, name, observations, weights.shape()),
          "[" + observations + "]",
          weights.shape());
    }
    return null;
  }

  private static @Nullable Fault multiply(DenseTensor target, Call call) {
    CancellationPoll poll = new CancellationPoll(call);
    double[] product = new double[Shape.asInt(target.elements())];
    Arrays.fill(product, 1);
    for (int i = 0; i < 2; i++) {
      if (call.value(i) != None.NONE) {
        double[] weights = Doubles.of(poll, call.tensor(i));
        for (int k = 0; k < product.length && poll.mayContinue(1); k++) {
          if (weights[k] < 0) {
            return Fault.value("weights of cov must not be negative, but there is " + weights[k]);
          }
          product[k] *= weights[k];
        }
      }
    }
    if (poll.fault() == null && Arrays.stream(product).sum() == 0) {
      return Fault.value("weights of cov sum to zero");
    }
    Doubles.store(target, product);
    return poll.fault();
  }
}
