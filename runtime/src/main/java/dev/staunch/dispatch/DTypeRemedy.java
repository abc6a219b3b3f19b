package dev.staunch.dispatch;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.ExpectedDType.Whose;
import dev.staunch.operation.Schema;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Adds to the message of a dtype fault the step that fixes it (F9): the cast of a tensor, or
 * another number; for complex numbers, which are not cast, one of their parts. Which argument to
 * change, and to what, follows from what the kernel {@linkplain ExpectedDType expected} and found:
 *
 * <ul>
 *   <li>a named parameter: that one;
 *   <li>{@code SAME}: whichever has the dtype of the lower kind; for equal kinds, the dtype that
 *       fewer of the tensors have. The first tensor of that dtype is cast if it is the dtype that
 *       was expected, because that is the operation's own tensor. Otherwise it is a layer's {@code
 *       input}, which determines the dtype of its states, or the last such tensor;
 *   <li>{@code STORED}: the tensor that is written in place, or else the first of that dtype, has
 *       to hold what was found;
 *   <li>{@code ALL}: all tensors of the dtype that was found;
 *   <li>{@code ONE}: the last tensor of the dtype that was found, else the last argument of its
 *       kind.
 * </ul>
 */
final class DTypeRemedy {
  /** A tensor or a number among the arguments. */
  private record Operand(String name, DType dtype, boolean isTensor, boolean mutated) {
    boolean isReal() {
      return dtype == DType.FLOAT32 || dtype == DType.FLOAT64;
    }
  }

  private final List<Operand> operands;
  private final Whose whose;
  private final @Nullable String parameter;
  private final @Nullable DType wanted;
  private final @Nullable DType found;
  private final boolean unsupported;

  private DTypeRemedy(Fault fault, List<Operand> operands) {
    this.operands = operands;
    ExpectedDType expected = fault.wanted() instanceof ExpectedDType known ? known : null;
    this.whose = expected == null ? Whose.ONE : expected.whose();
    this.parameter = expected == null ? null : expected.parameter();
    this.wanted = wanted(fault);
    this.found = fault.found() instanceof DType dtype ? dtype : null;
    this.unsupported = fault.type() == FaultType.UNSUPPORTED;
  }

  /**
   * {@code fault} with the remedy, if it is about a dtype and the call has an argument to change.
   */
  static Fault addedTo(Fault fault, Schema schema, Call call) {
    if (fault.type() != FaultType.DTYPE && !isUnsupportedDType(fault)) {
      return fault;
    }
    List<Operand> operands = operands(schema, call);
    if (!operands.isEmpty()) {
      return isInWords(fault)
          ? fault
          : new DTypeRemedy(fault, operands).addedTo(fault, schema.qualifiedName());
    }
    boolean asked = schema.parameters().stream().anyMatch(each -> each.name().equals("dtype"));
    DType wanted = wanted(fault);
    return asked
        ? with("give `dtype` as " + (wanted == null ? DType.FLOAT32 : wanted), fault)
        : fault;
  }

  private static boolean isUnsupportedDType(Fault fault) {
    return fault.type() == FaultType.UNSUPPORTED && wanted(fault) != null;
  }

  private static @Nullable DType wanted(Fault fault) {
    return fault.wanted() instanceof ExpectedDType expected ? expected.dtype() : null;
  }

  /** Whether a kernel of the user's says in words alone what it expected. */
  private static boolean isInWords(Fault fault) {
    return fault.wanted() instanceof String && fault.found() instanceof String;
  }

  private static Fault with(String step, Fault fault) {
    return fault.withMessage(fault.message() + "; " + step);
  }

