package dev.staunch.eager;

import dev.staunch.engine.Bulk;
import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Engine;
import dev.staunch.engine.EngineContext;
import dev.staunch.engine.Guard;
import dev.staunch.engine.Task;
import dev.staunch.engine.Uses;
import dev.staunch.engine.Variable;
import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Generator;
import dev.staunch.kernel.Kernel;
import dev.staunch.memory.Hold;
import dev.staunch.memory.Holder;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates tensors, computes with them, and owns them; closing it releases everything still open. An
 * operation returns at once. It is computed on the calling thread if it is small and its operands
 * are available, and by a worker otherwise; the results do not depend on which. Thread-safe.
 */
public final class Context implements AutoCloseable, Creation, RandomCreation {
  /** How long operations get to notice that they are cancelled once a deadline has passed. */
  private static final Duration STOPPING = Duration.ofMillis(100);

  /** Holds the scope in which a maker creates a tensor. */
  private static final Holder MAKER = () -> "what makes a tensor";

  private final long largeElements;
  private final @Nullable Engine ownEngine;
  private final ResourceScope scope;
  private final EngineContext engine;
  private final ContextState state;
  private final CallEnvironment root;

  /** The calling thread's environment; per context, since one may be used inside another. */
  private final ScopedValue<CallEnvironment> current = ScopedValue.newInstance();

  private Context(ContextOptions options, ResourceScope scope, Engine engine, boolean ownsEngine) {
    this.largeElements = options.largeElements();
    this.scope = scope;
    this.ownEngine = ownsEngine ? engine : null;
    this.engine = engine.open(options.name());
    this.state = new ContextState(options.catalog(), scope, this.engine);
    this.root = CallEnvironment.of(state);
  }

  /** A context whose tensors are allocated in {@code memory}, with an engine of its own. */
  public static Context open(OffHeap memory) {
    return open(memory, ContextOptions.standard());
  }

  /** A context for the operations of {@code catalog}, with an engine of its own. */
  public static Context open(OffHeap memory, Catalog catalog) {
    Objects.requireNonNull(catalog, "catalog");
    return open(memory, ContextOptions.standard().withCatalog(catalog));
  }

  /** A context with an engine of its own, started as {@code options} says. */
  public static Context open(OffHeap memory, ContextOptions options) {
    Objects.requireNonNull(options, "options");
    return new Context(options, scope(memory, options), Engine.start(options.engine()), true);
  }

  /** A context that shares {@code engine}, which outlives it; its order and faults are its own. */
  public static Context open(OffHeap memory, ContextOptions options, Engine engine) {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(engine, "engine");
    return new Context(options, scope(memory, options), engine, false);
  }

  private static ResourceScope scope(OffHeap memory, ContextOptions options) {
    return ResourceScope.open(Objects.requireNonNull(memory, "memory"), options.name());
  }

  /**
   * Creates a tensor. {@code maker} is given a scope and returns a DenseTensor, which moves to the
   * current scope, or a fault; what it throws becomes a fault. Everything else that it creates in
   * the given scope is closed.
   *
   * @throws IllegalArgumentException if it returns anything else
   */
  @Override
  public Tensor make(Function<ResourceScope, Object> maker) {
    Objects.requireNonNull(maker, "maker");
    ResourceScope owner = environment().scope();
    return made(owner.hold(MAKER), () -> owner.using(MAKER.name(), maker::apply));
  }

  /** As {@link #make}, for internal makers, which close what they created before they fail. */
  Tensor fresh(Function<ResourceScope, Object> maker) {
    ResourceScope owner = environment().scope();
    return made(owner.holdNewMembers(MAKER), () -> maker.apply(owner));
  }

  private Tensor made(@Nullable Hold hold, Supplier<Object> maker) {
    Object made = held(hold, maker);
    if (made == null) {
      throw new IllegalArgumentException(
          "the maker must return a DenseTensor or a Fault, not null");
    }
    return wrap(made instanceof Fault fault ? fault.rethrown() : made);
  }

  private static Object held(@Nullable Hold hold, Supplier<Object> maker) {
    try {
      return Guard.attempt(Supplier::get, maker);
    } finally {
      if (hold != null) {
        hold.end();
      }
    }
  }

