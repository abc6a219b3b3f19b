package dev.staunch.kernel.pointwise;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;

/** Whether elements are equal up to a tolerance. */
final class ClosenessOperations {
  private ClosenessOperations() {}

  static void addTo(Catalog.Builder catalog) {
    String rest =
        "(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, bool"
            + " equal_nan=False)";
    catalog.one("aten::isclose" + rest + " -> Tensor", ClosenessOperations::close);
    catalog.one("aten::allclose" + rest + " -> bool", ClosenessOperations::allClose);
  }

  private static Object close(Call call) {
    DenseTensor self = call.tensor(0);
    DenseTensor other = call.tensor(1);
    if (self.dtype() != other.dtype()) {
      return Fault.dtype(
              Message.of(
                  "both tensors must have one dtype, but are %s and %s",
                  self.dtype(), other.dtype()))
          .withExpected("the same dtype " + self.dtype(), other.dtype().toString());
    }
    double relative = call.real(2);
    double absolute = call.real(3);
    if (!(relative >= 0) || !(absolute >= 0)) {
      boolean first = !(relative >= 0);
      return Fault.value(
          Message.of(
              "`%s` must not be negative, but it is %s",
              first ? "rtol" : "atol", first ? relative : absolute));
    }
    Rule rule = Formulas.isClose(relative, absolute, call.bool(4));
    return Pointwise.compute(call, "isclose", DType.BOOL, self.dtype(), rule, self, other);
  }

  private static Object allClose(Call call) {
    Object close = close(call);
    if (!(close instanceof DenseTensor answers)) {
      return close;
    }
    Lookout lookout = new Lookout(call);
    boolean all = true;
    for (long i = 0; all && i < answers.elements() && lookout.goesOn(1); i++) {
      all = answers.segment().get(JAVA_BYTE, i) != 0;
    }
    answers.close();
    return lookout.fault() == null ? (Object) all : lookout.fault();
  }
}
