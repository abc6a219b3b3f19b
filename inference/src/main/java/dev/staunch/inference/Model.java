package dev.staunch.inference;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Guard;
import dev.staunch.execute.Plan;
import dev.staunch.execute.RunOptions;
import dev.staunch.execute.StateUse;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Interceptor;
import dev.staunch.kernel.TupleValue;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.torchscript.Gap;
import dev.staunch.torchscript.LoadOptions;
import dev.staunch.torchscript.TorchScriptModule;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A loaded model that answers requests. Any number of threads can share one model: each request
 * runs from start to end on the calling thread, in its own memory scope.
 *
 * <p>A model may change its own state (a counter, a cache, the statistics of a module in training
 * mode). Requests for a method that may do so run one at a time, in order of arrival; requests for
 * other methods run concurrently, in between. The method's code tells which kind it is ({@link
 * #stateUse}). Waiting for a turn respects the request's cancellation, deadline and interrupts.
 *
 * <p>The changes of a request take effect all together when it succeeds, and not at all if it fails
 * or is stopped. This costs a copy before the first write: of the elements between the first and
 * the last one that an operation may write, or of a whole list, dict or object. A request that set
 * attributes or changed lists or dicts also walks over the module's objects at its end.
 *
 * <p>A callback of a request (output, interceptor, listener) may call the model again, but only to
 * read: a method that may change state fails there, as does any call once the request itself has
 * changed state. Two models that both change state and call each other wait for each other until a
 * deadline expires.
 *
 * <p>{@link #close} waits for the requests in flight; later ones get a fault of type closed.
 */
public final class Model implements AutoCloseable {
  private static final Duration DRAINING = Duration.ofSeconds(30);

  /** A longer time is none that anybody waits for. */
  private static final Duration AGES = Duration.ofDays(36_500);

  private final String name;
  private final TorchScriptModule module;
  private final Catalog catalog;
  private final Plan plan;
  private final ResourceScope scope;
  private final ModelState state;
  private final Turns turns;
  private final Map<String, ModelMethod> methods = new ConcurrentHashMap<>();

  Model(
      String name,
      TorchScriptModule module,
      Catalog catalog,
      Plan plan,
      ResourceScope scope,
      ModelState state) {
    this.name = name;
    this.module = module;
    this.catalog = catalog;
    this.plan = plan;
    this.scope = scope;
    this.state = state;
    this.turns = new Turns(name, state, this::end);
  }

  /**
   * Loads and verifies an archive. Loading runs none of its code except the {@code __setstate__} of
   * objects that restore themselves, and that only after the whole archive is verified.
   *
   * @param memory where weights and results live; owned by the caller, may be shared between models
   * @throws StaunchException a typed fault that names the record or source line at fault
   */
  public static Model load(Path archive, OffHeap memory) {
    return load(archive, memory, LoadOptions.standard());
  }

  /**
   * Like {@link #load(Path, OffHeap)}, with options: for example custom operations, mapped weights,
   * or refusing a model in training mode. A {@code __setstate__} is stopped after 30 seconds unless
   * the options give their own cancellation.
   */
  public static Model load(Path archive, OffHeap memory, LoadOptions options) {
    return ModelLoader.load(
        String.valueOf(archive.getFileName()),
        memory,
        options,
        (scope, restorer) -> TorchScriptModule.load(archive, scope, restorer, options));
  }

  /**
   * Like {@link #load(Path, OffHeap, LoadOptions)}, from the bytes of an archive, which are not
   * needed after loading; weights are always copied.
   *
   * @param name stands in for the file name in messages and in {@link #name}
   */
  public static Model load(String name, byte[] archive, OffHeap memory, LoadOptions options) {
    return ModelLoader.load(
        name,
        memory,
        options,
        (scope, restorer) -> TorchScriptModule.load(name, archive, scope, restorer, options));
  }

  /**
   * Like {@link #load(String, byte[], OffHeap, LoadOptions)}, from a stream, which is read to its
   * end and not closed. It must fit in an array of the Java heap.
   *
   * @throws IOException if the stream cannot be read
   */
  public static Model load(String name, InputStream archive, OffHeap memory, LoadOptions options)
      throws IOException {
    byte[] bytes;
    try {
      bytes = archive.readAllBytes();
    } catch (OutOfMemoryError e) {
      String text = "the archive " + name + " does not fit in the Java heap; load it from its file";
      throw Fault.of(FaultType.OUT_OF_MEMORY, text).withCause(e).toException();
    }
    return load(name, bytes, memory, options);
  }

  /** The archive's file name without {@code .pt}. */
  public String name() {
    return name;
  }

  /** The archive behind the model: its methods, parameters, operations and source. */
  public TorchScriptModule module() {
    return module;
  }

  /**
   * Answers {@code request} with the {@linkplain #defaultMethod default method}, without a
   * deadline.
   */
  public Answer predict(InferenceRequest request) {
    return predict(request, CancelScope.open());
  }

  /** Like {@link #predict(InferenceRequest)}, unless {@code cancel} stops it first. */
  public Answer predict(InferenceRequest request, CancelScope cancel) {
    return predict(request, defaultMethod(), cancel);
  }

  /** Answers {@code request} with {@code method}, without a deadline. */
  public Answer predict(InferenceRequest request, String method) {
    return predict(request, method, CancelScope.open());
  }

  /**
   * Answers {@code request}, unless {@code cancel} stops it first. Never throws because of the
   * request: even an unknown method is a fault of type value.
   */
  public Answer predict(InferenceRequest request, String method, CancelScope cancel) {
    return predict(request, method, scope -> RunOptions.in(scope, cancel));
  }

  /** Gives the options of a run, for the memory scope opened for its request. */
  @FunctionalInterface
  public interface Options {
    RunOptions in(ResourceScope scope);
  }

  /** Like {@link #predict(InferenceRequest, String, CancelScope)}, with every option of a run. */
  public Answer predict(InferenceRequest request, String method, Options options) {
    try (ResourceScope requestScope = scope.child("request")) {
      Object outputs =
          Guard.attempt(
              given -> answer(method(method), request, given.in(requestScope), null), options);
      if (outputs instanceof Fault fault) {
        return new Answer(request.id(), List.of(), fault);
      }
      @SuppressWarnings("unchecked") // Outputs returns a list of these, or a fault
      List<ResponseTensor> tensors = (List<ResponseTensor>) outputs;
      String warning = method(method).binding().warning(request.inputs());
      return new Answer(request.id(), tensors, null, warning);
    }
  }

  /**
   * Returns the outputs that {@code request} asks for, or a fault.
   *
   * @param instead a fault to return in place of the outputs, so that no change is kept; or null
   */
  private Object answer(
      ModelMethod method, InferenceRequest request, RunOptions options, @Nullable Fault instead) {
    Object outcome =
        call(
            method,
            () -> method.bound(request, options.scope()),
            options.withArgumentNames(method.names()),
            result -> {
              Object outputs =
                  Outputs.of(result, method.declared().result(), module.namedTuples(), request);
              return instead == null || outputs instanceof Fault ? outputs : instead;
            },
            UnaryOperator.identity(),
            method.use().state());
    return outcome instanceof Fault fault && fault != instead
        ? RequestFaults.told(fault, request, method.names())
        : outcome;
  }

  /**
   * Calls {@code method} with run-time values (see {@link dev.staunch.kernel.Kernel}). Returns a
   * run-time value in the scope of {@code options}, or a {@link Fault}. The caller owns the result;
   * the model keeps its own handles, lists and dicts. If the script stores a tensor of a list or
   * dict argument in its module, the model owns that tensor from then on. No other request may use
   * what a request writes or keeps before that request has ended. A tensor argument keeps its shape
   * even if the script gives it another one in place, as {@code unsqueeze_} does.
   *
   * @param arguments in the order of the parameters; those at the end that have defaults may lack
   */
  public Object call(String method, List<Object> arguments, RunOptions options) {
    ModelMethod called = method(method);
    Supplier<Object> checked = () -> called.completed(arguments);
    UnaryOperator<Object> handOut =
        found -> new HandedOut(scope, state.shared(), options.scope()).of(found);
    StateUse use = called.use();
    boolean mayWrite = use.state() || (use.arguments() && state.holdsAnyOf(arguments));
    return call(called, checked, options, UnaryOperator.identity(), handOut, mayWrite);
  }

  /**
   * @param arguments supplies the method's arguments, tensors in the scope of {@code options}, or a
   *     fault
   * @param finish turns the result into what is returned, while nobody may write the model's state
   * @param handOut does so once it is known which parts of the result the model keeps
   * @param mayWrite whether the call may write the model's state
   */
  private Object call(
      ModelMethod method,
      Supplier<Object> arguments,
      RunOptions options,
      UnaryOperator<Object> finish,
      UnaryOperator<Object> handOut,
      boolean mayWrite) {
    Fault changed = module.fileChange();
    if (changed != null) {
      return changed;
    }
    Turns.Work work = run -> finished(method, arguments.get(), run, finish);
    Object result = turns.take(work, handOut, options, mayWrite);
    if (result instanceof Fault fault) {
      if (fault.type() == FaultType.DATA_FORMAT) {
        module.suspectFile();
      }
      return FaultPlace.told(fault, module.program());
    }
    return result;
  }

  private Object finished(
      ModelMethod method, Object bound, RunOptions options, UnaryOperator<Object> finish) {
    if (bound instanceof Fault) {
      return bound;
    }
    Interceptor watching = options.interceptor();
    if (watching != null) {
      watching.requestBegins();
    }
    Object result = hooked(method, (List<?>) bound, options);
    return result instanceof Fault ? result : finish.apply(result);
  }

  /**
   * Binds the inputs of {@code request} to arguments for {@link #call}: run-time values, with their
   * tensors in {@code scope}.
   *
   * @throws StaunchException if the inputs do not fit the parameters, or the method does not exist
   */
  public List<Object> arguments(InferenceRequest request, String method, ResourceScope scope) {
    Object bound = method(method).binding().bind(request.inputs(), input -> input.toTensor(scope));
    return List.copyOf((List<?>) Fault.orThrow(bound, List.class));
  }

  /** Runs the method between its hooks, as calling the module does in PyTorch. */
  private Object hooked(ModelMethod method, List<?> arguments, RunOptions options) {
    List<Object> inputs = new ArrayList<>(arguments);
    TorchScriptModule.Hooks hooks = method.hooks();
    for (String hook : hooks.before()) {
      Object changed = run(module.functionName(hook), options, new TupleValue(inputs));
      if (changed instanceof Fault) {
        return changed;
      }
      if (changed != None.NONE) {
        inputs = changed instanceof TupleValue several ? several.elements() : List.of(changed);
        Fault mismatch = method.misfit(inputs);
        if (mismatch != null) {
          return mismatch;
        }
      }
    }
    Object result = run(method.function(), options, inputs.toArray());
    for (String hook : hooks.after()) {
      if (result instanceof Fault) {
        break;
      }
      Object changed = run(module.functionName(hook), options, new TupleValue(inputs), result);
      result = changed == None.NONE ? result : changed;
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
   * Answers {@code requests} with {@code method}, round-robin on the calling thread, until times
   * stop falling and the JVM, which compiles code that has run often, has nearly finished doing so.
   * None of the requests changes the model.
   *
   * @param limit how long the warm-up may take; the first requests are given up after twice as long
   * @throws StaunchException the fault of a request that failed, or of the first request if it was
   *     given up
   */
  public WarmUp warmUp(List<InferenceRequest> requests, String method, Duration limit) {
    Duration most = limit.isNegative() ? Duration.ZERO : limit.compareTo(AGES) < 0 ? limit : AGES;
    CancelScope cancel = CancelScope.withDeadline(most.plus(most));
    Options options = requestScope -> RunOptions.in(requestScope, cancel);
    try (Rehearsal rehearsal = new Rehearsal(this, method, options)) {
      return WarmUp.of(requests, most, rehearsal::answer, cancel, catalog.kernels());
    }
  }

  /** Like {@link #warmUp(List, String, Duration)}, with an {@linkplain #example example}. */
  public WarmUp warmUp(Duration limit) {
    return warmUp(List.of(example(defaultMethod(), limit)), defaultMethod(), limit);
  }

  /**
   * Searches for a request that {@code method} answers. An archive does not declare shapes, so this
   * tries those that its weights suggest; the values are arbitrary. The model stays unchanged.
   *
   * @param limit how long the search may take
   * @throws StaunchException of type unsupported if it finds none, closed if the model is closed
   */
  public InferenceRequest example(String method, Duration limit) {
    CancelScope cancel = CancelScope.withDeadline(limit);
    Object found =
        new ExampleSearch(
                module, method(method).declared(), request -> tried(request, method, cancel))
            .find();
    return Fault.orThrow(found, InferenceRequest.class);
  }

  private ExampleSearch.Trial tried(InferenceRequest request, String method, CancelScope cancel) {
    AtomicLong operations = new AtomicLong();
    Interceptor counting =
        (operation, arguments, source) -> {
          operations.incrementAndGet();
          return null;
        };
    Fault fault =
        rehearse(request, method, scope -> RunOptions.in(scope, cancel).withInterceptor(counting));
    if (fault != null && fault.type() == FaultType.CLOSED) {
      throw fault.toException();
    }
    boolean late = fault != null && cancel.check() != null;
    return new ExampleSearch.Trial(late ? -1 : operations.get(), fault);
  }

  /** Answers a request whose answer is discarded, and undoes its changes. */
  @Nullable Fault rehearse(InferenceRequest request, String method, Options options) {
    Fault well = Fault.value("what a rehearsal has changed is taken back");
    try (ResourceScope requestScope = scope.child("rehearsal")) {
      Object result =
          Guard.attempt(
              given -> answer(method(method), request, given.in(requestScope), well), options);
      return result == well ? null : (Fault) result;
    }
  }

  /** {@code forward}, even if it cannot be called; or the only method if there is exactly one. */
  public String defaultMethod() {
    List<TorchScriptModule.Method> known = module.methods();
    boolean other = known.size() == 1 && !module.missingMethods().containsKey("forward");
    return other ? known.getFirst().name() : "forward";
  }

  /**
   * Returns the inputs and outputs of {@code method}.
   *
   * @throws StaunchException of type value, listing the known methods, if it is none of them
   */
  public Signature signature(String method) {
    return Signature.of(method(method).declared(), module.namedTuples());
  }

  private ModelMethod method(String name) {
    ModelMethod known = methods.get(name);
    return known != null
        ? known
        : methods.computeIfAbsent(name, wanted -> ModelMethod.of(module, plan, wanted));
  }

  /**
   * Checks that the model has {@code method}.
   *
   * @throws StaunchException of type value, listing the known methods, if it does not
   */
  public void checkMethod(String method) {
    method(method);
  }

  /**
   * Returns what {@code method} may reach that does not run here, each with its source line:
   * operations without a kernel and code that could not be lowered, what it is certain to reach
   * first. If the list is empty, it runs, unless its inputs have dtypes without a kernel.
   *
   * @throws StaunchException of type value, listing the known methods, if it is none of them
   */
  public List<Gap> gaps(String method) {
    return module.gaps(method, catalog);
  }

  /** What a request for {@code method} may write, and the source line of the model that does so. */
  public StateUse stateUse(String method) {
    return method(method).use();
  }

  /** Where the model's tensors live. */
  public OffHeap memory() {
    return scope.memory();
  }

  /**
   * Off-heap bytes of the model that count towards a budget: weights that were copied, at loading
   * or before their first write, their packed forms, and requests in flight.
   */
  public long bytes() {
    return scope.account().bytes();
  }

  /**
   * Bytes of weights in the mapped archive, which count towards no budget and are shared by models
   * of one file; 0 unless {@linkplain LoadOptions#withMappedWeights weights are mapped}.
   */
  public long mappedBytes() {
    return state.mappedBytes();
  }

  /** Like {@link #close(Duration)}, with a patience of 30 seconds. */
  @Override
  public void close() {
    close(DRAINING);
  }

  /**
   * Refuses new requests, waits for those in flight, and releases what the model holds. After
   * {@code patience}, or on an interrupt, requests still in flight are cancelled with reason
   * shutdown. Never waits longer than {@code patience} plus one second. Idempotent. A call from a
   * request's callback does not wait, and takes effect when the requests in flight have ended.
   *
   * @return whether everything is released, apart from what a call that is returning right now
   *     still releases; if false, the last request in flight releases the rest when it ends
   */
  public boolean close(Duration patience) {
    return turns.close(patience);
  }

  /** {@code model ranker.pt: 1.2 MiB}, or {@code model ranker.pt (closed): 0 bytes}. */
  @Override
  public String toString() {
    return scope.account().toString();
  }

  private void end() {
    try {
      scope.close();
    } finally {
      Reference.reachabilityFence(this); // what the module holds is in use until here, so no leak
    }
  }
}
