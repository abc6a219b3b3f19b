package dev.staunch.kernel.spectral;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Operands;
import dev.staunch.type.DType;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Complex numbers made from reals. */
final class ComplexNumbers {
  private ComplexNumbers() {}

  static void addTo(Catalog.Builder catalog) {
    Catalog.Builder stored = catalog.out("out");
    Catalog.Builder ofReals = stored.withDTypes(Set.of(DType.FLOAT32, DType.FLOAT64));
    Composite.add(
        ofReals,
        "aten::complex(Tensor real, Tensor imag) -> Tensor",
        (steps, call) -> {
          Fault fault = misfit("complex", "real", "imag", call);
          return fault == null ? paired(steps, call.value(0), call.value(1)) : fault;
        });
    Composite.add(stored, "aten::angle(Tensor self) -> Tensor", ComplexNumbers::angle);
    Composite.add(
        ofReals,
        "aten::polar(Tensor abs, Tensor angle) -> Tensor",
        (steps, call) -> {
          Fault fault = misfit("polar", "abs", "angle", call);
          if (fault != null) {
            return fault;
          }
          Object re = steps.product(call.value(0), steps.run("cos", call.value(1)));
          Object im = steps.product(call.value(0), steps.run("sin", call.value(1)));
          return paired(steps, re, im);
        });
  }

  /** The angles of complex numbers; pi for negative reals. */
  private static Object angle(Steps steps, Operands call) {
    if (call.dtype(0).kind() == DType.Kind.COMPLEX) {
      Object re = steps.run("real", call.value(0));
      return steps.run("atan2", steps.run("imag", call.value(0)), re);
    }
    Object reals = steps.run("add.Scalar", call.value(0), 0.0); // turns -0 into 0
    return steps.run("atan2", steps.run("zeros_like", reals), reals);
  }

  private static @Nullable Fault misfit(String name, String first, String second, Operands call) {
    DType a = call.dtype(0);
    DType b = call.dtype(1);
    if (a == b && isReal(a)) {
      return null;
    }
    DType wanted = isReal(a) ? a : isReal(b) ? b : DType.FLOAT32;
    String text = "%s takes two tensors of float32, or two of float64, but got %s and %s";
    return Fault.dtype(Message.of(text, name, a, b))
        .withExpected(ExpectedDType.of(wanted).in(a == wanted ? second : first), a + " and " + b);
  }

  private static boolean isReal(DType dtype) {
    return dtype == DType.FLOAT32 || dtype == DType.FLOAT64;
  }

  private static Object paired(Steps steps, Object re, Object im) {
    Object both = steps.run("broadcast_tensors", Steps.list(re, im));
    return both instanceof List<?> ? steps.run("view_as_complex", stacked(steps, both)) : both;
  }

  private static Object stacked(Steps steps, Object both) {
    return steps.run("stack", both, -1L);
  }
}
