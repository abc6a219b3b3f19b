package dev.staunch.kernel.pointwise;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Combination;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Operands;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;

/** Tests whether elements are equal up to a tolerance. */
final class ClosenessOperations {
  private static final Pointwise CLOSE =
      new Pointwise(ClosenessOperations::close, /* inPlace= */ false);

  private ClosenessOperations() {}

  static void addTo(Catalog.Builder catalog) {
    String rest =
        "(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, bool"
            + " equal_nan=False)";
    Pointwise.one(catalog, "isclose" + rest, ClosenessOperations::close);
    catalog
        .withDTypes(DType.of(DType.Kind.values()))
        .one("aten::allclose" + rest + " -> bool", ClosenessOperations::allClose);
  }

  private static Object close(Operands operands) {
    DType self = operands.dtype(0);
    DType other = operands.dtype(1);
    if (self != other) {
      return Fault.dtype(
              Message.of("both tensors must have one dtype, but are %s and %s", self, other))
          .withExpected(ExpectedDType.same(self), other);
    }
    double relative = operands.real(2);
    double absolute = operands.real(3);
    if (!(relative >= 0) || !(absolute >= 0)) {
      boolean first = !(relative >= 0);
      return Fault.value(
          Message.of(
              "`%s` must not be negative, but it is %s",
              first ? "rtol" : "atol", first ? relative : absolute));
    }
    Rule rule = Formulas.isClose(relative, absolute, operands.bool(4));
    return Combination.answer("isclose", self, rule, operands.value(0), operands.value(1));
  }

  private static Object allClose(Call call) {
    Object close = CLOSE.run(call);
    if (!(close instanceof DenseTensor answers)) {
      return close;
    }
    CancellationPoll poll = new CancellationPoll(call);
    boolean all = true;
    for (long i = 0; all && i < answers.elements() && poll.mayContinue(1); i++) {
      all = answers.segment().get(JAVA_BYTE, i) != 0;
    }
    answers.close();
    return poll.fault() == null ? (Object) all : poll.fault();
  }
}
