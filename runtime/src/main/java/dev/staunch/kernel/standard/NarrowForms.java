package dev.staunch.kernel.standard;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Body;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.OperandTraits;
import dev.staunch.kernel.loop.DenseStrides;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.OperationDefinition;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Heavy operations on float16 and bfloat16. If the kernel refuses these dtypes or is made of other
 * operations, it gets float32 operands, and its result is rounded once.
 */
final class NarrowForms {
  private NarrowForms() {}

  /** How to compute a heavy operation for narrow operands; null if the operation is not heavy. */
  static CatalogEntry.@Nullable Form of(CatalogEntry operation) {
    OperationDefinition definition = operation.definition();
    boolean mixed = definition.has(Trait.NARROW_WITH_FLOAT32);
    Kernel kernel = operation.kernel();
    if (kernel == null || !(mixed || definition.has(Trait.NARROW_AS_FLOAT32))) {
      return null;
    }
    Widened widened = new Widened(kernel, definition, mixed, operation.inference());
    return new CatalogEntry.Form(
        OperandTraits.NARROW, widened, widened.usual == null ? Inference.OF_VALUES : widened);
  }

  /** The operation on narrow operands. */
  private record Widened(
      Kernel kernel, OperationDefinition definition, boolean mixed, @Nullable Inference usual)
      implements Kernel.One, Inference {
    @Override
    public Object run(Call call) {
      return worded(NarrowForms.run(call, kernel, definition, mixed), call, usual);
    }

    @Override
    public Object infer(Operands operands) {
      Inference known = Objects.requireNonNull(usual);
      boolean composite = kernel instanceof Body.Composed;
      return worded(NarrowForms.infer(operands, known, composite, mixed), operands, known);
    }
  }

  /**
   * {@code result}; a dtype fault is replaced by one that names the dtypes that the caller passed.
   */
  private static Object worded(Object result, Operands call, @Nullable Inference usual) {
    return result instanceof Fault fault
            && fault.type() == FaultType.DTYPE
            && usual != null
            && usual.infer(call) instanceof Fault own
            && own.type() == FaultType.DTYPE
        ? own
        : result;
  }

  /** As {@link #run}. */
  private static Object infer(Operands call, Inference usual, boolean composite, boolean mixed) {
    DType narrow = narrow(call, mixed);
    if (narrow == null) {
      return usual.infer(call);
    }
    if (!composite) {
      Object result = usual.infer(call);
      if (!(result instanceof Fault fault) || !isOfDType(fault)) {
        return result;
      }
    }
    Object[] arguments = new Object[call.size()];
    Arrays.setAll(arguments, i -> wide(call.isTensor(i) ? call.form(i) : call.value(i)));
    Object result = usual.infer(Operands.of(arguments));
    if (!(result instanceof Object[] several)) {
      return narrowed(result, narrow);
    }
    boolean first = narrow(call, false) == null;
    Object[] rounded = several.clone();
    for (int i = 0; i < (first ? 1 : rounded.length); i++) {
      rounded[i] = narrowed(rounded[i], narrow);
    }
    return rounded;
  }

  private static Object wide(Object value) {
    return switch (value) {
      case List<?> list -> list.stream().map(NarrowForms::wide).toList();
      case DenseTensor tensor -> wide(Call.formOf(tensor));
      case TensorForm form when form.dtype().isFloating() -> cast(form, DType.FLOAT32);
      default -> value;
    };
  }

  private static Object narrowed(Object result, DType narrow) {
    return result instanceof TensorForm form && form.dtype() == DType.FLOAT32
        ? cast(form, narrow)
        : result;
  }

  /** The form of a copy in another dtype, as {@code to.dtype} makes it. */
  private static TensorForm cast(TensorForm form, DType dtype) {
    return form.dtype() == dtype
        ? form
        : new TensorForm(dtype, form.shape(), DenseStrides.like(form.layout()), form.name());
  }

