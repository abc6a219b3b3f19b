package dev.staunch.kernel.pointwise;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.List;

/** Keeps elements between bounds. NaN stays NaN; where the bounds cross, the upper one holds. */
final class Clamping {
  private Clamping() {}

  static void addTo(Catalog.Builder catalog) {
    for (String name : new String[] {"clamp", "clip"}) {
      String scalars = "Scalar? min=None, Scalar? max=None";
      String tensors = "Tensor? min=None, Tensor? max=None";
      Pointwise.both(catalog, name, "", scalars, (call, there) -> clamp(call, there, 1, 2));
      Pointwise.both(catalog, name, "Tensor", tensors, (call, there) -> clamp(call, there, 1, 2));
    }
    for (String form : new String[] {"Scalar", "Tensor"}) {
      String overload = form.equals("Scalar") ? "" : form;
      Pointwise.both(
          catalog, "clamp_min", overload, form + " min", (call, there) -> clamp(call, there, 1, 0));
      Pointwise.both(
          catalog, "clamp_max", overload, form + " max", (call, there) -> clamp(call, there, 0, 1));
    }
  }

  /** Clamps between the arguments at {@code low} and {@code high}, of which 0 stands for none. */
  private static Object clamp(Call call, boolean inPlace, int low, int high) {
    List<Object> operands = new ArrayList<>(List.of(call.tensor(0)));
    boolean below = low > 0 && !call.isNone(low);
    boolean above = high > 0 && !call.isNone(high);
    if (below) {
      operands.add(call.value(low));
    }
    if (above) {
      operands.add(call.value(high));
    }
    if (operands.size() == 1) {
      return Fault.value("clamp takes at least one of `min` and `max`");
    }
    DType computed = Promotion.of(operands.toArray()).result();
    if (computed == DType.BOOL) {
      return Pointwise.refusal("clamp", computed);
    }
    Rule rule = below && above ? Formulas.CLAMP : below ? Formulas.GREATER : Formulas.LESS;
    return Pointwise.apply(call, inPlace, "clamp", computed, rule, operands.toArray());
  }
}
