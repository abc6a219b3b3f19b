package dev.staunch.kernel.loop;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.PointwiseBody;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/**
 * A pointwise operation as data: the forms of its operands determine what it combines, and both its
 * result's form and its kernel follow from that. Operands are broadcast and combined into a new
 * tensor, or into the first one. Everything that can be checked without reading elements is checked
 * in one place, for calls and for inference.
 */
public record Pointwise(Choice choice, boolean inPlace)
    implements Kernel.One, Inference, PointwiseBody {

  /**
   * Chooses what to combine, and how; or returns the fault for operands that cannot be combined.
   */
  @FunctionalInterface
  public interface Choice {
    /** A {@link Combination} of {@code operands}, without reading their elements; or a fault. */
    Object of(Operands operands);

    /**
     * The rule by which the first arguments are combined, as many as it takes, if that is all that
     * is done with float32 tensors; null if only {@link #of} tells.
     */
    default @Nullable Rule rule(Operands operands) {
      return null;
    }

    /**
     * The same choice with a new result in row-major order, whatever the layouts of the operands.
     */
    default Choice inRowMajorOrder() {
      return operands -> {
        Object chosen = of(operands);
        return chosen instanceof Combination wanted ? wanted.lyingAs() : chosen;
      };
    }
  }

  /** An operation that combines its arguments in the dtype that they are promoted to. */
  public static Pointwise of(String name, Rule rule) {
    return new Pointwise(new Elementwise(name, rule, Elementwise.Kind.SAME), false);
  }

  @Override
  public @Nullable Rows rows(Operands operands, Shape shape, KernelSet kernels) {
    return choice.of(operands) instanceof Combination wanted
        ? wanted.rows(operands, shape, kernels)
        : null;
  }

  @Override
  public Object infer(Operands operands) {
    Object chosen = choice.of(operands);
    if (!(chosen instanceof Combination wanted)) {
      return chosen;
    }
    return inPlace ? formInPlace(operands, wanted) : form(wanted);
  }

  @Override
  public Object run(Call call) {
    boolean floats = call.value(0) instanceof DenseTensor first && first.dtype() == DType.FLOAT32;
    Rule rule = floats ? choice.rule(call) : null;
    Object plain = rule == null ? null : inRows(call, rule);
    if (plain != null) {
      return plain;
    }
    Object chosen = choice.of(call);
    if (!(chosen instanceof Combination wanted)) {
      return chosen;
    }
    if (inPlace) {
      return write(call, wanted);
    }
    return rule == null
        ? compute(call, wanted, /* last= */ true)
        : joined(call, wanted, /* last= */ true);
  }

  /** The result as {@link PlainRows} computes it, or a fault; null if they do not apply. */
  private @Nullable Object inRows(Call call, Rule rule) {
    Object second = rule.operands() == 1 ? null : call.value(1);
    if (!inPlace) {
      return PlainRows.compute(call, rule, call.value(0), second, /* last= */ true);
    }
    DenseTensor self = call.tensor(0);
    return PlainRows.write(call, rule, self, second) ? self : null;
  }

  /** Adds an operation and its in-place form; {@code rest} holds the arguments after self. */
  public static void both(
      Catalog.Builder catalog, String name, String overload, String rest, Choice choice) {
    String dot = overload.isEmpty() ? "" : "." + overload;
    String more = rest.isEmpty() ? "" : ", " + rest;
    one(catalog, name + dot + "(Tensor self" + more + ")", choice);
    inPlace(catalog, name + "_" + dot + "(Tensor(a!) self" + more + ")", choice);
  }

  /** Adds an operation that returns a new tensor. */
  public static void one(Catalog.Builder catalog, String head, Choice choice) {
    Pointwise operation = new Pointwise(choice, /* inPlace= */ false);
    catalog.withInference(operation).one("aten::" + head + " -> Tensor", operation);
  }

  /** Adds an operation that writes its first argument. */
  public static void inPlace(Catalog.Builder catalog, String head, Choice choice) {
    Pointwise operation = new Pointwise(choice, /* inPlace= */ true);
    catalog.withInference(operation).one("aten::" + head + " -> Tensor(a!)", operation);
  }

  /** The form of the new tensor that {@link #compute} would return; or its fault. */
  public static Object form(Combination wanted) {
    Fault fault = refused(wanted);
    Object shape = fault == null ? shape(wanted.operands()) : fault;
    return shape instanceof Shape known
        ? new TensorForm(wanted.result(), known, wanted.layout(known), /* name= */ null)
        : shape;
  }

  /** A new tensor; or a fault. */
  public static Object compute(Call call, Combination wanted) {
    return compute(call, wanted, /* last= */ false);
  }

  /**
   * As {@link #compute(Call, Combination)}.
   *
   * @param last whether this is the last computation with the call's arguments; then the result may
   *     overwrite the first operand if nothing reads that any more
   */
  static Object compute(Call call, Combination wanted, boolean last) {
    Object small = wanted.inRows(call, last);
    return small == null ? joined(call, wanted, last) : small;
  }

  /** The general path: operands of any dtype and layout, whose dimensions are joined. */
  private static Object joined(Call call, Combination wanted, boolean last) {
    Object[] operands = wanted.operands();
    Fault fault = refused(wanted);
    Object shape = fault == null ? shape(operands) : fault;
    fault = shape instanceof Shape ? unfit(call, wanted) : null;
    Object made =
        fault == null && shape instanceof Shape known
            ? wanted.target(call, known, last)
            : fault == null ? shape : fault;
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    Fault stop = PointwiseLoop.run(call, target, wanted.computed(), wanted.rule(), operands);
    if (stop != null) {
      target.close();
      return stop;
    }
    return target;
  }

  /** As {@link #write} if {@code inPlace}, else as {@link #compute}. */
  public static Object apply(Call call, boolean inPlace, Combination wanted) {
    return inPlace ? write(call, wanted) : compute(call, wanted);
  }

  /** The first operand's form, if it can take the result; else the fault of {@link #write}. */
  public static Object formInPlace(Operands operands, Combination wanted) {
    TensorForm self = operands.form(0);
    Fault fault = unwritable(wanted, self);
    return fault == null ? self : fault;
  }

  /** Writes the result into the call's first argument and returns it; or a fault. */
  public static Object write(Call call, Combination wanted) {
    DenseTensor self = call.tensor(0);
    if (wanted.writesRows(call, self)) {
      return self;
    }
    Object[] operands = wanted.operands();
    Fault fault = unwritable(wanted, call.form(0));
    fault = fault == null ? unfit(call, wanted) : fault;
    fault =
        fault == null
            ? Overlap.elementwise(
                call,
                self,
                operands,
                read -> PointwiseLoop.run(call, self, wanted.computed(), wanted.rule(), read))
            : fault;
    return fault == null ? self : fault;
  }

  private static @Nullable Fault unfit(Call call, Combination wanted) {
    Combination.Check check = wanted.check();
    return check == null ? null : check.of(call);
  }

  private static @Nullable Fault unwritable(Combination wanted, TensorForm self) {
    Fault fault = refused(wanted);
    fault = fault == null ? Promotion.inPlace(wanted.result(), self.dtype()) : fault;
    fault = fault == null ? OperandChecks.writable(self.layout()) : fault;
    return fault == null ? misfit(self.shape(), wanted.operands()) : fault;
  }

  private static @Nullable Fault misfit(Shape self, Object... operands) {
    Object shape = shape(operands);
    Object common = shape instanceof Shape known ? Broadcast.shape(self, known) : shape;
    if (common instanceof Fault fault) {
      return fault;
    }
    if (common.equals(self)) {
      return null;
    }
    String text =
        "a result of shape %2$s does not fit the tensor %1$s, in which it is written in place";
    return Fault.shape(Message.of(text, self, common))
        .withExpected(self.toString(), common.toString());
  }

  private static @Nullable Fault refused(Combination wanted) {
    String name = wanted.name();
    DType computed = wanted.computed();
    Fault complex = Promotion.unsupported(name, computed);
    for (Object operand : wanted.operands()) {
      if (complex == null && operand instanceof DenseTensor tensor) {
        complex = Promotion.unsupported(name, tensor.dtype());
      } else if (complex == null && operand instanceof TensorForm form) {
        complex = Promotion.unsupported(name, form.dtype());
      }
    }
    if (complex != null) {
      return complex;
    }
    Rule rule = wanted.rule();
    boolean missing = computed.isFloating() ? !rule.takesReals() : !rule.takesIntegers();
    return missing ? refusal(name, computed, computed.isFloating()) : null;
  }

  /** The fault of an operation that does not support {@code dtype}, nor does libtorch's. */
  public static Fault refusal(String name, DType dtype) {
    return refusal(name, dtype, dtype == DType.FLOAT32 || dtype == DType.FLOAT64);
  }

  /**
   * As {@link #refusal(String, DType)}, for an operation that takes only integers or only reals.
   */
  public static Fault refusal(String name, DType dtype, boolean wantsIntegers) {
    return Fault.dtype(Message.of("%s is not implemented for %s", name, dtype))
        .withExpected(wantsIntegers ? ExpectedDType.INTEGER : ExpectedDType.FLOATING, dtype);
  }

  /** The common shape of all operands, tensors or forms; or a fault. */
  public static Object shape(Object... operands) {
    Object shape = Shape.SCALAR;
    for (Object operand : operands) {
      Shape other = shapeOf(operand);
      if (shape instanceof Shape known && other != null) {
        shape = Broadcast.shape(known, other);
      }
    }
    return shape;
  }

  private static @Nullable Shape shapeOf(Object operand) {
    return operand instanceof DenseTensor tensor
        ? tensor.shape()
        : operand instanceof TensorForm form ? form.shape() : null;
  }
}
