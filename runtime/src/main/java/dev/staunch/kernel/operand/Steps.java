package dev.staunch.kernel.operand;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.Preparation;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Schema;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The steps of an operation made of others. Each step runs an operation of the catalog or, if there
 * are only forms of tensors, infers its result. A fault passes through all later steps, and so does
 * a result that cannot be inferred.
 */
public abstract sealed class Steps permits ComputedSteps, InferredSteps {
  /** Computes the result, or a fault, in steps; {@code call} makes tensors in the steps' scope. */
  @FunctionalInterface
  public interface Body {
    Object run(Steps steps, Call call);
  }

  /** Makes another form of an operand, in steps. */
  @FunctionalInterface
  public interface Making {
    /** A tensor, or its form, or a fault. */
    Object of(Steps steps, Object operand);
  }

  /** A kernel whose body returns an {@code Object[]}, or a fault. */
  public static Kernel.Many many(Body body) {
    return new Several(body);
  }

  /** Adds an operation made of steps, some of which read elements. */
  public static void add(Catalog.Builder catalog, String schema, Body body) {
    catalog.one(schema, new Single(body));
  }

  /** As a {@link Composite}, but its steps cannot infer the result. */
  private record Single(Body body) implements Kernel.One, dev.staunch.kernel.Body.Composed {
    @Override
    public Object run(Call call) {
      return within(call, body);
    }
  }

  /** As {@link Single}, with several results. */
  private record Several(Body body) implements Kernel.Many, dev.staunch.kernel.Body.Composed {
    @Override
    public Object run(Call call) {
      return within(call, body);
    }
  }

  /**
   * Runs {@code body}. Its intermediate tensors belong to a scope of their own, which closes before
   * the result is handed to the call's scope. A fault of one of several results stands for all, and
   * so does a cancellation that a step has seen, even if no result needed that step.
   */
  public static Object within(Call call, Body body) {
    try (ResourceScope own = call.scope().child("steps")) {
      ComputedSteps steps = new ComputedSteps(call, own);
      Object result = whole(body.run(steps, steps.call(call.arguments())));
      result = steps.ended() instanceof Fault seen ? seen : result;
      return result instanceof Fault ? result : own.moveOut(result, call.scope());
    }
  }

  /** {@code results}, or the first fault among several. */
  static Object whole(Object results) {
    for (Object each : results instanceof Object[] several ? several : new Object[0]) {
      if (each instanceof Fault) {
        return each;
      }
    }
    return results;
  }

  /**
   * The result of the operation {@code aten::name} for these arguments, with its defaults for those
   * left out; or the first fault among the arguments. After a cancellation has been seen, its
   * fault.
   */
  public final Object run(String name, Object... given) {
    return run("aten::" + name, given, null);
  }

  /**
   * As {@link #run(String, Object...)}, for the one operation among the steps that keeps what it
   * prepares for the next call.
   */
  public final Object keeping(String name, Object... given) {
    return run("aten::" + name, given, kept());
  }

  /** As {@link #keeping}, for an operation of any namespace, which {@code qualifiedName} names. */
  public final Object keepingQualified(String qualifiedName, Object... given) {
    return run(qualifiedName, given, kept());
  }

  /**
   * What {@code making} makes of {@code operand}: once for all calls if that is a constant.
   *
   * @param format identifies the form among all that are made of one constant
   */
  public abstract Object once(Object operand, Object format, Making making);

  private Object run(String qualifiedName, Object[] given, @Nullable Preparation kept) {
    Object passed = passed(given);
    if (passed != null) {
      return passed;
    }
    CatalogEntry operation = find(qualifiedName);
    if (operation == null) {
      throw new IllegalStateException("there is no operation " + qualifiedName);
    }
    List<Schema.Parameter> parameters = operation.schema().parameters();
    Object[] arguments = Arrays.copyOf(given, parameters.size());
    for (int i = given.length; i < arguments.length; i++) {
      Object standard = parameters.get(i).defaultValue();
      if (standard != null) {
        arguments[i] = standard;
      }
    }
    return run(operation, arguments, kept);
  }

  /** The result of {@code operation}, which is not in a catalog, for these arguments. */
  public final <T extends Kernel.One & Inference> Object apply(T operation, Object... given) {
    return apply(operation, operation, given);
  }

