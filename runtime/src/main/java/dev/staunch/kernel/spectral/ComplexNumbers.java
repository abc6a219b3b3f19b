package dev.staunch.kernel.spectral;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/** Complex numbers made of reals. */
final class ComplexNumbers {
  private ComplexNumbers() {}

  static void addTo(Catalog.Builder catalog) {
    Steps.add(
        catalog,
        "aten::complex(Tensor real, Tensor imag) -> Tensor",
        (steps, call) -> {
          Fault fault = misfit("complex", call);
          return fault == null ? paired(steps, call.tensor(0), call.tensor(1)) : fault;
        });
    Steps.add(catalog, "aten::angle(Tensor self) -> Tensor", ComplexNumbers::angle);
    Steps.add(
        catalog,
        "aten::polar(Tensor abs, Tensor angle) -> Tensor",
        (steps, call) -> {
          Fault fault = misfit("polar", call);
          if (fault != null) {
            return fault;
          }
          Object re = steps.product(call.tensor(0), steps.run("cos", call.tensor(1)));
          Object im = steps.product(call.tensor(0), steps.run("sin", call.tensor(1)));
          return paired(steps, re, im);
        });
  }

  /** The angles of complex numbers; pi for negative reals. */
  private static Object angle(Steps steps, Call call) {
    if (call.tensor(0).dtype().kind() == DType.Kind.COMPLEX) {
      Object re = steps.run("real", call.tensor(0));
      return steps.run("atan2", steps.run("imag", call.tensor(0)), re);
    }
    Object reals = steps.run("add.Scalar", call.tensor(0), 0.0); // makes -0 positive
    return steps.run("atan2", steps.run("zeros_like", reals), reals);
  }

  private static @Nullable Fault misfit(String name, Call call) {
    DType a = call.tensor(0).dtype();
    DType b = call.tensor(1).dtype();
    if (a == b && isReal(a)) {
      return null;
    }
    DType wanted = isReal(a) ? a : isReal(b) ? b : DType.FLOAT32;
    String first = name.equals("polar") ? "abs" : "real";
    String second = name.equals("polar") ? "angle" : "imag";
    String text = "%s takes two tensors of float32, or two of float64, but got %s and %s";
    return Fault.dtype(Message.of(text, name, a, b))
        .withExpected((a == wanted ? second : first) + " of " + wanted, a + " and " + b);
  }

  private static boolean isReal(DType dtype) {
    return dtype == DType.FLOAT32 || dtype == DType.FLOAT64;
  }

  private static Object paired(Steps steps, Object re, Object im) {
    Object both = steps.run("broadcast_tensors", Steps.list(re, im));
    return both instanceof Fault ? both : steps.run("view_as_complex", stacked(steps, both));
  }

  private static Object stacked(Steps steps, Object both) {
    return steps.run("stack", both, -1L);
  }
}
