package dev.staunch.eager;

import dev.staunch.dispatch.Door;
import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Guard;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Environment;
import dev.staunch.kernel.Generator;
import dev.staunch.kernel.OperationDefinition;
import dev.staunch.kernel.RandomStream;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes tensors and owns them; closing it gives back all that is still open. Thread-safe for calls
 * on different tensors.
 */
public final class Context implements AutoCloseable, Creation, RandomCreation {
  private final Catalog catalog;
  private final ResourceScope scope;
  private final Environment environment;
  private final Generator generator = Generator.ofSeed(Generator.DEFAULT_SEED);
  private final Map<String, Door> doors = new ConcurrentHashMap<>();

  private Context(Catalog catalog, ResourceScope scope) {
    this.catalog = catalog;
    this.scope = scope;
    this.environment = new EagerEnvironment(scope, generator);
  }

  /** A context whose tensors lie in {@code memory}. */
  public static Context open(OffHeap memory, Catalog catalog) {
    return new Context(catalog, ResourceScope.open(memory, "eager"));
  }

  /** A tensor of what {@code maker} makes in this context's scope: a DenseTensor or a fault. */
  @Override
  public Tensor make(Function<ResourceScope, Object> maker) {
    return new Tensor(this, located(maker.apply(scope)));
  }

  /**
   * Calls an operation of the catalog by its qualified name; arguments are tensors or run-time
   * values in schema order, all given. A faulted argument is the result (F2).
   */
  @Override
  public Tensor apply(String operation, Object... arguments) {
    Object outcome = call(operation, arguments);
    boolean one = outcome instanceof DenseTensor || outcome instanceof Fault;
    return new Tensor(
        this,
        one ? outcome : located(Fault.unsupported(operation + " does not return one tensor")));
  }

  /**
   * As {@link #apply} for an operation with several results, all tensors; a fault of the call is
   * what each of them holds.
   */
  public Tensor[] applyMany(String operation, int results, Object... arguments) {
    Object outcome = call(operation, arguments);
    Object[] parts = outcome instanceof Object[] several ? several : new Object[results];
    Tensor[] made = new Tensor[results];
    for (int i = 0; i < results; i++) {
      made[i] = new Tensor(this, located(outcome instanceof Fault ? outcome : parts[i]));
    }
    return made;
  }

  /**
   * As {@link #apply} for an operation that returns a list of tensors. Waits for it, since only the
   * outcome says how many there are.
   *
   * @throws dev.staunch.fault.StaunchException the fault of the call
   */
  public Tensor[] applyList(String operation, Object... arguments) {
    Object outcome = call(operation, arguments);
    if (outcome instanceof List<?> list) {
      return list.stream().map(part -> new Tensor(this, part)).toArray(Tensor[]::new);
    }
    Fault none = Fault.unsupported(operation + " does not return a list of tensors");
    throw (outcome instanceof Fault fault ? fault : none).toException();
  }

  /** What the door gives: a value, several in an array, or a fault that knows the user's line. */
  private Object call(String operation, Object... arguments) {
    Object[] values = new Object[arguments.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = content(arguments[i]);
      if (values[i] instanceof Fault fault) {
        return fault;
      }
    }
    OperationDefinition definition = catalog.find(operation);
    if (definition == null) {
      String unknown = "the catalog has no operation " + operation;
      return located(Fault.of(FaultType.UNKNOWN_OPERATION, unknown));
    }
    Door door = doors.computeIfAbsent(operation, name -> Door.to(definition));
    return located(door.call(environment, values, null, null));
  }

  /** An argument as kernels see it; the first fault in a list stands for the list. */
  private static Object content(Object argument) {
    if (argument instanceof Tensor tensor) {
      return tensor.content();
    }
    if (!(argument instanceof List<?> list)) {
      return argument;
    }
    List<Object> values = new ArrayList<>(list.size());
    for (Object element : list) {
      Object value = element instanceof Tensor tensor ? tensor.content() : element;
      if (value instanceof Fault) {
        return value;
      }
      values.add(value);
    }
    return values;
  }

  private static Object located(Object outcome) {
    return outcome instanceof Fault fault && fault.source() == null
        ? fault.withSource(UserLine.here())
        : outcome;
  }

  /** Gives the random numbers of this context's operations, in the order of the calls. */
  @Override
  public Generator generator() {
    return generator;
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
    private final Generator generator;
    private final CancelScope cancel = CancelScope.open();
    private volatile boolean gradEnabled = true;

    EagerEnvironment(ResourceScope scope, Generator generator) {
      this.scope = scope;
      this.generator = generator;
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
    public RandomStream random() {
      return generator.next();
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
