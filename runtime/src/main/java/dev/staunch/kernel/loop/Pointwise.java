package dev.staunch.kernel.loop;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Demands;
import dev.staunch.kernel.operand.Marking;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/** Runs rules on broadcast operands: into a new tensor, or into the first operand. */
public final class Pointwise {
  private Pointwise() {}

  /** What an operation does in both its forms. */
  @FunctionalInterface
  public interface Body {
    Object run(Call call, boolean inPlace);
  }

  /** Adds an operation and its in-place form; {@code rest} are the arguments behind self. */
  public static void both(
      Catalog.Builder catalog, String name, String overload, String rest, Body body) {
    String dot = overload.isEmpty() ? "" : "." + overload;
    String more = rest.isEmpty() ? "" : ", " + rest;
    catalog.one(
        "aten::" + name + dot + "(Tensor self" + more + ") -> Tensor",
        Marking.one(call -> body.run(call, false)));
    catalog.one(
        "aten::" + name + "_" + dot + "(Tensor(a!) self" + more + ") -> Tensor(a!)",
        call -> body.run(call, true));
  }

  /** Computes in {@code computed}, the dtype of the result too; in place or not. */
  public static Object apply(
      Call call, boolean inPlace, String name, DType computed, Rule rule, Object... operands) {
    return inPlace
        ? write(call, name, computed, computed, rule, operands)
        : compute(call, name, computed, computed, rule, operands);
  }

  /**
   * A new tensor of {@code result}; or a fault. Elements are combined in {@code computed}, which
   * for comparisons is not the result's dtype.
   */
  public static Object compute(
      Call call, String name, DType result, DType computed, Rule rule, Object... operands) {
    if (result == computed && PlainRows.fit(computed, rule, operands)) {
      Object made = call.allocate(result, ((DenseTensor) operands[0]).shape());
      if (made instanceof DenseTensor target) {
        PlainRows.run(rule, target, operands);
      }
      return made;
    }
    Fault fault = refused(name, computed, rule);
    Object shape = fault == null ? shape(operands) : fault;
    Object made = shape instanceof Shape known ? call.allocate(result, known) : shape;
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    Fault stop = PointwiseLoop.run(call, target, computed, rule, operands);
    if (stop != null) {
      target.close();
      return stop;
    }
    return target;
  }

  /** Writes the call's first argument, which is the result; or a fault. */
  public static Object write(
      Call call, String name, DType result, DType computed, Rule rule, Object... operands) {
    DenseTensor self = call.tensor(0);
    if (self.is(operands[0])
        && PlainRows.fit(computed, rule, operands)
        && (operands.length == 1 || PlainRows.mayOverwrite(self, operands[1]))) {
      PlainRows.run(rule, self, operands);
      return self;
    }
    Fault fault = refused(name, computed, rule);
    fault = fault == null ? Promotion.inPlace(result, self.dtype()) : fault;
    fault = fault == null ? Demands.writable(self) : fault;
    fault = fault == null ? misfit(self, operands) : fault;
    fault =
        fault == null
            ? Overlap.elementwise(
                call, self, operands, read -> PointwiseLoop.run(call, self, computed, rule, read))
            : fault;
    return fault == null ? self : fault;
  }

  private static @Nullable Fault misfit(DenseTensor self, Object... operands) {
    Object shape = shape(operands);
    Object common = shape instanceof Shape known ? Broadcast.shape(self.shape(), known) : shape;
    if (common instanceof Fault fault) {
      return fault;
    }
    if (common.equals(self.shape())) {
      return null;
    }
    String text =
        "a result of shape %2$s does not fit the tensor %1$s, in which it is written in place";
    return Fault.shape(Message.of(text, self.shape(), common))
        .withExpected(self.shape().toString(), common.toString());
  }

  private static @Nullable Fault refused(String name, DType computed, Rule rule) {
    if (computed.kind() == DType.Kind.COMPLEX) {
      return Promotion.unsupported(name, computed);
    }
    boolean missing = computed.isFloating() ? !rule.takesReals() : !rule.takesIntegers();
    return missing ? refusal(name, computed, computed.isFloating()) : null;
  }

  /** The fault of an operation that does not take {@code dtype}; libtorch's does not either. */
  public static Fault refusal(String name, DType dtype) {
    return refusal(name, dtype, dtype == DType.FLOAT32 || dtype == DType.FLOAT64);
  }

  /** As {@link #refusal(String, DType)}, of an operation that takes integers or reals alone. */
  public static Fault refusal(String name, DType dtype, boolean wantsIntegers) {
    return Fault.dtype(Message.of("%s is not implemented for %s", name, dtype))
        .withExpected(wantsIntegers ? "an integer dtype" : "a floating dtype", dtype.toString());
  }

  /** The common shape of all operands; or a fault. */
  public static Object shape(Object... operands) {
    Object shape = Shape.SCALAR;
    for (Object operand : operands) {
      if (shape instanceof Shape known && operand instanceof DenseTensor tensor) {
        shape = Broadcast.shape(known, tensor.shape());
      }
    }
    return shape;
  }
}