  /**
   * A handle on an existing tensor, or on the fault that took its place. The tensor stays with the
   * scope that owns it; closing the handle closes it. Nothing orders writes through this handle
   * with writes through other handles that wrap the same memory.
   *
   * @throws IllegalArgumentException if {@code content} is neither a DenseTensor nor a fault
   */
  public Tensor wrap(Object content) {
    if (!(Objects.requireNonNull(content, "content") instanceof DenseTensor
        || content instanceof Fault)) {
      throw new IllegalArgumentException(
          "content must be a DenseTensor or a Fault, got " + content.getClass().getSimpleName());
    }
    Object known =
        content instanceof Fault fault
            ? raise(fault.source() == null ? fault.withSource(UserLine.here()) : fault)
            : content;
    return new Tensor(this, null, known);
  }

  /**
   * Calls an operation of the catalog that returns one tensor, by its qualified name, such as
   * {@code aten::add.Tensor}. Arguments are tensors or run-time values ({@link Kernel}) in schema
   * order, all of them given; lists may hold tensors. Arrays and lists are copied. If an argument
   * holds a fault, so does the result.
   *
   * <p>Arguments that do not match the schema give a value fault that names the first of them. An
   * operation that is not in the catalog gives an unknown-operation fault.
   */
  @Override
  public Tensor apply(String operation, Object... arguments) {
    Objects.requireNonNull(arguments, "arguments");
    Signature signature = state.signatures.find(Objects.requireNonNull(operation, "operation"));
    return signature == null || signature.misuse(1, arguments) != null
        ? applyMany(operation, 1, arguments)[0]
        : call(signature, arguments);
  }

  /**
   * As {@link #apply}, for an operation that returns {@code count} tensors.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   */
  public Tensor[] applyMany(String operation, int count, Object... arguments) {
    if (count < 0) {
      throw new IllegalArgumentException("count must not be negative, got " + count);
    }
    Object found =
        state.signatures.resolve(operation, arguments, (it, all) -> it.misuse(count, all));
    if (found instanceof Spelling call) {
      return pushed(call.signature(), call.arguments());
    }
    Signature signature = state.signatures.find(operation);
    Tensor target = signature == null ? null : target(signature, arguments);
    Tensor[] failed = new Tensor[count];
    Arrays.fill(failed, target == null ? wrap(found) : fail(target, (Fault) found));
    return failed;
  }

  /** The handle that the operation writes first, if its arguments begin with one. */
  private static @Nullable Tensor target(Signature signature, @Nullable Object[] arguments) {
    return signature.mutates(0) && arguments.length > 0 && arguments[0] instanceof Tensor target
        ? target
        : null;
  }

  /** The single result of an operation whose arguments need no check. */
  Tensor call(Signature signature, Object... arguments) {
    Tensor made = signature.direct ? direct(signature, arguments) : null;
    return made == null ? pushed(signature, arguments)[0] : made;
  }

  /** The result if it can be computed on the spot; null if the call has to be pushed. */
  private @Nullable Tensor direct(Signature signature, Object[] arguments) {
    CallEnvironment here = environment();
    boolean mayBe =
        engine.runsHere(here.cancel) && signature.workload.isSmall(arguments, largeElements);
    Object outcome =
        mayBe ? new DirectCall(signature, here, arguments.length).outcome(arguments) : null;
    if (outcome == null) {
      return null;
    }
    Tensor result = wrap(outcome);
    if (outcome instanceof Fault fault
        && fault.type() == FaultType.CLOSED
        && here.scope().isClosed()) {
      fault.markRead(); // a caller that closed the scope meanwhile wants no result from it
    }
    return result;
  }

  private Tensor[] pushed(Signature signature, Object[] arguments) {
    CallEnvironment here = environment();
    Calls call = new Calls(this, signature, arguments);
    here.push(call.task(here, largeElements));
    return call.results();
  }

  /**
   * Calls an operation that returns something other than tensors, or a list of them, and waits for
   * it as a read does: if the wait is cancelled, passes its deadline or is interrupted, the
   * operation is cancelled. Tensors in the result are handles that can be used further. Several
   * results are an {@code Object[]}, in which a handle holds the fault of each result that failed;
   * no results are an empty array.
   *
   * @throws StaunchException the fault of the call, the operation or an argument
   */
  public Object applyValue(String operation, Object... arguments) {
    return valueOf(state.signatures.resolve(operation, arguments, Signature::misuse));
  }

