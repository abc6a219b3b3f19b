package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.operation.Inference;
import dev.staunch.operation.None;
import dev.staunch.operation.Operands;
import dev.staunch.operation.Schema;
import dev.staunch.operation.TensorForm;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which dtypes an operation computes with: its inference is asked about small operands, of which
 * nothing is computed. First arguments are looked for that the operation takes; then the dtype of
 * its leading tensors is changed. What other tensors are there for, such as indices, keeps its own.
 */
public final class DTypeTrials {
  private static final List<Shape> SHAPES =
      List.of(
          Shape.of(2, 2),
          Shape.of(2),
          Shape.of(1, 2, 2),
          Shape.of(1, 1, 2, 2),
          Shape.of(1, 1, 2, 2, 2),
          Shape.SCALAR);

  private static final DType[] LEADING = {DType.FLOAT32, DType.INT64, DType.BOOL, DType.COMPLEX64};
  private static final DType[] OTHERS = {DType.FLOAT32, DType.INT64, DType.BOOL};
  private static final long[] INTEGERS = {1, 0, 2};

  /** Parameters that have a dtype of their own wherever they occur. */
  private static final Map<String, DType> ROLES =
      Map.of("index", DType.INT64, "indices", DType.INT64, "mask", DType.BOOL);

  /** Ones, the whole shape, its last size, the numbers of its dimensions. */
  private static final int LIST_KINDS = 4;

  /** Those, for each integer, with both truth values. */
  private static final int KINDS = 2 * INTEGERS.length * LIST_KINDS;

  private final CatalogEntry operation;
  private final Inference inference;

  /** Forms in place of tensors. */
  private final Object[] arguments;

  private final DType leading;

  private DTypeTrials(
      CatalogEntry operation, Inference inference, Object[] arguments, DType leading) {
    this.operation = operation;
    this.inference = inference;
    this.arguments = arguments;
    this.leading = leading;
  }

  /** Trials of an operation; null if it has no tensors, or no arguments were found for it. */
  public static @Nullable DTypeTrials of(CatalogEntry operation) {
    Inference inference = operation.inference();
    Schema schema = operation.schema();
    if (inference == null || operation.kernel() == null || schema.variadic()) {
      return null;
    }
    for (DType leading : LEADING) {
      for (DType other : OTHERS) {
        for (Shape shape : SHAPES) {
          for (int kind = 0; kind < KINDS; kind++) {
            Object[] arguments = arguments(schema, leading, other, shape, kind);
            if (arguments == null) {
              return null;
            }
            Object outcome = infer(inference, arguments);
            if (!(outcome instanceof Fault) && !(outcome instanceof Inference.Unknown)) {
              return new DTypeTrials(operation, inference, arguments, leading);
            }
          }
        }
      }
    }
    return null;
  }

  private static Object infer(Inference inference, Object[] arguments) {
    try {
      return inference.infer(Operands.of(arguments));
    } catch (StaunchException refused) {
      return refused.fault();
    }
  }

  private static Object @Nullable [] arguments(
      Schema schema, DType leading, DType other, Shape shape, int kind) {
    List<Object> arguments = new ArrayList<>();
    boolean tensors = false;
    for (Schema.Parameter parameter : schema.parameters()) {
      boolean isTensor = isTensor(parameter.type());
      DType role = ROLES.get(parameter.name());
      DType dtype = role != null ? role : tensors && leading != other ? other : leading;
      tensors |= isTensor;
      Object standard = parameter.defaultValue();
      Object value =
          standard == null
              ? value(parameter, dtype, shape, kind)
              : parameter.type() instanceof Type.ListOf && !(standard instanceof List<?>)
                  ? Collections.nCopies(Math.max(1, parameter.broadcastSize()), standard)
                  : standard;
      if (value == null) {
        return null;
      }
      arguments.add(value);
    }
    return tensors ? arguments.toArray() : null;
  }

  private static boolean isTensor(Type type) {
    return type == Type.Plain.TENSOR
        || (type instanceof Type.ListOf list && list.element() == Type.Plain.TENSOR);
  }

  /** A small argument; null if the type has none. */
  private static @Nullable Object value(
      Schema.Parameter parameter, DType dtype, Shape shape, int kind) {
    long integer = isDType(parameter) ? dtype.code() : INTEGERS[kind / 2 / LIST_KINDS];
    return switch (parameter.type()) {
      case Type.Optional absent -> None.NONE;
      case Type.ListOf list when list.element() == Type.Plain.TENSOR ->
          List.of(TensorForm.contiguous(dtype, shape), TensorForm.contiguous(dtype, shape));
      case Type.ListOf list when list.element() instanceof Type.Optional ->
          List.of(TensorForm.contiguous(dtype, shape));
      case Type.ListOf list when list.element() == Type.Plain.INT ->
          integers(parameter.broadcastSize(), shape, kind / 2 % LIST_KINDS);
      case Type.Plain plain ->
          switch (plain) {
            case TENSOR -> TensorForm.contiguous(dtype, shape);
            case INT, NUMBER -> integer;
            case FLOAT -> 0.5;
            case BOOL -> kind % 2 == 1;
            default -> null;
          };
      default -> null;
    };
  }

  private static List<Long> integers(int broadcastSize, Shape shape, int kind) {
    List<Long> ones = new ArrayList<>();
    for (int i = 0; i < Math.max(1, broadcastSize); i++) {
      ones.add(1L);
    }
    List<Long> sizes = new ArrayList<>();
    List<Long> dimensions = new ArrayList<>();
    for (int i = 0; i < shape.rank(); i++) {
      sizes.add(shape.size(i));
      dimensions.add((long) i);
    }
    return switch (kind) {
      case 0 -> ones;
      case 1 -> sizes;
      case 2 -> sizes.subList(Math.max(0, sizes.size() - 1), sizes.size());
      default -> dimensions;
    };
  }

