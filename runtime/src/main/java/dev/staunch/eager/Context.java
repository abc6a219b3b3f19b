package dev.staunch.eager;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Engine;
import dev.staunch.engine.EngineContext;
import dev.staunch.engine.Task;
import dev.staunch.engine.Uses;
import dev.staunch.engine.Variable;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Generator;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.OperationDefinition;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes tensors, computes with them, and owns them; closing it gives back all that is still open.
 * An operation returns at once: it is computed where it was called if it is small and its operands
 * are there, and by a worker otherwise; nobody can tell which from the results (E5). Thread-safe.
 */
public final class Context implements AutoCloseable, Creation, RandomCreation {
  private static final ScopedValue<Surroundings> CURRENT = ScopedValue.newInstance();

  private final ContextOptions options;
  private final ResourceScope scope;
  private final @Nullable Engine ownEngine;
  private final EngineContext engine;
  private final Surroundings root;
  private final Map<String, Signature> signatures = new ConcurrentHashMap<>();
  private final Generator generator = Generator.ofSeed(Generator.DEFAULT_SEED);

  /** Lets random operations draw in the order in which they were called. */
  private final Variable draws = new Variable("random numbers");

  private volatile boolean gradEnabled = true;

  private Context(ContextOptions options, ResourceScope scope, Engine engine, boolean ownsEngine) {
    this.options = options;
    this.scope = scope;
    this.ownEngine = ownsEngine ? engine : null;
    this.engine = engine.open("eager");
    this.root = new Surroundings(this, scope, null);
  }

  /** A context whose tensors lie in {@code memory}, with an engine of its own. */
  public static Context open(OffHeap memory) {
    return open(memory, ContextOptions.standard());
  }

  /** A context that knows the operations of {@code catalog}, with an engine of its own. */
  public static Context open(OffHeap memory, Catalog catalog) {
    return open(memory, ContextOptions.standard().withCatalog(catalog));
  }

  /** A context with an engine of its own, started as the options say. */
  public static Context open(OffHeap memory, ContextOptions options) {
    return new Context(
        options, ResourceScope.open(memory, "eager"), Engine.start(options.engine()), true);
  }

  /** A context that shares {@code engine}, which outlives it; its order and faults are its own. */
  public static Context open(OffHeap memory, ContextOptions options, Engine engine) {
    return new Context(options, ResourceScope.open(memory, "eager"), engine, false);
  }

  /** A tensor of what {@code maker} makes in the current scope: a DenseTensor or a fault. */
  @Override
  public Tensor make(Function<ResourceScope, Object> maker) {
    return wrap(maker.apply(surroundings().scope()));
  }

  /** A handle on a tensor that is there, or on the fault that took its place. */
  public Tensor wrap(Object content) {
    Object known =
        content instanceof Fault fault
            ? engine.raise(fault.hasSource() ? fault : fault.withSource(UserLine.here()))
            : content;
    Variable variable = new Variable();
    return new Tensor(this, variable, variable, known);
  }

  /**
   * Calls an operation of the catalog that returns one tensor by its qualified name, such as {@code
   * aten::add.Tensor}. Arguments are tensors or run-time values ({@link Kernel}) in schema order,
   * all given. A fault of an argument is a fault of the result (F2).
   */
  @Override
  public Tensor apply(String operation, Object... arguments) {
    return applyMany(operation, 1, arguments)[0];
  }

  /** As {@link #apply}, for an operation that returns {@code count} tensors. */
  public Tensor[] applyMany(String operation, int count, Object... arguments) {
    Signature signature = signature(operation);
    Fault misuse = signature == null ? unknown(operation) : null;
    if (signature != null && signature.results() != count) {
      String text = operation + " returns " + signature.results() + " results, not " + count;
      misuse = Fault.value(text);
    }
    if (signature == null || misuse != null) {
      Tensor[] failed = new Tensor[count];
      Arrays.fill(failed, wrap(java.util.Objects.requireNonNull(misuse)));
      return failed;
    }
    Calls call = new Calls(this, signature, arguments);
    engine.push(call.task(surroundings(), options.largeElements()));
    return call.results();
  }

  /**
   * Calls an operation that returns something else than tensors, or a list of them, and waits for
   * it. Tensors in the result are handles that may be used on.
   *
   * @throws StaunchException the fault of the operation or of an argument
   */
  public Object applyValue(String operation, Object... arguments) {
    Signature signature = signature(operation);
    if (signature == null) {
      throw wrap(unknown(operation)).content() instanceof Fault fault
          ? fault.toException()
          : new IllegalStateException(operation);
    }
    Calls call = new Calls(this, signature, arguments);
    TensorCall task = call.plainTask(surroundings());
    engine.runHere(task, surroundings().cancel);
    if (task.plain instanceof Fault fault) {
      throw fault.toException();
    }
    return call.handles(java.util.Objects.requireNonNull(task.plain));
  }