  private Object valueOf(Object found) {
    if (found instanceof Fault misuse) {
      throw thrown(misuse);
    }
    Spelling spelt = (Spelling) found;
    Calls call = new Calls(this, spelt.signature(), spelt.arguments());
    Object outcome = outcome(call);
    if (outcome instanceof Fault fault) {
      throw fault.toException();
    }
    return call.handles(outcome);
  }

  /** Waits for a call; if the wait ends first, the call is cancelled. */
  private Object outcome(Calls call) {
    CancelScope around = cancel();
    CancelScope own = around == null ? CancelScope.open() : around.child();
    Variable done = new Variable();
    TensorCall task = call.plainTask(environment().in(own), done, largeElements);
    engine.push(task);
    Fault stop = task.plain() == null ? engine.awaitUses(done, around) : null;
    if (stop == null) {
      return Objects.requireNonNull(task.plain());
    }
    task.leave();
    own.cancel(Objects.requireNonNullElse(stop.reason(), CancelReason.USER), stop.message());
    return stop;
  }

  /**
   * As {@link #applyValue}, for an operation that returns a list of tensors. Any other operation is
   * refused with a value fault before it begins.
   *
   * @throws StaunchException the fault of the call, the operation or an argument
   */
  public Tensor[] applyList(String operation, Object... arguments) {
    Object value = valueOf(state.signatures.resolve(operation, arguments, Signature::misuseAsList));
    if (value instanceof List<?> list && list.stream().allMatch(Tensor.class::isInstance)) {
      return list.toArray(Tensor[]::new);
    }
    throw thrown(Fault.value(operation + " returned no list of tensors; call applyValue"));
  }

  private StaunchException thrown(Fault fault) {
    return raise(fault.withSource(UserLine.here())).toException();
  }

  private Fault raise(Fault fault) {
    return engine.raise(fault, cancel());
  }

  /**
   * Leaves {@code why} in {@code target}, for a write that could not even be prepared. Either the
   * fault is new, or something that the write needs already had it; then it stays the same fault.
   */
  Tensor fail(Tensor target, Fault why) {
    Fault known = why.source() == null ? why.withSource(UserLine.here()) : why;
    engine.push(new FailedWrite(target, known, why.reach().isKnown()).in(cancel()));
    return target;
  }

  /**
   * Runs {@code work} so that {@code cancel} cancels the operations of this context that it calls
   * on this thread, and ends its waits for tensors. Only {@code cancel} and its parent scopes are
   * checked: inside another {@code within}, pass a {@linkplain CancelScope#child child} of the
   * outer scope.
   */
  public <R> R within(CancelScope cancel, Supplier<R> work) {
    Objects.requireNonNull(cancel, "cancel");
    Objects.requireNonNull(work, "work");
    return ScopedValue.where(current, environment().in(cancel)).call(work::get);
  }

  /**
   * Runs {@code work} so that {@code owner} owns the tensors that it creates.
   *
   * @throws StaunchException.ClosedException if {@code owner} was already closed
   */
  public <R> R within(ResourceScope owner, Supplier<R> work) {
    requireOpen(owner);
    Objects.requireNonNull(work, "work");
    return ScopedValue.where(current, environment().in(owner)).call(work::get);
  }