  /**
   * The steps of an operation made of others would each round, so its operands are widened first.
   */
  private static Object run(
      Call call, Kernel kernel, OperationDefinition definition, boolean mixed) {
    DType narrow = narrow(call, mixed);
    if (narrow == null) {
      return plain(call, kernel);
    }
    if (!(kernel instanceof Body.Composed)) {
      Object result = plain(call, kernel);
      if (!(result instanceof Fault fault) || !isOfDType(fault)) {
        return result;
      }
    }
    return Steps.within(call, (steps, inner) -> widened(steps, call, definition, narrow));
  }

  private static Object plain(Call call, Kernel kernel) {
    return kernel instanceof Kernel.One one ? one.run(call) : ((Kernel.Many) kernel).run(call);
  }

  private static boolean isOfDType(Fault fault) {
    return fault.type() == FaultType.DTYPE || fault.type() == FaultType.UNSUPPORTED;
  }

  /** The dtype of all floating operands, if it is a narrow one; else null. */
  private static @Nullable DType narrow(Operands call, boolean mixed) {
    DType known = null;
    for (int i = 0; i < call.size(); i++) {
      List<?> values = call.value(i) instanceof List<?> list ? list : List.of(call.value(i));
      for (Object value : values) {
        DType dtype = dtype(value);
        if (dtype != null && dtype.isFloating()) {
          boolean narrow = isNarrow(dtype);
          boolean parameter = mixed && known != null && dtype == DType.FLOAT32;
          if (!parameter && (!narrow || (known != null && known != dtype))) {
            return null;
          }
          known = parameter ? known : dtype;
        }
      }
    }
    return known;
  }

  private static boolean isNarrow(DType dtype) {
    return dtype.isFloating() && dtype.bytes() == DType.FLOAT16.bytes();
  }

  private static @Nullable DType dtype(Object value) {
    return value instanceof DenseTensor tensor
        ? tensor.dtype()
        : value instanceof TensorForm form ? form.dtype() : null;
  }

  private static Object widened(
      Steps steps, Call call, OperationDefinition definition, DType narrow) {
    Object[] arguments = new Object[call.size()];
    Arrays.setAll(
        arguments, i -> wide(steps, call.value(i), definition.effects().updatesState(i, call)));
    Object result = steps.keepingQualified(definition.name(), arguments);
    for (int i = 0; i < arguments.length && !(result instanceof Fault); i++) {
      if (definition.effects().updatesState(i, call)
          && call.value(i) instanceof DenseTensor moved
          && steps.run("copy_", moved, arguments[i], false) instanceof Fault fault) {
        return fault;
      }
    }
    if (!(result instanceof Object[] several)) {
      return narrowed(steps, result, narrow);
    }
    boolean mixed = narrow(call, false) == null; // then only the first result is narrow
    for (int i = 0; i < (mixed ? 1 : several.length); i++) {
      several[i] = narrowed(steps, several[i], narrow);
    }
    return several;
  }

  private static Object narrowed(Steps steps, Object result, DType narrow) {
    return result instanceof DenseTensor tensor && tensor.dtype() == DType.FLOAT32
        ? steps.cast(tensor, narrow)
        : result;
  }

  /**
   * The value with float32 in place of narrow tensors.
   *
   * @param written whether the operation may write it; otherwise a constant is widened only once
   */
  private static Object wide(Steps steps, Object value, boolean written) {
    if (value instanceof List<?> list) {
      List<Object> wide = new ArrayList<>();
      list.forEach(each -> wide.add(wide(steps, each, written)));
      return wide;
    }
    if (!(value instanceof DenseTensor tensor) || !tensor.dtype().isFloating()) {
      return value;
    }
    return written || !isNarrow(tensor.dtype())
        ? widened(steps, tensor)
        : steps.once(tensor, Format.FLOAT32, NarrowForms::widened);
  }

  private static Object widened(Steps steps, Object tensor) {
    return steps.cast(tensor, DType.FLOAT32);
  }

  /** The form of a constant that is made once. */
  private enum Format {
    FLOAT32
  }
}
