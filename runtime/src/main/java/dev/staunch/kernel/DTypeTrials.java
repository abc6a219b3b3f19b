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
import java.util.Set;
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

  /** What a required dtype is: one that all dtypes can be cast to. */
  private static final long WIDEST = DType.COMPLEX128.code();

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
    boolean asksDType = parameter.name().equals("dtype");
    long integer = asksDType ? WIDEST : INTEGERS[kind / 2 / LIST_KINDS];
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

  /** The arguments of the trial with leading tensors of {@code dtype}, as forms. */
  Object[] with(DType dtype) {
    Object[] changed = new Object[arguments.length];
    Arrays.setAll(changed, i -> changed(i, dtype));
    return changed;
  }

  private Object changed(int i, DType dtype) {
    return switch (arguments[i]) {
      case TensorForm form when leads(i, form) -> form.cast(dtype);
      case List<?> list when !list.isEmpty() && list.getFirst() instanceof TensorForm form ->
          leads(i, form) ? Collections.nCopies(list.size(), form.cast(dtype)) : list;
      default -> arguments[i];
    };
  }

  private boolean leads(int i, TensorForm form) {
    return form.dtype() == leading
        && !ROLES.containsKey(operation.schema().parameters().get(i).name());
  }

  @Override
  public String toString() {
    return operation.name() + Arrays.toString(arguments);
  }
}
