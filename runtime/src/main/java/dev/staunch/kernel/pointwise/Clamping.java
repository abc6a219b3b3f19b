package dev.staunch.kernel.pointwise;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Combination;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Rule;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Operands;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.List;

/** Clamps elements between bounds. NaN stays NaN; if the bounds cross, the upper one wins. */
final class Clamping {
  private Clamping() {}

  static void addTo(Catalog.Builder catalog) {
    for (String name : new String[] {"clamp", "clip"}) {
      String scalars = "Scalar? min=None, Scalar? max=None";
      String tensors = "Tensor? min=None, Tensor? max=None";
      Pointwise.both(catalog.out("out"), name, "", scalars, operands -> clamp(operands, 1, 2));
      Pointwise.both(
          catalog.withDTypes(DType.of(DType.Kind.INTEGRAL, DType.Kind.FLOATING)),
          name,
          "Tensor",
          tensors,
          operands -> clamp(operands, 1, 2));
    }
    for (String form : new String[] {"Scalar", "Tensor"}) {
      String overload = form.equals("Scalar") ? "" : form;
      Pointwise.both(
          catalog, "clamp_min", overload, form + " min", operands -> clamp(operands, 1, 0));
      Pointwise.both(
          catalog, "clamp_max", overload, form + " max", operands -> clamp(operands, 0, 1));
    }
  }

  /** Clamps between the arguments at {@code low} and {@code high}; index 0 means no bound. */
  private static Object clamp(Operands operands, int low, int high) {
    List<Object> clamped = new ArrayList<>(List.of(operands.value(0)));
    boolean below = low > 0 && !operands.isNone(low);
    boolean above = high > 0 && !operands.isNone(high);
    boolean single = low > 0 && high > 0 && below != above;
    if (below) {
      clamped.add(
          single ? bound(operands.value(low), Double.NEGATIVE_INFINITY) : operands.value(low));
    }
    if (above) {
      clamped.add(
          single ? bound(operands.value(high), Double.POSITIVE_INFINITY) : operands.value(high));
    }
    if (clamped.size() == 1) {
      return Fault.value("clamp takes at least one of `min` and `max`");
    }
    DType computed = Promotion.of(clamped.toArray()).result();
    boolean tensors = clamped.size() == 2 && Steps.isTensor(clamped.get(1));
    if (computed == DType.BOOL && !tensors) {
      return Pointwise.refusal("clamp", computed);
    }
    for (Object bound : clamped) {
      Fault fault = OperandChecks.fits(bound, computed);
      if (fault != null) {
        return fault;
      }
    }
    if (below
        && above
        && computed.isFloating()
        && operands.value(low) instanceof Number least
        && operands.value(high) instanceof Number most) {
      Rule between = Formulas.between(least.doubleValue(), most.doubleValue());
      return Combination.of("clamp", computed, between, operands.value(0));
    }
    Rule rule = below && above ? Formulas.clamp() : below ? Formulas.greater() : Formulas.less();
    return Combination.of("clamp", computed, rule, clamped.toArray());
  }

  /** The single bound of {@code clamp}, which does not bound if it is NaN. */
  private static Object bound(Object value, double none) {
    return value instanceof Double number && number.isNaN() ? (Object) none : value;
  }
}
