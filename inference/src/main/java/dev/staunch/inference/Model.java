package dev.staunch.inference;

import dev.staunch.dispatch.Interceptor;
import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Guard;
import dev.staunch.execute.ForbiddenWrites;
import dev.staunch.execute.Plan;
import dev.staunch.execute.RunOptions;
import dev.staunch.execute.StateJournal;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.TupleValue;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.torchscript.LoadOptions;
import dev.staunch.torchscript.StateRestorer;
import dev.staunch.torchscript.TorchScriptModule;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A loaded model that answers requests. One model serves any number of threads (S6): each request
 * runs from start to end on the thread that asks, in a memory scope of its own.
 *
 * <p>A model that changes its own state (a counter, a cache, the statistics of a module in training
 * mode) takes one request at a time, in the order in which they come. What does is found out at the
 * first request that is about to write state: before it writes, that request begins again, alone,
 * and from then on all take turns. What it printed until then is printed twice. Waiting for a turn
 * heeds the request's cancellation and deadline, and interrupts.
 *
 * <p>The changes of a request take effect as a whole when it ends well, and not at all if it is
 * stopped or fails. That costs a copy of what it writes, before the first write: of the elements
 * between the first and the last one that an operation may write, of a list, dict or object whole;
 * and, if it set attributes or changed lists or dicts, a walk over the module's objects at its end.
 * Such a request runs without workers.
 *
 * <p>A callback of a request (output, interceptor, listener) may call the model again, for what
 * only reads; to change state from there is a fault, as is any call once the request itself has
 * changed some.
 *
 * <p>{@link #close} waits for the requests in flight; later ones get a fault of type closed.
 */
public final class Model implements AutoCloseable {
  private static final Duration RESTORING = Duration.ofSeconds(30);
  private static final Duration DRAINING = Duration.ofSeconds(30);

  private final String name;
  private final TorchScriptModule module;
  private final Plan plan;
  private final ResourceScope scope;
  private final ModelState state;
  private final Gate gate;
  private volatile boolean stateful;
  private final Map<String, ModelMethod> methods = new ConcurrentHashMap<>();

  private Model(
      String name,
      TorchScriptModule module,
      Catalog catalog,
      Plan plan,
      ResourceScope scope,
      ModelState state) {
    this.name = name;
    this.module = module;
    this.plan = plan;
    this.scope = scope;
    this.state = state;
    this.gate = new Gate(name, this::end);
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
    // what a __setstate__ stores moves to the model's scope, everything else goes with this one
    try (ResourceScope passing = scope.child("restoring")) {
      StateRestorer restorer =
          (program, function, object, state) ->
              restore(
                  Plan.prepare(program, catalog),
                  function,
                  List.of(object, state),
                  RunOptions.in(passing).withCancel(restoring(options)));
      TorchScriptModule module = TorchScriptModule.load(archive, scope, restorer, options);
      ModelState state = new ModelState(module.root(), scope, passing);
      Plan plan = Plan.prepare(module.program(), catalog, module.root());
      return new Model(nameOf(archive), module, catalog, plan, scope, state);
    }
  }

  private static String nameOf(Path archive) {
    String file = String.valueOf(archive.getFileName());
    return file.endsWith(".pt") ? file.substring(0, file.length() - 3) : file;
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
      Object outputs =
          Guard.attempt(given -> answer(known, request, given.in(requestScope)), options);
      return outputs instanceof Fault fault
          ? new Answer(request.id(), List.of(), fault)
          : new Answer(request.id(), tensors(outputs), null);
    }
  }

  /** The outputs that {@code request} asks for, or a fault. */
  private Object answer(ModelMethod method, InferenceRequest request, RunOptions options) {
    return call(
        method,
        () -> method.signature().bind(request.inputs(), options.scope()),
        options.withArgumentNames(method.names()),
        result -> {
          Object outputs = ResponseTensor.spread(result);
          return outputs instanceof Fault
              ? outputs
              : ResponseTensor.chosen(tensors(outputs), request.outputs());
        });
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
    Object result = call(method(method), () -> arguments, options, found -> found);
    boolean held = result instanceof DenseTensor tensor && scope.equals(tensor.scope());
    return held ? ownHandle((DenseTensor) result, options) : result;
  }

  /** The state keeps its own. */
  private static Object ownHandle(DenseTensor tensor, RunOptions options) {
    return tensor.view(options.scope(), tensor.layout());
  }

  /**
   * @param arguments gives them, tensors in the scope of {@code options}, or a fault
   * @param finish turns the result into what is returned, while nobody may write the model's state
   */
  private Object call(
      ModelMethod method,
      Supplier<Object> arguments,
      RunOptions options,
      UnaryOperator<Object> finish) {
    Fault changed = module.fileChange();
    if (changed != null) {
      return changed;
    }
    Work work = run -> finished(method, arguments.get(), run, finish);
    Gate.Visit outer = gate.current();
    Object result = outer == null ? taken(work, options) : nested(work, options, outer);
    if (result instanceof Fault fault && fault.type() == FaultType.DATA_FORMAT) {
      module.suspectFile();
    }
    return result;
  }

  /** A request, given what it may use. */
  private interface Work {
    Object run(RunOptions options);
  }

  private Object finished(
      ModelMethod method, Object bound, RunOptions options, UnaryOperator<Object> finish) {
    if (bound instanceof Fault) {
      return bound;
    }
    List<?> arguments = (List<?>) bound;
    Fault mismatch = method.check(arguments);
    Object result = mismatch == null ? hooked(method, arguments, options) : mismatch;
    return result instanceof Fault ? result : finish.apply(result);
  }

  /** Does {@code work} beside others or, if it writes state, in a turn of its own. */
  private Object taken(Work work, RunOptions options) {
    if (!stateful) {
      ForbiddenWrites guard = new ForbiddenWrites(state::shared);
      Gate.Visit visit = new Gate.Visit(options.cancel().child(), null);
      Object result = visited(work, visit, options.withStateGuard(guard));
      if (!guard.tried()) {
        return result;
      }
      stateful = true; // nothing was written yet: the request begins again, alone
    }
    CancelScope cancel = options.cancel().child();
    StateJournal journal = new StateJournal(state::shared, options.scope(), cancel);
    Gate.Visit visit = new Gate.Visit(cancel, journal);
    return visited(run -> kept(work, run, journal), visit, options.withStateGuard(journal));
  }

  private Object visited(Work work, Gate.Visit visit, RunOptions options) {
    Fault refused = gate.enter(visit);
    if (refused != null) {
      return refused;
    }
    try {
      return Guard.attempt(work::run, withCallbacksInside(visit, options));
    } finally {
      gate.leave(visit);
    }
  }

  /** What the request changed takes effect if it ended well, else it never was. */
  private Object kept(Work work, RunOptions options, StateJournal journal) {
    Object result = Guard.attempt(work::run, options);
    if (result instanceof Fault) {
      journal.undo();
    } else {
      state.take(journal, options.scope());
    }
    journal.end();
    return result;
  }

  /** Callbacks run on threads of workers, too, and may call the model all the same. */
  private RunOptions withCallbacksInside(Gate.Visit visit, RunOptions options) {
    RunOptions run = options.withCancel(visit.cancel);
    if (visit.alone || run.workers() == null) {
      return run.withWorkers(null);
    }
    Interceptor interceptor = run.interceptor();
    Consumer<String> output = run.output();
    Consumer<Fault> listener = run.faultListener();
    return run.withOutput(line -> gate.asPartOf(visit, output, line))
        .withFaultListener(fault -> gate.asPartOf(visit, listener, fault))
        .withInterceptor(
            interceptor == null
                ? null
                : (operation, given, source) ->
                    gate.asPartOf(visit, () -> interceptor.before(operation, given, source)));
  }

  /** Does {@code work} as part of another request on the same thread, which waits for it. */
  private Object nested(Work work, RunOptions options, Gate.Visit outer) {
    if (outer.journal != null && outer.journal.wrote()) {
      return inside("was asked within one that has changed the model's state and is not through");
    }
    ForbiddenWrites guard = new ForbiddenWrites(state::shared);
    Object result = Guard.attempt(work::run, options.withStateGuard(guard));
    return guard.tried() ? inside("would change the model's state within another one") : result;
  }

  private Fault inside(String what) {
    String text = "this request %s; ask model %s when that has ended";
    return Fault.value(Message.of(text, what, name));
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

  /** As {@link #close(Duration)}, with a patience of 30 seconds. */
  @Override
  public void close() {
    close(DRAINING);
  }

  /**
   * Lets no request in any more, waits for those in flight, and gives back what the model holds.
   * After {@code patience}, or an interrupt, those still in flight are cancelled, reason shutdown.
   * Never waits longer than {@code patience} and a second. Idempotent. Called by a callback of a
   * request it waits for nothing, and takes effect when the requests in flight have ended.
   *
   * @return whether all is given back; if not, it will be when the last request in flight has ended
   */
  public boolean close(Duration patience) {
    return gate.close(patience);
  }

  private void end() {
    try {
      scope.close();
    } finally {
      Reference.reachabilityFence(this); // what the module holds is in use until here, so no leak
    }
  }
}
