package dev.staunch.kernel.operand;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Environment;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.OperationDefinition;
import dev.staunch.kernel.Schema;
import dev.staunch.kernel.ScopedEnvironment;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operation made of others. What they make on the way belongs to a scope of its own, which
 * closes before the result is handed on; a fault passes through all later steps.
 */
public final class Steps {
  /** Makes the result, or a fault, by steps; {@code call} makes tensors in the steps' scope. */
  @FunctionalInterface
  public interface Body {
    Object run(Steps steps, Call call);
  }

  private final Inner environment;

  private Steps(Inner environment) {
    this.environment = environment;
  }

  /** A kernel of one result. */
  static Kernel.One one(Body body) {
    return Marking.one(call -> within(call, body));
  }

  /** A kernel whose body gives an {@code Object[]}, or a fault. */
  public static Kernel.Many many(Body body) {
    return Marking.first(call -> within(call, body));
  }

  /** Adds an operation made of steps. */
  public static void add(Catalog.Builder catalog, String schema, Body body) {
    catalog.one(schema, one(body));
  }

  /** Runs {@code body}; what it returns belongs to the call's scope. */
  public static Object within(Call call, Body body) {
    try (ResourceScope own = call.scope().child("steps")) {
      Inner inner = new Inner(call.environment(), own);
      Object[] arguments = new Object[call.size()];
      Arrays.setAll(arguments, call::value);
      Object result = body.run(new Steps(inner), new Call(inner, arguments));
      return result instanceof Fault ? result : own.moveOut(result, call.scope());
    }
  }

  /**
   * What the operation {@code aten::name} gives for these arguments and its defaults for those that
   * are left out; the first fault among the arguments, if there is one. After a cancellation was
   * seen, its fault.
   */
  public Object run(String name, Object... given) {
    if (environment.seen != null) {
      return environment.seen;
    }
    OperationDefinition operation = environment.catalog().find("aten::" + name);
    if (operation == null) {
      throw new IllegalStateException("there is no operation aten::" + name);
    }
    List<Schema.Parameter> parameters = operation.schema().parameters();
    Object[] arguments = Arrays.copyOf(given, parameters.size());
    for (int i = 0; i < arguments.length; i++) {
      Fault fault = i < given.length ? faultIn(given[i]) : null;
      if (fault != null) {
        return fault;
      }
      Object standard = parameters.get(i).defaultValue();
      if (i >= given.length && standard != null) {
        arguments[i] = standard;
      }
    }
    return run(operation, new Call(environment, arguments));
  }

  private static Object run(OperationDefinition operation, Call call) {
    return switch (operation.kernel()) {
      case Kernel.One one -> one.run(call);
      case Kernel.Many many -> many.run(call);
      case Kernel.NoResult none ->
          throw new IllegalStateException(operation.name() + " has no result");
      case null -> throw new IllegalStateException(operation.name() + " has no kernel");
    };
  }

  private static @Nullable Fault faultIn(Object argument) {
    return switch (argument) {
      case Fault fault -> fault;
      case List<?> list -> {
        for (Object element : list) {
          if (element instanceof Fault fault) {
            yield fault;
          }
        }
        yield null;
      }
      default -> null;
    };
  }

  /** {@code result}, or a copy of it if it is a view of {@code operand}. */
  public Object apart(Object result, DenseTensor operand) {
    boolean shared =
        result instanceof DenseTensor tensor && tensor.storage().equals(operand.storage());
    return shared ? run("clone", result) : result;
  }

  /** One of the results of {@link #run}, or its fault. */
  public static Object pick(Object results, int i) {
    return results instanceof Object[] several ? several[i] : results;
  }

  /** A list as operations take it. */
  public static List<Object> list(Object... elements) {
    return new ArrayList<>(Arrays.asList(elements));
  }

  /** As {@link #list}, of ints. */
  public static List<Object> ints(long... values) {
    return new ArrayList<>(Arrays.stream(values).boxed().toList());
  }

  /** {@code tensor} with other sizes, one of which may be -1; a copy if its strides need it. */
  public Object view(Object tensor, long... sizes) {
    return run("reshape", tensor, ints(sizes));
  }

  /** {@code tensor} itself if it has the dtype. */
  public Object cast(Object tensor, DType dtype) {
    return tensor instanceof DenseTensor known && known.dtype() == dtype
        ? tensor
        : run("to.dtype", tensor, (long) dtype.code());
  }

  /** {@code a + b}, of tensors that broadcast. */
  public Object sum(Object a, Object b) {
    return run("add.Tensor", a, b);
  }

  /** {@code a - b}, of tensors that broadcast. */
  public Object difference(Object a, Object b) {
    return run("sub.Tensor", a, b);
  }

  /** {@code a * b}, of tensors that broadcast. */
  public Object product(Object a, Object b) {
    return run("mul.Tensor", a, b);
  }

  /** {@code a} times a scalar. */
  public Object scaled(Object a, Object factor) {
    return run("mul.Scalar", a, factor);
  }

  /** The fault unless {@code tensor} has {@code rank} dimensions at least. */
  public static @Nullable Fault ranked(String name, DenseTensor tensor, int rank) {
    return ranked(name, tensor.shape(), rank);
  }

  /** The fault unless {@code shape} has {@code rank} dimensions at least. */
  public static @Nullable Fault ranked(String name, Shape shape, int rank) {
    return shape.rank() >= rank
        ? null
        : Fault.shape(name + " takes at least " + rank + " dimensions, but the shape is " + shape)
            .withExpected("at least " + rank + " dimensions", shape.toString());
  }

  static long[] sizes(Shape shape) {
    return shape.toArray();
  }

  /**
   * The call's environment, except that tensors are made in a scope of their own, and that a
   * cancellation that a step has seen ends all later steps.
   */
  private static final class Inner extends ScopedEnvironment {
    private @Nullable Fault seen;

    Inner(Environment outer, ResourceScope scope) {
      super(outer, scope);
    }

    @Override
    public @Nullable Fault cancelled() {
      seen = seen == null ? super.cancelled() : seen;
      return seen;
    }
  }
}