  /** How many arguments the operation takes. */
  public int size() {
    return arguments.length;
  }

  /** The dtypes of leading tensors that have a kernel. */
  public Set<DType> taken() {
    Set<DType> taken = EnumSet.noneOf(DType.class);
    for (DType dtype : DType.values()) {
      if (takes(dtype)) {
        taken.add(dtype);
      }
    }
    return taken;
  }

  /** Whether there is a kernel for leading tensors of {@code dtype}, or nothing is inferred. */
  public boolean takes(DType dtype) {
    return !(infer(dtype) instanceof Fault fault) || !isOfDType(fault);
  }

  /** What the operation gives for leading tensors of {@code dtype}. */
  Object infer(DType dtype) {
    return infer(inference, with(dtype));
  }

  private static boolean isOfDType(Fault fault) {
    return fault.type() == FaultType.DTYPE || fault.type() == FaultType.UNSUPPORTED;
  }

  /**
   * What is known of a call.
   *
   * @param refused a dtype of leading tensors that there is no kernel for; null if they have others
   *     or are not known
   * @param results the dtypes of the results, null where not known; empty if none is
   */
  public record Answer(@Nullable DType refused, List<@Nullable DType> results) {}

  /**
   * What follows of a call from its operands. Of leading tensors of several dtypes nothing does:
   * how they are promoted hangs on their ranks.
   *
   * @param operands of a tensor, or of a list of them, the {@link DType}, of others the value; null
   *     for what is not known
   */
  public Answer answer(List<@Nullable Object> operands) {
    Object[] given = arguments.clone();
    Set<DType> leads = EnumSet.noneOf(DType.class);
    boolean all = true;
    for (int i = 0; i < given.length; i++) {
      Object operand = operands.get(i);
      if (leads(i)) {
        all &= operand instanceof DType;
        Stream.ofNullable(operand).forEach(dtype -> leads.add((DType) dtype));
      } else if (decides(operation.schema().parameters().get(i))) {
        if (operand == null) {
          return unknown(null);
        }
        given[i] = operand;
      }
    }
    return leads.size() > 1 ? unknown(null) : answer(given, all, leads);
  }

  private Answer answer(Object[] given, boolean all, Set<DType> leads) {
    List<@Nullable DType> results = null;
    for (DType dtype : all ? leads : EnumSet.allOf(DType.class)) {
      Object outcome = infer(inference, with(given, dtype));
      if (outcome instanceof Fault fault) {
        if (all && isOfDType(fault)) {
          return unknown(dtype);
        }
        continue;
      }
      if (outcome instanceof Inference.Unknown) {
        continue; // complex numbers, mostly: what all others give they will give, too
      }
      List<@Nullable DType> found = dtypes(outcome);
      if (results != null && !results.equals(found)) {
        return unknown(null);
      }
      results = found;
    }
    return results == null ? unknown(null) : new Answer(null, results);
  }

  private static Answer unknown(@Nullable DType refused) {
    return new Answer(refused, List.of());
  }

  /** Whether an argument that is no tensor has a say in the results' dtypes. */
  private static boolean decides(Schema.Parameter parameter) {
    Type type = parameter.type() instanceof Type.Optional some ? some.element() : parameter.type();
    return type == Type.Plain.NUMBER || type == Type.Plain.BOOL || isDType(parameter);
  }

  private static List<@Nullable DType> dtypes(Object outcome) {
    List<@Nullable DType> dtypes = new ArrayList<>();
    for (Object result : outcome instanceof Object[] several ? several : new Object[] {outcome}) {
      dtypes.add(result instanceof TensorForm form ? form.dtype() : null);
    }
    return dtypes;
  }

  /**
   * The arguments of the trial with leading tensors of {@code dtype}, as forms; casts are to it.
   */
  Object[] with(DType dtype) {
    Object[] given = arguments.clone();
    for (int i = 0; i < given.length; i++) {
      Schema.Parameter parameter = operation.schema().parameters().get(i);
      boolean required = isDType(parameter) && parameter.type() == Type.Plain.INT;
      given[i] = required ? (Object) (long) dtype.code() : given[i];
    }
    return with(given, dtype);
  }

  private static boolean isDType(Schema.Parameter parameter) {
    return parameter.name().endsWith("dtype");
  }

  private Object[] with(Object[] given, DType dtype) {
    Object[] changed = given.clone();
    for (int i = 0; i < changed.length; i++) {
      if (leads(i)) {
        changed[i] =
            given[i] instanceof List<?> list
                ? Collections.nCopies(list.size(), cast(list.getFirst(), dtype))
                : cast(given[i], dtype);
      }
    }
    return changed;
  }

  private static TensorForm cast(@Nullable Object form, DType dtype) {
    return ((TensorForm) Objects.requireNonNull(form)).cast(dtype);
  }

  /** Whether argument {@code i} is a tensor, or a list of them, whose dtype is to be changed. */
  private boolean leads(int i) {
    Object first =
        arguments[i] instanceof List<?> list && !list.isEmpty() ? list.getFirst() : arguments[i];
    return first instanceof TensorForm form
        && form.dtype() == leading
        && !ROLES.containsKey(operation.schema().parameters().get(i).name());
  }

  @Override
  public String toString() {
    return operation.name() + Arrays.toString(arguments);
  }
}
