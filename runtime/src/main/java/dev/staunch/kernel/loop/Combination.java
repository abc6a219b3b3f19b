package dev.staunch.kernel.loop;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.PointwiseBody;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/**
 * What a pointwise operation does for operands of given forms: which operands it combines, how, and
 * the dtype of the result. For operands that do not exist yet it holds their forms.
 */
public final class Combination {
  /** A check of the elements alone, before they are combined; returns a fault, or null. */
  @FunctionalInterface
  public interface Check {
    @Nullable Fault of(Call call);
  }

  private final String name;
  private final DType result;
  private final DType computed;
  private final Rule rule;
  private final @Nullable Check check;
  private final Object[] operands;
  private final Object[] deciding;

  private Combination(
      String name,
      DType result,
      DType computed,
      Rule rule,
      @Nullable Check check,
      Object[] operands,
      Object[] deciding) {
    this.name = name;
    this.result = result;
    this.computed = computed;
    this.rule = rule;
    this.check = check;
    this.operands = operands;
    this.deciding = deciding;
  }

  /** Combines tensors and numbers in {@code computed}, which is also the dtype of the result. */
  public static Combination of(String name, DType computed, Rule rule, Object... operands) {
    return new Combination(name, computed, computed, rule, null, operands, operands);
  }

  /** As {@link #of}, for comparisons, whose result is bool. */
  public static Combination answer(String name, DType computed, Rule rule, Object... operands) {
    return new Combination(name, DType.BOOL, computed, rule, null, operands, operands);
  }

  /** The same combination with another dtype for the result. */
  public Combination giving(DType other) {
    return new Combination(name, other, computed, rule, check, operands, deciding);
  }

  /** The same combination, after {@code first} has checked the elements. */
  public Combination checked(Check first) {
    return new Combination(name, result, computed, rule, first, operands, deciding);
  }

  /**
   * The same combination, with a new result in the layout that {@code others}, combined in this
   * order, would give it; in row-major order if there are none.
   */
  public Combination lyingAs(Object... others) {
    return new Combination(name, result, computed, rule, check, operands, others);
  }

  /**
   * A new tensor, made on the fast path of {@link PlainRows}; or a fault; or null if that path does
   * not apply.
   *
   * @param last as for {@link #target}
   */
  @Nullable Object inRows(Call call, boolean last) {
    return isPlain() ? PlainRows.compute(call, rule, operands[0], second(), last) : null;
  }

  /** Whether this does no more than {@link PlainRows} can do, if they fit. */
  private boolean isPlain() {
    return computed == DType.FLOAT32
        && result == computed
        && check == null
        && operands.length >= 1
        && operands.length <= 2;
  }

  private @Nullable Object second() {
    return operands.length == 1 ? null : operands[1];
  }

  /** Writes the result into {@code self} as {@link #inRows} does; false if that does not apply. */
  @SuppressWarnings("ReferenceEquality") // identity is the point
  boolean writesRows(Call call, DenseTensor self) {
    return isPlain() && operands[0] == self && PlainRows.write(call, rule, self, second());
  }

  /** As {@link PointwiseBody#rows}, for the operands that this was chosen for. */
  PointwiseBody.@Nullable Rows rows(Operands given, Shape shape, KernelSet kernels) {
    if (result != DType.FLOAT32
        || computed != result
        || check != null
        || deciding.length == 0
        || !(operands[0] instanceof TensorForm whole)
        || !whole.shape().equals(shape)) {
      return null;
    }
    Object second = operands.length == 1 ? 0.0 : operands[1];
    Shape row = second instanceof TensorForm form ? form.shape() : shape;
    RowFormula loop = PlainRows.loop(rule, shape, row, kernels);
    if (loop == null || second instanceof ComplexNumber) {
      return null;
    }
    int first = place(given, whole);
    return second instanceof TensorForm
        ? new PointwiseBody.Rows(loop, first, place(given, second), 0)
        : new PointwiseBody.Rows(loop, first, -1, (float) Scalars.real(second, result));
  }

  @SuppressWarnings("ReferenceEquality") // distinguishes several equal forms
  private static int place(Operands given, Object operand) {
    int place = 0;
    while (given.value(place) != operand) {
      place++;
    }
    return place;
  }

  /**
   * A tensor for the result, with undefined content; or a fault.
   *
   * @param last whether this is the last computation with the call's arguments; then the result may
   *     overwrite the first operand if nothing reads that any more
   */
  Object target(Call call, Shape shape, boolean last) {
    Layout strided = layout(shape);
    if (strided == null && call.resultOrder() == Call.Order.CHANNELS_LAST && shape.rank() == 4) {
      strided = Layout.turned(shape);
    }
    if (last
        && operands[0] instanceof DenseTensor first
        && call.mayOverwrite(first, result, shape, strided)) {
      return first;
    }
    return strided == null ? call.allocate(result, shape) : call.allocate(result, strided);
  }

  /** The layout of a new result of {@code shape}; null for row-major order. */
  @Nullable Layout layout(Shape shape) {
    return ResultStrides.of(shape, deciding);
  }

  /** The name of the operation in messages. */
  String name() {
    return name;
  }

  /** The dtype of a new result. */
  public DType result() {
    return result;
  }

  /** The dtype in which elements are combined. */
  public DType computed() {
    return computed;
  }

  public Rule rule() {
    return rule;
  }

  @Nullable Check check() {
    return check;
  }

  /** The rule's operand {@code i}: a tensor, its form, or a number. */
  public Object operand(int i) {
    return operands[i];
  }

  /** Tensors, or their forms, and numbers, in the order of the rule's operands. */
  Object[] operands() {
    return operands;
  }
}