  /**
   * Runs {@code work} in a scope of its own and closes that scope. The tensors that {@code work}
   * returns, including those in arrays, collections, maps and records, move to the enclosing scope;
   * all others that it created are released. Waits for the operations that {@code work} called on
   * this thread, and for no others, unless the {@linkplain #within(CancelScope, Supplier) enclosing
   * cancel scope} is cancelled first.
   *
   * @throws StaunchException.ClosedException if the enclosing scope was already closed
   * @throws StaunchException.CancelledException if the wait was cancelled or interrupted
   */
  public <R> R using(String name, Supplier<R> work) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(work, "work");
    return requireOpen(environment().scope())
        .using(
            name,
            inner -> {
              Variable calls = new Variable("what was called in " + name);
              CallEnvironment here = environment().in(inner, calls);
              Fault stop;
              R result;
              try {
                result = ScopedValue.where(current, here).call(work::get);
              } finally {
                stop = engine.awaitUses(calls, here.cancel);
              }
              if (stop != null) {
                throw stop.withSource(UserLine.here()).toException();
              }
              return result;
            });
  }

  /**
   * Runs {@code work} so that the operations it calls on this thread go to the workers in bulk. The
   * workers are woken once for all of them, when {@code work} returns or any thread waits for a
   * tensor. Each operation keeps its own outcome. For many medium-sized operations in a row.
   */
  public <R> R bulk(Supplier<R> work) {
    Objects.requireNonNull(work, "work");
    try (Bulk bulk = engine.bulk()) {
      return ScopedValue.where(current, environment().in(bulk)).call(work::get);
    }
  }

  private static ResourceScope requireOpen(ResourceScope owner) {
    if (Objects.requireNonNull(owner, "owner").isClosed()) {
      throw owner.closedFault().withSource(UserLine.here()).toException();
    }
    return owner;
  }

  private CallEnvironment environment() {
    return current.isBound() ? current.get() : root;
  }

  /**
   * Supplies the random numbers of this context's operations, in the order of the calls.
   *
   * @throws StaunchException.CancelledException if the wait for earlier calls was cancelled or
   *     interrupted
   */
  @Override
  public Generator generator() {
    Fault stop = engine.awaitUses(state.draws, cancel());
    if (stop != null) {
      throw stop.withSource(UserLine.here()).toException();
    }
    return state.generator;
  }

  @Override
  public void manualSeed(long seed) {
    engine.push(
        new Task(Uses.NONE.andOrdering(state.draws)) {
          @Override
          protected Object run() {
            state.generator.seed(seed);
            return DONE;
          }

          @Override
          protected boolean isSmall() {
            return true;
          }
        });
  }

  EngineContext engineContext() {
    return engine;
  }

  Signatures signatures() {
    return state.signatures;
  }

  /** The scope that ends waits of the calling thread, if there is one. */
  @Nullable CancelScope cancel() {
    return environment().cancel;
  }

  /**
   * Waits for everything called on this context, and throws the faults that have not been read.
   * Waits no longer than the enclosing {@linkplain #within(CancelScope, Supplier) scope} allows.
   */
  public void waitAll() {
    engine.waitAll(cancel());
  }

  /** As {@link #waitAll()}, but waits no longer than {@code wait} allows. */
  public void waitAll(CancelScope wait) {
    engine.waitAll(Objects.requireNonNull(wait, "wait"));
  }

  /** The number of faults that have arisen here so far. */
  public long faults() {
    return engine.faults();
  }

  /** Whether gradients are wanted; only a flag so far. */
  public boolean isGradEnabled() {
    return state.gradEnabled;
  }

  public void setGradEnabled(boolean enabled) {
    state.gradEnabled = enabled;
  }

  /** Owns the tensors created outside any other scope. */
  public ResourceScope scope() {
    return scope;
  }

  /** Bytes that this context's tensors hold. */
  public long bytes() {
    return scope.account().bytes();
  }

  /**
   * Cancels the operations that were called and have not finished, and releases all memory.
   * Operations that have not started are given up. Running kernels stop at their next poll, some
   * milliseconds later, and are waited for. Only a user's kernel that does not poll {@code
   * Environment.cancelled()} takes longer: it is left behind after {@link Engine#GRACE}, and its
   * operands stay allocated until it ends. To let the work finish, call {@link #waitAll()} first,
   * or {@link #close(Duration)}. Idempotent.
   */
  @Override
  public void close() {
    close(Duration.ZERO, Engine.GRACE);
  }

  /**
   * As {@link #close()}, but first lets the operations called so far finish for at most {@code
   * patience}, or not at all if that is negative. Returns at most a tenth of a second after that.
   * An interrupt ends the wait as if {@code patience} had passed, and the interrupt flag stays set.
   *
   * @return whether no operation is still running
   */
  public boolean close(Duration patience) {
    return close(Objects.requireNonNull(patience, "patience"), STOPPING);
  }

  private boolean close(Duration patience, Duration stopping) {
    boolean quiet = engine.close(patience, stopping);
    if (ownEngine != null) {
      ownEngine.close(quiet ? Engine.GRACE : Duration.ZERO);
    }
    scope.close();
    return quiet;
  }

  @Override
  public String toString() {
    return "context " + scope.account();
  }
}
