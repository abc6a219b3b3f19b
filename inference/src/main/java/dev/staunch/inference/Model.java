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
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A loaded model that answers requests. One model serves any number of threads: each request runs
 * from start to end on the thread that asks, in a memory scope of its own.
 *
 * <p>A model that changes its own state (a counter, a cache, the statistics of a module in training
 * mode) takes one request at a time, in the order in which they come. Which methods may do so is
 * known from their text ({@link #stateUse}); requests for the others run beside each other, between
 * those. Waiting for a turn heeds the request's cancellation, deadline, and interrupts.
 *
 * <p>The changes of a request take effect as a whole when it ends well, and not at all if it is
 * stopped or fails. That costs a copy of what it writes, before the first write: of the elements
 * between the first and the last one that an operation may write, of a list, dict or object whole;
 * and, if it set attributes or changed lists or dicts, a walk over the module's objects at its end.
 *
 * <p>A callback of a request (output, interceptor, listener) may call the model again, for what
 * only reads; a method that may change state is a fault there, as is any call once the request
 * itself has changed some. Two models that change state and so call each other wait until a
 * deadline ends it.
 *
 * <p>{@link #close} waits for the requests in flight; later ones get a fault of type closed.
 */
public final class Model implements AutoCloseable {
  private static final Duration DRAINING = Duration.ofSeconds(30);

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
   * Loads and verifies an archive. Nothing of it runs but the {@code __setstate__} of objects that
   * restore themselves, after all of it was verified.
   *
   * @param memory where weights and results live; the caller's, and may be shared between models
   * @throws StaunchException a typed fault that names the record or source line to blame
   */
  public static Model load(Path archive, OffHeap memory) {
    return load(archive, memory, LoadOptions.standard());
  }

  /**
   * As {@link #load(Path, OffHeap)}, in another way: with operations of the caller's own, with
   * mapped weights, refusing a model in training mode. A {@code __setstate__} is stopped after 30
   * seconds unless the options say what stops it.
   */
  public static Model load(Path archive, OffHeap memory, LoadOptions options) {
    return ModelLoader.load(
        String.valueOf(archive.getFileName()),
        memory,
        options,
        (scope, restorer) -> TorchScriptModule.load(archive, scope, restorer, options));
  }

  /**
   * As {@link #load(Path, OffHeap, LoadOptions)}, from the bytes of an archive, which are not
   * needed later; weights are always copied.
   *
   * @param name stands for the file's in messages and in {@link #name}
   */
  public static Model load(String name, byte[] archive, OffHeap memory, LoadOptions options) {
    return ModelLoader.load(
        name,
        memory,
        options,
        (scope, restorer) -> TorchScriptModule.load(name, archive, scope, restorer, options));
  }

  /**
   * As {@link #load(String, byte[], OffHeap, LoadOptions)}, from a stream, which is read to its end
   * and not closed.
   *
   * @throws IOException if the stream cannot be read
   */
  public static Model load(String name, InputStream archive, OffHeap memory, LoadOptions options)
      throws IOException {
    return load(name, archive.readAllBytes(), memory, options);
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
   * Answers {@code request} with the {@linkplain #defaultMethod method that is meant if none is
   * named}, without a deadline.
   */
  public Answer predict(InferenceRequest request) {
    return predict(request, CancelScope.open());
  }

  /** As {@link #predict(InferenceRequest)}, unless {@code cancel} stops it first. */
  public Answer predict(InferenceRequest request, CancelScope cancel) {
    return predict(request, defaultMethod(), cancel);
  }

  /** Answers {@code request} with {@code method}, without a deadline. */
  public Answer predict(InferenceRequest request, String method) {
    return predict(request, method, CancelScope.open());
  }

  /**
   * Answers {@code request}, unless {@code cancel} stops it first. Never throws for the request: a
   * method that the model lacks is a fault of type value, too.
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
    try (ResourceScope requestScope = scope.child("request")) {
      Object outputs =
          Guard.attempt(
              given -> answer(method(method), request, given.in(requestScope), null), options);
      return outputs instanceof Fault fault
          ? new Answer(request.id(), List.of(), fault)
          : new Answer(
              request.id(),
              tensors(outputs),
              null,
              method(method).binding().warning(request.inputs()));
    }
  }

  /**
   * The outputs that {@code request} asks for, or a fault.
   *
   * @param instead a fault to give in place of outputs, so that nothing is kept; null to give them
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

  @SuppressWarnings("unchecked") // Outputs gives a list of these, or a fault
  private static List<ResponseTensor> tensors(Object outputs) {
    return (List<ResponseTensor>) outputs;
  }

  /**
   * Calls {@code method} with run-time values (see {@link dev.staunch.kernel.Kernel}); the result
   * is one too, in the scope of {@code options}, or a {@link Fault}. It is the caller's: the model
   * keeps handles, lists and dicts of its own. A tensor in a list or dict of the caller's that the
   * script keeps in its module belongs to the model from then on. What a request writes or keeps
   * may be given to no other before it has ended.
   */
  public Object call(String method, List<Object> arguments, RunOptions options) {
    ModelMethod called = method(method);
    Supplier<Object> checked =
        () -> Objects.requireNonNullElse(called.misfit(arguments), (Object) arguments);
    UnaryOperator<Object> handOut =
        found -> new HandedOut(scope, state.shared(), options.scope()).of(found);
    StateUse use = called.use();
    boolean mayWrite = use.state() || (use.arguments() && state.holdsAnyOf(arguments));
    return call(called, checked, options, UnaryOperator.identity(), handOut, mayWrite);
  }

  /**
   * @param arguments gives those that the method takes, tensors in the scope of {@code options}, or
   *     a fault
   * @param finish turns the result into what is returned, while nobody may write the model's state
   * @param handOut does so once it is known what of it the model keeps
   * @param mayWrite whether it may write the model's state
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
      watching.begins();
    }
    Object result = hooked(method, (List<?>) bound, options);
    return result instanceof Fault ? result : finish.apply(result);
  }

  /**
   * The arguments for {@link #call} that {@code request} means: run-time values, their tensors in
   * {@code scope}.
   *
   * @throws StaunchException if the method has no such parameters, or there is no such method
   */
  public List<Object> arguments(InferenceRequest request, String method, ResourceScope scope) {
    Object bound = method(method).binding().bind(request.inputs(), input -> input.toTensor(scope));
    if (bound instanceof Fault fault) {
      throw fault.toException();
    }
    return List.copyOf((List<?>) bound);
  }

  /** Runs the method between its hooks, as calling the module does in PyTorch. */
  private Object hooked(ModelMethod method, List<?> arguments, RunOptions options) {
    List<Object> inputs = new ArrayList<>(arguments);
    for (String hook : method.hooks().before()) {
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
    for (String hook : method.hooks().after()) {
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
   * Answers {@code requests} with {@code method}, in turn and on this thread, until times fall no
   * longer and the JVM, which compiles what has run often, has nearly done with that. None of them
   * changes the model.
   *
   * @param limit how long that may take; a request is given up after twice as long
   * @throws StaunchException the fault of a request that failed, or of the first if that was given
   *     up
   */
  public WarmUp warmUp(List<InferenceRequest> requests, String method, Duration limit) {
    CancelScope cancel = CancelScope.withDeadline(limit.plus(limit));
    return WarmUp.of(
        requests,
        limit,
        request -> rehearse(request, method, scope -> RunOptions.in(scope, cancel)),
        cancel,
        catalog.kernels());
  }

  /** As {@link #warmUp(List, String, Duration)}, with an {@linkplain #example example}. */
  public WarmUp warmUp(Duration limit) {
    return warmUp(List.of(example(defaultMethod(), limit)), defaultMethod(), limit);
  }

  /**
   * A request that {@code method} answers. An archive does not say which shapes it takes, so this
   * tries those that its weights suggest; the numbers mean nothing. None of that changes the model.
   *
   * @param limit how long it may try
   * @throws StaunchException of type unsupported if it finds none, closed if the model is
   */
  public InferenceRequest example(String method, Duration limit) {
    CancelScope cancel = CancelScope.withDeadline(limit);
    Object found =
        new ExampleSearch(
                module, method(method).declared(), request -> tried(request, method, cancel))
            .find();
    if (found instanceof Fault fault) {
      throw fault.toException();
    }
    return (InferenceRequest) found;
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

  /** Answers a request whose answer nobody wants, and takes back what it changed. */
  private @Nullable Fault rehearse(InferenceRequest request, String method, Options options) {
    Fault well = Fault.value("what a rehearsal has changed is taken back");
    try (ResourceScope requestScope = scope.child("rehearsal")) {
      Object result =
          Guard.attempt(
              given -> answer(method(method), request, given.in(requestScope), well), options);
      return result == well ? null : (Fault) result;
    }
  }

  /** {@code forward}, also if it cannot be called; or the only method there is. */
  public String defaultMethod() {
    List<TorchScriptModule.Method> known = module.methods();
    boolean other = known.size() == 1 && !module.missingMethods().containsKey("forward");
    return other ? known.getFirst().name() : "forward";
  }

  /**
   * What {@code method} takes.
   *
   * @throws StaunchException of type value, listing the methods there are, if it is none of them
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
   * Does nothing if the model has {@code method}.
   *
   * @throws StaunchException of type value, listing the methods there are, if it has not
   */
  public void checkMethod(String method) {
    method(method);
  }

  /**
   * What {@code method} may come to and what does not run here, each with its line: operations
   * without a kernel, and code that could not be lowered; what it surely comes to first. If there
   * is nothing, the method runs, unless its inputs have dtypes without a kernel.
   *
   * @throws StaunchException of type value, listing the methods there are, if it is none of them
   */
  public List<Gap> gaps(String method) {
    return module.gaps(method, catalog);
  }

  /** What a request for {@code method} may write, and which line of the model's source does it. */
  public StateUse stateUse(String method) {
    return method(method).use();
  }

  /** Where the model's tensors live. */
  public OffHeap memory() {
    return scope.memory();
  }

  /**
   * Off-heap bytes that the model holds and a budget counts: of weights that were copied, at
   * loading or when they were first written, of their packed forms, and of requests in flight.
   */
  public long bytes() {
    return scope.account().bytes();
  }

  /**
   * Bytes of weights that lie in the mapped archive, which count in no budget and which models on
   * one file share; 0 unless it was loaded {@linkplain LoadOptions#withMappedWeights so}.
   */
  public long mappedBytes() {
    return state.mappedBytes();
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
   * @return whether all is given back, but for what a call that is just returning gives back then;
   *     if not, it will be when the last request in flight has ended
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
