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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which dtypes an operation computes with, by calling its inference on small operands;
 * nothing is computed. It first searches for arguments that the operation accepts, then changes the
 * dtype of the leading tensors. Other tensors, such as indices, keep their dtype.
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

  /** Parameters that have a dtype of their own in every operation. */
  private static final Map<String, DType> ROLES =
      Map.of("index", DType.INT64, "indices", DType.INT64, "mask", DType.BOOL);

  /** Ones, the whole shape, its last size, the indices of its dimensions, all sizes but two. */
  private static final int LIST_KINDS = 5;

  /** All list kinds, for each integer, with both truth values. */
  private static final int WITHOUT_OPTIONS = 2 * INTEGERS.length * LIST_KINDS;

  /**
   * The same, once without any optional argument and once with the first optional one that is not a
   * tensor.
   */
  private static final int KINDS = 2 * WITHOUT_OPTIONS;

  private final CatalogEntry operation;
  private final Inference inference;

  /** The arguments, with forms in place of tensors. */
  private final Object[] arguments;

  private final DType leading;

  private DTypeTrials(
      CatalogEntry operation, Inference inference, Object[] arguments, DType leading) {
    this.operation = operation;
    this.inference = inference;
    this.arguments = arguments;
    this.leading = leading;
  }

  /** Trials for an operation; null if it has no tensors, or if no accepted arguments were found. */
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
            if (isRepeated(schema, kind)) {
              continue;
            }
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

  /** Whether this kind differs from earlier kinds only in something that no argument here uses. */
  private static boolean isRepeated(Schema schema, int kind) {
    boolean option = kind >= WITHOUT_OPTIONS;
    boolean flag = kind % 2 == 1;
    boolean list = kind / 2 % LIST_KINDS > 0;
    boolean integer = kind % WITHOUT_OPTIONS / 2 / LIST_KINDS > 0;
    for (Schema.Parameter parameter : schema.parameters()) {
      Type type = parameter.type();
      if (isOption(parameter)) {
        list &= !option;
        integer &= !option;
        option = false;
      } else if (parameter.defaultValue() == null) {
        flag &= type != Type.Plain.BOOL;
        list &= !(type instanceof Type.ListOf);
        integer &= type != Type.Plain.INT && type != Type.Plain.NUMBER;
      }
    }
    return option || flag || list || integer;
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
    boolean option = kind >= WITHOUT_OPTIONS;
    for (Schema.Parameter parameter : schema.parameters()) {
      boolean isTensor = isTensor(parameter.type());
      DType role = ROLES.get(parameter.name());
      DType dtype = role != null ? role : tensors && leading != other ? other : leading;
      tensors |= isTensor;
      Object standard = parameter.defaultValue();
      boolean given = option && isOption(parameter);
      option &= !given;
      Object value =
          standard == null || given
              ? value(parameter, given, dtype, shape, kind % WITHOUT_OPTIONS)
              : parameter.type() instanceof Type.ListOf && !(standard instanceof List<?>)
                  ? Collections.nCopies(Math.max(1, parameter.broadcastSize()), standard)
                  : standard;
      if (value == null) {
        return null;
      }
      arguments.add(value);
    }
    boolean makes = schema.parameters().stream().anyMatch(DTypeTrials::isDType);
    return tensors || makes ? arguments.toArray() : null;
  }

  private static boolean isOption(Schema.Parameter parameter) {
    return parameter.type() instanceof Type.Optional
        && !isOptionalTensor(parameter.type())
        && !isDType(parameter);
  }

  private static boolean isTensor(Type type) {
    return type == Type.Plain.TENSOR
        || (type instanceof Type.ListOf list && list.element() == Type.Plain.TENSOR);
  }

  /** A small argument; null if there is none of this type. */
  private static @Nullable Object value(
      Schema.Parameter parameter, boolean given, DType dtype, Shape shape, int kind) {
    long integer = isDType(parameter) ? dtype.code() : INTEGERS[kind / 2 / LIST_KINDS];
    Type type = parameter.type();
    return switch (given ? ((Type.Optional) type).element() : type) {
      case Type.Optional absent -> None.NONE;
      case Type.ListOf list when list.element() == Type.Plain.TENSOR ->
          List.of(TensorForm.contiguous(dtype, shape), TensorForm.contiguous(dtype, shape));
      case Type.ListOf list when list.element() instanceof Type.Optional ->
          List.of(TensorForm.contiguous(dtype, shape));
      case Type.ListOf list when list.element() instanceof Type.Variable -> List.of(integer);
      case Type.ListOf list when list.element() == Type.Plain.INT ->
          integers(parameter.broadcastSize(), shape, kind / 2 % LIST_KINDS);
      case Type.Plain plain ->
          switch (plain) {
            case TENSOR -> TensorForm.contiguous(dtype, shape);
            case INT, NUMBER -> integer;
            case FLOAT -> 0.5;
            case BOOL -> kind % 2 == 1;
            case DEVICE -> "cpu";
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
      case 3 -> sizes.subList(Math.min(2, sizes.size()), sizes.size());
      default -> dimensions;
    };
  }

  /**
   * Whether no tensor is passed, so that the requested dtype takes the place of the tensors' dtype.
   */
  private boolean makes() {
    return operation.schema().parameters().stream()
        .noneMatch(parameter -> isTensor(parameter.type()));
  }

  /** The number of arguments that the operation takes. */
  public int size() {
    return arguments.length;
  }

  /**
   * The dtypes of leading tensors that {@code operation} has a kernel for; null if it neither takes
   * nor returns tensors, or if nothing is known.
   */
  public static @Nullable Set<DType> taken(CatalogEntry operation) {
    Schema schema = operation.schema();
    if (!operation.definition().dtypes().isEmpty()) {
      return operation.definition().dtypes();
    }
    DTypeTrials trials = of(operation);
    if (trials != null) {
      return trials.taken();
    }
    // An operation that takes tensors and returns none, such as one for their sizes, accepts any
    // dtype.
    boolean looks = schema.parameters().stream().anyMatch(each -> isTensor(each.type()));
    return looks && !operation.definition().givesTensors() ? DType.of(DType.Kind.values()) : null;
  }

  /** The dtypes of leading tensors that have a kernel. */
  Set<DType> taken() {
    Set<DType> taken = EnumSet.noneOf(DType.class);
    for (DType dtype : DType.values()) {
      if (takes(dtype)) {
        taken.add(dtype);
      }
    }
    return taken;
  }

  /**
   * Whether there is a kernel for leading tensors of {@code dtype}; true also if nothing is
   * inferred.
   */
  public boolean takes(DType dtype) {
    return !(infer(dtype) instanceof Fault fault) || !isOfDType(fault);
  }

  /** What the operation returns for leading tensors of {@code dtype}. */
  Object infer(DType dtype) {
    return infer(inference, with(dtype));
  }

  private static boolean isOfDType(Fault fault) {
    return fault.type() == FaultType.DTYPE || fault.type() == FaultType.UNSUPPORTED;
  }

  /**
   * What is known about a call.
   *
   * @param refused a dtype of leading tensors that has no kernel; null if there is none or the
   *     dtypes are not known
   * @param results for each tensor or list of tensors its {@link DType}, for any other result its
   *     value; null where unknown; empty if nothing is known
   */
  public record Answer(@Nullable DType refused, List<@Nullable Object> results) {}

  /**
   * What the operands tell about the results of a call, provided that it succeeds. If the leading
   * tensors have several dtypes, nothing is known: their promotion depends on their ranks.
   *
   * @param operands for each tensor or list of tensors its {@link DType}, for any other operand its
   *     value; for an unknown operand its type
   */
  public Answer answer(List<Object> operands) {
    Object[] given = arguments.clone();
    Set<DType> leads = EnumSet.noneOf(DType.class);
    List<Integer> open = new ArrayList<>();
    Set<Object> added = new HashSet<>();
    boolean usual = true; // tensors that do not lead have the dtypes of the trial
    for (int i = 0; i < given.length; i++) {
      Object operand = operands.get(i);
      Schema.Parameter parameter = operation.schema().parameters().get(i);
      if (leads(i)) {
        if (operand instanceof DType dtype) {
          leads.add(dtype);
          given[i] = cast(given[i], dtype);
        } else {
          open.add(i);
        }
      } else if (isTensor(parameter.type()) && !ROLES.containsKey(parameter.name())) {
        if (!(operand instanceof DType dtype)) {
          return unknown(null);
        }
        usual &= given[i].equals(cast(given[i], dtype));
        given[i] = cast(given[i], dtype);
      } else if (decides(parameter)) {
        Object value = sample(parameter.type(), operand);
        if (value instanceof Type) {
          return unknown(null);
        }
        given[i] = value;
      } else if (isOptionalTensor(parameter.type()) && operand != None.NONE) {
        added.add(operand);
      }
    }
    if (!added.isEmpty() && !added.equals(leads)) {
      return unknown(null); // tensors left out of the trial may be promoted along
    }
    Answer answer = leads.size() > 1 ? unknown(null) : answer(given, open, leads);
    return usual ? answer : new Answer(null, answer.results());
  }

  /** A number of the known type, for cases in which only the type matters. */
  private static Object sample(Type parameter, Object operand) {
    boolean ofAny = parameter == Type.Plain.NUMBER;
    if (ofAny && operand == Type.Plain.INT) {
      return 1L;
    }
    return ofAny && operand == Type.Plain.FLOAT ? (Object) 0.5 : operand;
  }

  private static boolean isOptionalTensor(Type type) {
    return type instanceof Type.Optional optional && optional.element() == Type.Plain.TENSOR;
  }

  /** What the answers have in common for all dtypes that unknown leading tensors may have. */
  private Answer answer(Object[] given, List<Integer> open, Set<DType> leads) {
    List<@Nullable Object> results = null;
    Set<DType> possible = makes() ? EnumSet.of(leading) : leads;
    for (DType dtype : open.isEmpty() ? possible : EnumSet.allOf(DType.class)) {
      Object[] tried = given.clone();
      open.forEach(i -> tried[i] = cast(given[i], dtype));
      Object outcome = infer(inference, tried);
      if (outcome instanceof Fault fault) {
        if (open.isEmpty() && isOfDType(fault)) {
          return unknown(dtype);
        }
        continue;
      }
      if (outcome instanceof Inference.Unknown) {
        if (dtype.kind() == DType.Kind.COMPLEX) {
          continue; // what all other dtypes return, this one returns too
        }
        return unknown(null);
      }
      List<@Nullable Object> found = known(outcome);
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

  /** Whether an argument that is not a tensor influences the dtypes of the results. */
  private static boolean decides(Schema.Parameter parameter) {
    Type type = parameter.type() instanceof Type.Optional some ? some.element() : parameter.type();
    return type == Type.Plain.NUMBER
        || type == Type.Plain.BOOL
        || type == Type.Plain.STRING
        || isDType(parameter);
  }

  private static List<@Nullable Object> known(Object outcome) {
    List<@Nullable Object> known = new ArrayList<>();
    for (Object result : outcome instanceof Object[] several ? several : new Object[] {outcome}) {
      known.add(
          switch (result) {
            case TensorForm form -> form.dtype();
            case List<?> list when !list.isEmpty() -> dtype(list);
            case Long number -> number;
            case Boolean flag -> flag;
            default -> null;
          });
    }
    return known;
  }

  /** The dtype of all tensors in a list. */
  private static @Nullable DType dtype(List<?> list) {
    Set<DType> dtypes = EnumSet.noneOf(DType.class);
    for (Object element : list) {
      if (!(element instanceof TensorForm form)) {
        return null;
      }
      dtypes.add(form.dtype());
    }
    return dtypes.size() == 1 ? dtypes.iterator().next() : null;
  }

  /**
   * The arguments of the trial, as forms, with leading tensors of {@code dtype}; casts are to it.
   */
  Object[] with(DType dtype) {
    Object[] given = arguments.clone();
    for (int i = 0; i < given.length; i++) {
      Schema.Parameter parameter = operation.schema().parameters().get(i);
      boolean required = isDType(parameter) && (makes() || parameter.type() == Type.Plain.INT);
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
        changed[i] = cast(given[i], dtype);
      }
    }
    return changed;
  }

  /** A form, or a list of forms, with another dtype. */
  private static Object cast(Object form, DType dtype) {
    return form instanceof List<?> list
        ? list.stream().map(each -> cast(each, dtype)).toList()
        : ((TensorForm) form).cast(dtype);
  }

  /** Whether the parameter's name implies a dtype of its own. */
  static boolean hasRole(Schema schema, int parameter) {
    return parameter < schema.parameters().size()
        && ROLES.containsKey(schema.parameters().get(parameter).name());
  }

  /**
   * Whether argument {@code i} is a tensor, or a list of tensors, whose dtype the trial changes.
   */
  private boolean leads(int i) {
    Object first =
        arguments[i] instanceof List<?> list && !list.isEmpty() ? list.getFirst() : arguments[i];
    return first instanceof TensorForm form
        && form.dtype() == leading
        && !hasRole(operation.schema(), i);
  }

  @Override
  public String toString() {
    return operation.name() + Arrays.toString(arguments);
  }
}
