package dev.staunch.kernel;

import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call of a kernel: its arguments, by position in the schema with defaults filled in, and what
 * it may use. The typed accessors trust the schema, against which the arguments were checked.
 */
public final class Call {
  private final Environment environment;
  private final Object[] arguments;

  public Call(Environment environment, Object[] arguments) {
    this.environment = environment;
    this.arguments = arguments;
  }

  public Environment environment() {
    return environment;
  }

  /** Where the results belong. */
  public ResourceScope scope() {
    return environment.scope();
  }

  public int size() {
    return arguments.length;
  }

  public Object value(int i) {
    return arguments[i];
  }

  public boolean isNone(int i) {
    return arguments[i] == Kernel.None.NONE;
  }

  public DenseTensor tensor(int i) {
    return (DenseTensor) arguments[i];
  }

  public @Nullable DenseTensor optionalTensor(int i) {
    return isNone(i) ? null : (DenseTensor) arguments[i];
  }

  public long integer(int i) {
    return (Long) arguments[i];
  }

  /** An int argument, or {@code absent} for None. */
  public long integerOr(int i, long absent) {
    return isNone(i) ? absent : (Long) arguments[i];
  }

  public boolean bool(int i) {
    return (Boolean) arguments[i];
  }

  /** A float argument; an int given for it counts as well. */
  public double real(int i) {
    return ((Number) arguments[i]).doubleValue();
  }

  public String string(int i) {
    return (String) arguments[i];
  }

  /** A Scalar argument: {@code Long}, {@code Double}, {@code Boolean} or {@link ComplexNumber}. */
  public Object scalar(int i) {
    return arguments[i];
  }

  @SuppressWarnings("unchecked") // the schema says list; its elements are checked where used
  public List<Object> list(int i) {
    return (List<Object>) arguments[i];
  }

  public long[] integers(int i) {
    return list(i).stream().mapToLong(element -> (Long) element).toArray();
  }

  public @Nullable DType optionalDType(int i) {
    return isNone(i) ? null : DType.ofCode(integer(i));
  }

  /** A new tensor in the call's scope, content undefined; or a fault. */
  public Object allocate(DType dtype, Shape shape) {
    return DenseTensor.allocate(environment.scope(), dtype, shape);
  }
}
