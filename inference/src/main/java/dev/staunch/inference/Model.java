package dev.staunch.inference;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Guard;
import dev.staunch.execute.Plan;
import dev.staunch.execute.RunOptions;
import dev.staunch.execute.StateGuard;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.TupleValue;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.torchscript.LoadOptions;
import dev.staunch.torchscript.StateRestorer;
import dev.staunch.torchscript.TorchScriptModule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.UnaryOperator;

/**
 * A loaded model that answers requests. One model serves any number of threads (S6): each request
 * runs from start to end on the thread that asks, in a memory scope of its own.
 *
 * <p>A model that changes its own state (a counter, a cache, the statistics of a module in training
 * mode) takes one request at a time. What does is found out at the first request that is about to
 * write state: before it writes, that request begins again, alone, and from then on all take turns.
 * What it printed until then is printed twice.
 *
 * <p>{@link #close} waits for the requests in flight; later ones get a fault of type closed.
 */
public final class Model implements AutoCloseable {
  private static final Duration RESTORING = Duration.ofSeconds(30);

  private final String name;
  private final TorchScriptModule module;
  private final Plan plan;
  private final ResourceScope scope;
  private final Set<Object> shared;
  private volatile boolean stateful;
  private final Map<String, ModelMethod> methods = new ConcurrentHashMap<>();
  private final ReentrantReadWriteLock inUse = new ReentrantReadWriteLock();
  private boolean closed;

  private Model(
      String name, TorchScriptModule module, Catalog catalog, Plan plan, ResourceScope scope) {
    this.name = name;
    this.module = module;
    this.plan = plan;
    this.scope = scope;
    this.shared = SharedState.of(module.root());
    this.stateful = module.isTraining(catalog);
  }

  /**
   * Loads and verifies an archive. Nothing of it runs but the {@code __setstate__} of objects that
   * restore themselves, after all of it was verified.
   *
   * @param memory where weights and results live; the caller's, and may be shared between models
   * @throws StaunchException a typed fault that names the record or source line to blame
   */
  public static Model load(Path archive, OffHeap memory) {
    return load(archive, memory, LoadOptions.standard());
  }

  /** As {@link #load(Path, OffHeap)}, with operations of the caller's own. */
  public static Model load(Path archive, OffHeap memory, Catalog catalog) {
    return load(archive, memory, LoadOptions.standard().withCatalog(catalog));
  }

  /**
   * As {@link #load(Path, OffHeap, Catalog)}.
   *
   * @param cancel stops the loading, if a {@code __setstate__} or the reading takes too long
   */
  public static Model load(Path archive, OffHeap memory, Catalog catalog, CancelScope cancel) {
    return load(archive, memory, LoadOptions.standard().withCatalog(catalog).withCancel(cancel));
  }

  /**
   * As {@link #load(Path, OffHeap)}, in another way. A {@code __setstate__} is stopped after 30
   * seconds unless the options say what stops it.
   */
  public static Model load(Path archive, OffHeap memory, LoadOptions options) {
    ResourceScope scope = ResourceScope.open(memory, "model " + archive.getFileName());
    Object loaded = Guard.attempt(path -> open(path, scope, options), archive);
    if (loaded instanceof Fault fault) {
      scope.close();
      throw fault.toException();
    }
    return (Model) loaded;
  }

  private static Model open(Path archive, ResourceScope scope, LoadOptions options) {
    Catalog catalog = options.catalog();
    TorchScriptModule module;
    // what a __setstate__ stores moves to the model's scope, everything else goes with this one
    try (ResourceScope passing = scope.child("restoring")) {
      StateRestorer restorer =
          (program, function, object, state) ->
              restore(
                  Plan.prepare(program, catalog),
                  function,
                  List.of(object, state),
                  RunOptions.in(passing).withCancel(restoring(options)));
      module = TorchScriptModule.load(archive, scope, restorer, options);
    }
    String file = String.valueOf(archive.getFileName());
    String name = file.endsWith(".pt") ? file.substring(0, file.length() - 3) : file;
    return new Model(name, module, catalog, Plan.prepare(module.program(), catalog), scope);
  }

  private static CancelScope restoring(LoadOptions options) {
    CancelScope given = options.cancel();
    return given == null ? CancelScope.withDeadline(RESTORING) : given;
  }

  private static void restore(
      Plan plan, String function, List<Object> objectAndState, RunOptions options) {
    if (plan.run(function, objectAndState, options).get(0) instanceof Fault fault) {
      throw fault.toException();
    }
  }

  /** The archive's file name without {@code .pt}. */
  public String name() {
    return name;
  }

  /** The archive behind the model: its methods, parameters, operations and source. */
  public TorchScriptModule module() {
    return module;
  }

  /** Answers {@code request} with {@code method}, without a deadline. */
  public Answer predict(InferenceRequest request, String method) {
    return predict(request, method, CancelScope.open());
  }

  /**
   * Answers {@code request}, unless {@code cancel} stops it first. Never throws for the request.
   */
  public Answer predict(InferenceRequest request, String method, CancelScope cancel) {
    return predict(request, method, scope -> RunOptions.in(scope, cancel));
  }

  /** How a request is to run, given the memory scope that was opened for it. */
  @FunctionalInterface
  public interface Options {
    RunOptions in(ResourceScope scope);
  }