  /**
   * As {@link #applyValue}, for an operation that returns a list of tensors.
   *
   * @throws StaunchException the fault of the operation or of an argument
   */
  public Tensor[] applyList(String operation, Object... arguments) {
    Object value = applyValue(operation, arguments);
    if (value instanceof List<?> list) {
      return list.stream().map(Tensor.class::cast).toArray(Tensor[]::new);
    }
    throw Fault.unsupported(operation + " does not return a list of tensors").toException();
  }

  private static Fault unknown(String operation) {
    return Fault.of(FaultType.UNKNOWN_OPERATION, "the catalog has no operation " + operation);
  }

  private @Nullable Signature signature(String operation) {
    Signature known = signatures.get(operation);
    if (known == null) {
      OperationDefinition definition = options.catalog().find(operation);
      if (definition == null) {
        return null;
      }
      known = signatures.computeIfAbsent(operation, name -> Signature.of(definition));
    }
    return known;
  }

  /** What a write of {@code target} leaves that could not even be prepared. */
  Tensor fail(Tensor target, Fault why) {
    Fault known = why.hasSource() ? why : why.withSource(UserLine.here());
    engine.push(
        new Task(Uses.updating(target.data())) {
          @Override
          protected Object run() {
            return known;
          }

          @Override
          protected boolean isSmall() {
            return true;
          }
        });
    return target;
  }

  /** A fresh tensor with the elements of {@code source}: a tensor, whose turn it is. */
  Object copyOf(Object source) {
    if (!(source instanceof Tensor tensor) || !(tensor.content() instanceof DenseTensor dense)) {
      return Fault.value("only a tensor can be copied into a tensor that has failed");
    }
    Signature clone = java.util.Objects.requireNonNull(signature("aten::clone"));
    return clone.door.call(surroundings(), new Object[] {dense, Kernel.None.NONE}, null, null);
  }

  /** Runs {@code work} so that {@code cancel} cancels the operations that it calls (C1). */
  public <R> R within(CancelScope cancel, Supplier<R> work) {
    return ScopedValue.where(CURRENT, surroundings().in(cancel)).call(work::get);
  }

  /** Runs {@code work} so that {@code owner} owns the tensors that it makes (M3). */
  public <R> R within(ResourceScope owner, Supplier<R> work) {
    return ScopedValue.where(CURRENT, surroundings().in(owner)).call(work::get);
  }

  /**
   * Runs {@code work} in a scope of its own and closes that: the tensors that {@code work} returns,
   * also in arrays, collections, maps and records, go to the scope around it, all others that it
   * made are released (M3). Waits for what was called.
   */
  public <R> R using(String name, Supplier<R> work) {
    return surroundings()
        .scope()
        .using(
            name,
            inner -> {
              try {
                return within(inner, work);
              } finally {
                engine.awaitPushed();
              }
            });
  }

  private Surroundings surroundings() {
    if (CURRENT.isBound() && CURRENT.get().context == this) {
      return CURRENT.get();
    }
    return root;
  }

  /** Gives the random numbers of this context's operations, in the order of the calls. */
  @Override
  public Generator generator() {
    return generator;
  }

  Catalog catalog() {
    return options.catalog();
  }

  Variable draws() {
    return draws;
  }

  EngineContext engineContext() {
    return engine;
  }

  /** Waits for all that was called here, and throws the faults that nobody has read (E4). */
  public void waitAll() {
    engine.waitAll();
  }

  /** As {@link #waitAll()}, but waits no longer than {@code wait} allows. */
  public void waitAll(CancelScope wait) {
    engine.waitAll(wait);
  }

  /** Faults that have arisen here so far. */
  public long faults() {
    return engine.faults();
  }

  /** Whether gradients are wanted; only a mark so far. */
  public boolean isGradEnabled() {
    return gradEnabled;
  }

  public void setGradEnabled(boolean enabled) {
    gradEnabled = enabled;
  }

  /** Owns what is made here outside of any other scope. */
  public ResourceScope scope() {
    return scope;
  }

  /** Bytes that this context's tensors hold. */
  public long bytes() {
    return scope.account().bytes();
  }

  /** Finishes or gives up what was called, and gives back all memory. Idempotent. */
  @Override
  public void close() {
    engine.close();
    if (ownEngine != null) {
      ownEngine.close();
    }
    scope.close();
  }
}
