package dev.staunch.eager;

import dev.staunch.dispatch.Door;
import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Guard;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Environment;
import dev.staunch.kernel.OperationDefinition;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Shape;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes tensors and owns them; closing it gives back all that is still open. Thread-safe for calls
 * on different tensors.
 */
public final class Context implements AutoCloseable {
  private final Catalog catalog;
  private final ResourceScope scope;
  private final Environment environment;
  private final Map<String, Door> doors = new ConcurrentHashMap<>();

  private Context(Catalog catalog, ResourceScope scope) {
    this.catalog = catalog;
    this.scope = scope;
    this.environment = new EagerEnvironment(scope);
  }

  /** A context whose tensors lie in {@code memory}. */
  public static Context open(OffHeap memory, Catalog catalog) {
    return new Context(catalog, ResourceScope.open(memory, "eager"));
  }

  public Tensor of(Shape shape, float... values) {
    return new Tensor(this, HostTensors.floats(scope, shape, values));
  }

  public Tensor of(Shape shape, long... values) {
    return new Tensor(this, HostTensors.longs(scope, shape, values));
  }

  /**
   * Calls an operation of the catalog by its qualified name; arguments are tensors or run-time
   * values in schema order, all given. A faulted argument is the result (F2).
   */
  public Tensor apply(String operation, Object... arguments) {
    Object[] values = new Object[arguments.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = arguments[i] instanceof Tensor tensor ? tensor.content() : arguments[i];
      if (values[i] instanceof Fault fault) {
        return new Tensor(this, fault);
      }
    }
    OperationDefinition definition = catalog.find(operation);
    if (definition == null) {
      Fault unknown =
          Fault.of(FaultType.UNKNOWN_OPERATION, "the catalog has no operation " + operation);
      return new Tensor(this, unknown.withSource(UserLine.here()));
    }
    Door door = doors.computeIfAbsent(operation, name -> Door.to(definition));
    return new Tensor(this, result(door.call(environment, values, null, null), operation));
  }

  private static Object result(Object outcome, String operation) {
    if (outcome instanceof Fault fault) {
      return fault.source() == null ? fault.withSource(UserLine.here()) : fault;
    }
    return outcome instanceof DenseTensor
        ? outcome
        : Fault.unsupported(operation + " does not return one tensor");
  }

  /** Bytes that this context's tensors hold. */
  public long bytes() {
    return scope.account().bytes();
  }

  @Override
  public void close() {
    scope.close();
  }

  private static final class EagerEnvironment implements Environment {
    private final ResourceScope scope;
    private final CancelScope cancel = CancelScope.open();
    private volatile boolean gradEnabled = true;

    EagerEnvironment(ResourceScope scope) {
      this.scope = scope;
    }

    @Override
    public ResourceScope scope() {
      return scope;
    }

    @Override
    public boolean gradEnabled() {
      return gradEnabled;
    }

    @Override
    public void setGradEnabled(boolean enabled) {
      gradEnabled = enabled;
    }

    @Override
    public @Nullable Fault cancelled() {
      return cancel.check();
    }

    @Override
    public void cancel(String reason) {
      cancel.cancel(reason);
    }

    @Override
    public Object later(Supplier<Object> work) {
      return Guard.attempt(Supplier::get, work);
    }

    @Override
    public void print(String line) {
      System.getLogger(Context.class.getName()).log(System.Logger.Level.INFO, line);
    }
  }
}
