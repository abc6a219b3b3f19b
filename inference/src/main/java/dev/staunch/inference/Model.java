package dev.staunch.inference;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Guard;
import dev.staunch.execute.Plan;
import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.Catalog;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.torchscript.StateRestorer;
import dev.staunch.torchscript.TorchScriptModule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A loaded model that answers requests. One model serves any number of threads (S6): each request
 * runs from start to end on the thread that asks, in a memory scope of its own.
 *
 * <p>A model whose modules are in training mode changes its own state when it runs; such a model
 * takes one request at a time.
 *
 * <p>{@link #close} waits for the requests in flight; later ones get a fault of type closed.
 */
public final class Model implements AutoCloseable {
  private static final Duration LOADING = Duration.ofSeconds(30);

  private final String name;
  private final TorchScriptModule module;
  private final Plan plan;
  private final ResourceScope scope;
  private final boolean stateful;
  private final Map<String, ModelMethod> methods = new ConcurrentHashMap<>();
  private final ReentrantReadWriteLock inUse = new ReentrantReadWriteLock();
  private boolean closed;

  private Model(String name, TorchScriptModule module, Plan plan, ResourceScope scope) {
    this.name = name;
    this.module = module;
    this.plan = plan;
    this.scope = scope;
    this.stateful = module.isTraining();
  }

  /**
   * Loads and verifies an archive. Nothing of it runs but the {@code __setstate__} of objects that
   * restore themselves, after all of it was verified.
   *
   * @param memory where weights and results live; the caller's, and may be shared between models
   * @throws StaunchException a typed fault that names the record or source line to blame
   */
  public static Model load(Path archive, OffHeap memory) {
    return load(archive, memory, Catalog.standard());
  }

  /** As {@link #load(Path, OffHeap)}, with operations of the caller's own. */
  public static Model load(Path archive, OffHeap memory, Catalog catalog) {
    return load(archive, memory, catalog, CancelScope.withDeadline(LOADING));
  }

  /**
   * As {@link #load(Path, OffHeap, Catalog)}.
   *
   * @param cancel stops a {@code __setstate__} that takes too long; by default after 30 seconds
   */
  public static Model load(Path archive, OffHeap memory, Catalog catalog, CancelScope cancel) {
    ResourceScope scope = ResourceScope.open(memory, "model " + archive.getFileName());
    Object loaded = Guard.attempt(path -> open(path, catalog, scope, cancel), archive);
    if (loaded instanceof Fault fault) {
      scope.close();
      throw fault.toException();
    }
    return (Model) loaded;
  }

  private static Model open(
      Path archive, Catalog catalog, ResourceScope scope, CancelScope cancel) {
    TorchScriptModule module;
    // what a __setstate__ stores moves to the model's scope, everything else goes with this one
    try (ResourceScope passing = scope.child("restoring")) {
      RunOptions options = RunOptions.in(passing).withCancel(cancel);
      StateRestorer restorer =
          (program, function, object, state) ->
              restore(Plan.prepare(program, catalog), function, List.of(object, state), options);
      module = TorchScriptModule.load(archive, scope, restorer);
    }
    String file = String.valueOf(archive.getFileName());
    String name = file.endsWith(".pt") ? file.substring(0, file.length() - 3) : file;
    return new Model(name, module, Plan.prepare(module.program(), catalog), scope);
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
      Object bound = known.signature().bind(request.inputs(), requestScope);
      if (bound instanceof Fault fault) {
        return failed(request, fault);
      }
      RunOptions named = options.in(requestScope).withArgumentNames(known.names());
      Object result = call(known, (List<?>) bound, named);
      Object outputs = result instanceof Fault ? result : ResponseTensor.spread(result);
      return outputs instanceof Fault fault
          ? failed(request, fault)
          : new Answer(request.id(), tensors(outputs), null);
    }
  }

  @SuppressWarnings("unchecked") // spread returns a list of these, or a fault
  private static List<ResponseTensor> tensors(Object outputs) {
    return (List<ResponseTensor>) outputs;
  }

  private static Answer failed(InferenceRequest request, Fault fault) {
    return new Answer(request.id(), List.of(), fault);
  }

  /**
   * Calls {@code method} with run-time values (see {@link dev.staunch.kernel.Kernel}); the result
   * is one too, in the scope of {@code options}, or a {@link Fault}.
   */
  public Object call(String method, List<Object> arguments, RunOptions options) {
    return call(method(method), arguments, options);
  }

  private Object call(ModelMethod method, List<?> arguments, RunOptions options) {
    Fault mismatch = method.check(arguments);
    if (mismatch != null) {
      return mismatch;
    }
    List<Object> all = new ArrayList<>(arguments.size() + 1);
    all.add(module.root());
    all.addAll(arguments);
    java.util.concurrent.locks.Lock lock = stateful ? inUse.writeLock() : inUse.readLock();
    lock.lock();
    try {
      return closed ? closedFault() : plan.run(method.function(), all, options).get(0);
    } finally {
      lock.unlock();
    }
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