  /** The result of {@code kernel} for these arguments, or its inferred form. */
  public final Object apply(Inference inference, Kernel.One kernel, Object... given) {
    Object passed = passed(given);
    return passed == null ? result(kernel, inference, given) : passed;
  }

  /** What the operation that is called by {@link #keeping} keeps; null if nothing is kept. */
  abstract @Nullable Preparation kept();

  abstract @Nullable CatalogEntry find(String name);

  abstract Object run(CatalogEntry operation, Object[] arguments, @Nullable Preparation kept);

  abstract Object result(Kernel.One kernel, Inference inference, Object[] arguments);

  /** The fault that ends all later steps; null if there is none. */
  abstract @Nullable Object ended();

  /** The value that replaces the result, such as a fault among the arguments; else null. */
  private @Nullable Object passed(Object... arguments) {
    Object ended = ended();
    for (int i = 0; ended == null && i < arguments.length; i++) {
      ended = passed(arguments[i]);
    }
    return ended;
  }

  private static @Nullable Object passed(Object argument) {
    if (argument instanceof List<?> list) {
      for (Object element : list) {
        if (isNoValue(element)) {
          return element;
        }
      }
    }
    return isNoValue(argument) ? argument : null;
  }

  static boolean isNoValue(@Nullable Object value) {
    return value instanceof Fault || value instanceof Inference.Unknown;
  }

  /** Whether {@code value}, the result of a step, has a {@link #form}. */
  public static boolean isTensor(Object value) {
    return value instanceof DenseTensor || value instanceof TensorForm;
  }

  /** The form of a tensor that is the result of a step or an argument. */
  public static TensorForm form(Object value) {
    return value instanceof DenseTensor tensor ? Call.formOf(tensor) : (TensorForm) value;
  }

  /** {@code result}, or a copy of it if it is a view of {@code operand}. */
  public final Object apart(Object result, Object operand) {
    boolean shared =
        result instanceof DenseTensor tensor
            ? tensor.storage().equals(((DenseTensor) operand).storage())
            : result instanceof TensorForm; // a copy of what is not a view has the same layout
    return shared ? run("clone", result) : result;
  }

  /** One of the results of {@link #run}, or its fault. */
  public static Object pick(Object results, int i) {
    return results instanceof Object[] several ? several[i] : results;
  }

  /** A list in the form that operations accept. */
  public static List<Object> list(Object... elements) {
    return new ArrayList<>(Arrays.asList(elements));
  }

  /** As {@link #list}, of ints. */
  public static List<Object> ints(long... values) {
    List<Object> ints = new ArrayList<>(values.length);
    for (long value : values) {
      ints.add(value);
    }
    return ints;
  }

  /** {@code tensor} with other sizes, one of which may be -1; a copy if its strides require one. */
  public final Object view(Object tensor, long... sizes) {
    return run("reshape", tensor, ints(sizes));
  }

  /**
   * {@code tensor} cast to the dtype; the same tensor if it already has it. Complex numbers are not
   * cast to reals, unlike by {@code to}.
   */
  public final Object cast(Object tensor, DType dtype) {
    if (isTensor(tensor) && form(tensor).dtype() == dtype) {
      return tensor;
    }
    Fault fault = isTensor(tensor) ? Promotion.narrowing(form(tensor).dtype(), dtype) : null;
    return fault == null ? run("to.dtype", tensor, (long) dtype.code()) : fault;
  }

  /** {@code a + b}, for tensors that broadcast. */
  public final Object sum(Object a, Object b) {
    return run("add.Tensor", a, b);
  }

  /** {@code a - b}, for tensors that broadcast. */
  public final Object difference(Object a, Object b) {
    return run("sub.Tensor", a, b);
  }

  /** {@code a * b}, for tensors that broadcast. */
  public final Object product(Object a, Object b) {
    return run("mul.Tensor", a, b);
  }

  /** {@code a} times a scalar. */
  public final Object scaled(Object a, Object factor) {
    return run("mul.Scalar", a, factor);
  }

  /** A fault unless {@code shape} has at least {@code rank} dimensions. */
  public static @Nullable Fault ranked(String name, Shape shape, int rank) {
    return shape.rank() >= rank
        ? null
        : Fault.shape(name + " takes at least " + rank + " dimensions, but the shape is " + shape)
            .withExpected("at least " + rank + " dimensions", shape.toString());
  }
}