  private Fault addedTo(Fault fault, String operation) {
    Operand blamed = blamed();
    DType target = target(blamed);
    String name = blamed.name();
    if (unsupported && blamed.isTensor() && blamed.dtype().kind() == DType.Kind.COMPLEX) {
      return with(Message.of("take `real` or `imag` of `%s` before `%s`", name, operation), fault);
    }
    if (target.kind() == DType.Kind.COMPLEX && blamed.dtype().kind() != DType.Kind.COMPLEX) {
      return with(
          Message.of("make `%s` with `view_as_complex` before `%s`", name, operation), fault);
    }
    if (!blamed.isTensor()) {
      String kind = target.isFloating() ? "a float" : "an int";
      return with(Message.of("give `%s` as %s", name, kind), fault);
    }
    List<String> cast = cast(blamed);
    String step =
        Message.of(
            "cast %s with `to(%s)` before `%s`", String.join(" and ", cast), target, operation);
    return cast.size() > 1
        ? with(step, fault)
        : fault.withCast(new Fault.Cast(blamed.dtype().toString(), target.toString(), step));
  }

  /** The tensor to cast, along with all others of its dtype if all must have the same one. */
  private List<String> cast(Operand blamed) {
    return operands.stream()
        .filter(each ->
            each.equals(blamed) || (whose == Whose.ALL && each.isTensor() && each.dtype() == found))
        .map(each -> "`" + each.name() + "`")
        .toList();
  }

  private static List<Operand> operands(Schema schema, Call call) {
    List<Operand> operands = new ArrayList<>();
    List<Schema.Parameter> parameters = schema.parameters();
    for (int i = 0; i < parameters.size() && i < call.size(); i++) {
      Schema.Parameter parameter = parameters.get(i);
      Object value = call.value(i);
      Object first = value instanceof List<?> list && !list.isEmpty() ? list.get(0) : value;
      DType dtype = dtypeOf(first, parameter.type());
      if (dtype != null) {
        boolean isTensor = first instanceof DenseTensor;
        operands.add(new Operand(parameter.name(), dtype, isTensor, parameter.mutated()));
      }
    }
    return operands.stream().anyMatch(Operand::isTensor) ? operands : List.of();
  }

  private static @Nullable DType dtypeOf(Object value, Type type) {
    if (value instanceof DenseTensor tensor) {
      return tensor.dtype();
    }
    boolean isNumber = type == Type.Plain.NUMBER;
    if (!isNumber) {
      return null;
    }
    return value instanceof Double
        ? DType.FLOAT64
        : value instanceof ComplexNumber ? DType.COMPLEX128 : DType.INT64;
  }

  private Operand blamed() {
    for (Operand each : operands) {
      if (whose == Whose.STORED ? each.mutated() : each.name().equals(parameter)) {
        return each;
      }
    }
    boolean isForSame = whose == Whose.SAME;
    boolean isRight = whose == Whose.STORED || (isForSame && target(null) == found);
    DType odd = isRight ? wanted : found;
    boolean isFirst = isRight || (isForSame && isInput(operands.getFirst(), odd));
    List<Operand> order = isFirst ? operands : operands.reversed();
    return first(order, each -> each.isTensor() && each.dtype() == odd)
        .or(() -> first(order, each -> odd != null && each.dtype().kind() == odd.kind()))
        .orElse(operands.getFirst());
  }

  private static boolean isInput(Operand operand, @Nullable DType dtype) {
    return operand.isTensor() && operand.dtype() == dtype && operand.name().equals("input");
  }

  private static Optional<Operand> first(List<Operand> order, Predicate<Operand> test) {
    return order.stream().filter(test).findFirst();
  }

  private DType target(@Nullable Operand blamed) {
    if (whose == Whose.SAME && wanted != null && found != null) {
      return common(wanted, found);
    }
    DType asked = whose == Whose.STORED ? found : wanted;
    if (asked != null) {
      return asked;
    }
    return blamed != null && blamed.isReal() ? DType.INT64 : DType.FLOAT32;
  }

  /** The dtype of the higher kind; for equal kinds, the one that more tensors have. */
  private DType common(DType first, DType second) {
    int higher = first.kind().compareTo(second.kind());
    return (higher == 0 ? count(first) - count(second) : higher) >= 0 ? first : second;
  }

  private long count(DType dtype) {
    return operands.stream().filter(each -> each.isTensor() && each.dtype() == dtype).count();
  }
}