  /** As {@link #predict(InferenceRequest, String, CancelScope)}, with every option of a run. */
  public Answer predict(InferenceRequest request, String method, Options options) {
    ModelMethod known = method(method);
    try (ResourceScope requestScope = scope.child("request")) {
      Object outputs = Guard.attempt(asked -> answer(known, asked, options, requestScope), request);
      return outputs instanceof Fault fault
          ? new Answer(request.id(), List.of(), fault)
          : new Answer(request.id(), tensors(outputs), null);
    }
  }

  /** The outputs that {@code request} asks for, or a fault. */
  private Object answer(
      ModelMethod method, InferenceRequest request, Options options, ResourceScope requestScope) {
    Object bound = method.signature().bind(request.inputs(), requestScope);
    if (bound instanceof Fault) {
      return bound;
    }
    RunOptions named = options.in(requestScope).withArgumentNames(method.names());
    Object outputs = call(method, (List<?>) bound, named, ResponseTensor::spread);
    return outputs instanceof Fault
        ? outputs
        : ResponseTensor.chosen(tensors(outputs), request.outputs());
  }

  @SuppressWarnings("unchecked") // spread and chosen return a list of these, or a fault
  private static List<ResponseTensor> tensors(Object outputs) {
    return (List<ResponseTensor>) outputs;
  }

  /**
   * Calls {@code method} with run-time values (see {@link dev.staunch.kernel.Kernel}); the result
   * is one too, in the scope of {@code options}, or a {@link Fault}.
   */
  public Object call(String method, List<Object> arguments, RunOptions options) {
    return call(method(method), arguments, options, result -> result);
  }

  /**
   * @param finish turns the result into what is returned, while nobody may write the model's state
   */
  private Object call(
      ModelMethod method, List<?> arguments, RunOptions options, UnaryOperator<Object> finish) {
    Fault refused = module.fileChange();
    refused = refused == null ? method.check(arguments) : refused;
    if (refused != null) {
      return refused;
    }
    Object result = admitted(method, arguments, options, finish);
    if (result instanceof Fault fault && fault.type() == FaultType.DATA_FORMAT) {
      module.suspectFile();
    }
    return result;
  }

  private Object admitted(
      ModelMethod method, List<?> arguments, RunOptions options, UnaryOperator<Object> finish) {
    if (!stateful) {
      StateGuard guard = new StateGuard(shared);
      RunOptions guarded = options.withStateGuard(guard);
      Object result = locked(inUse.readLock(), method, arguments, guarded, finish);
      if (!guard.tried()) {
        return result;
      }
      stateful = true; // nothing was written yet: the request begins again, alone
    }
    return locked(inUse.writeLock(), method, arguments, options, finish);
  }

  private Object locked(
      Lock lock,
      ModelMethod method,
      List<?> arguments,
      RunOptions options,
      UnaryOperator<Object> finish) {
    lock.lock();
    try {
      return Guard.attempt(
          finisher -> {
            Object result = closed ? closedFault() : hooked(method, arguments, options);
            return result instanceof Fault ? result : finisher.apply(result);
          },
          finish);
    } finally {
      lock.unlock();
    }
  }

  /** Runs the method between its hooks, as calling the module does in PyTorch. */
  private Object hooked(ModelMethod method, List<?> arguments, RunOptions options) {
    List<Object> inputs = new ArrayList<>(arguments);
    for (String hook : method.hooks().before()) {
      Object changed = run(module.functionName(hook), options, new TupleValue(inputs));
      if (changed instanceof Fault) {
        return changed;
      }
      if (changed != Kernel.None.NONE) {
        inputs = changed instanceof TupleValue several ? several.elements() : List.of(changed);
        Fault mismatch = method.check(inputs);
        if (mismatch != null) {
          return mismatch;
        }
      }
    }
    Object result = run(method.function(), options, inputs.toArray());
    for (String hook : method.hooks().after()) {
      if (result instanceof Fault) {
        break;
      }
      Object changed = run(module.functionName(hook), options, new TupleValue(inputs), result);
      result = changed == Kernel.None.NONE ? result : changed;
    }
    return result;
  }

  private Object run(String function, RunOptions options, Object... arguments) {
    List<Object> all = new ArrayList<>(arguments.length + 1);
    all.add(module.root());
    all.addAll(Arrays.asList(arguments));
    return plan.run(function, all, options).get(0);
  }

  private Fault closedFault() {
    return Fault.of(FaultType.CLOSED, "the model " + name + " was closed");
  }

  /**
   * What {@code method} takes.
   *
   * @throws StaunchException of type value if the model has no such method
   */
  Signature signature(String method) {
    return method(method).signature();
  }

  private ModelMethod method(String name) {
    ModelMethod known = methods.get(name);
    return known != null
        ? known
        : methods.computeIfAbsent(name, wanted -> ModelMethod.of(module, wanted));
  }

  /**
   * Does nothing if the model has {@code method}.
   *
   * @throws StaunchException of type value, listing the methods there are, if it has not
   */
  public void checkMethod(String method) {
    signature(method);
  }

  /** Whether a request changes the model, so that requests take turns. */
  public boolean isStateful() {
    return stateful;
  }

  /** Where the model's tensors live. */
  public OffHeap memory() {
    return scope.memory();
  }

  /**
   * Off-heap bytes that the model holds: of requests in flight, and of weights that could not be
   * mapped or were written since. Those that lie in the mapped archive are not among them; see
   * {@link OffHeap#mappedBytes}.
   */
  public long bytes() {
    return scope.account().bytes();
  }

  @Override
  public void close() {
    inUse.writeLock().lock();
    try {
      closed = true;
      scope.close();
    } finally {
      inUse.writeLock().unlock();
    }
  }
}
