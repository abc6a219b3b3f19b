package dev.staunch.execute;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Pending;
import dev.staunch.engine.Workers;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.Generator;
import dev.staunch.kernel.Interceptor;
import dev.staunch.memory.ResourceScope;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The options of one run of a plan. Immutable: each {@code with} method returns new options. */
public final class RunOptions {
  private final ResourceScope scope;
  private CancelScope cancel;
  private boolean gradEnabled;
  private Consumer<String> output = line -> {};
  private @Nullable Workers workers;
  private @Nullable Interceptor interceptor;
  private List<String> argumentNames = List.of();
  private Consumer<Fault> faultListener = fault -> {};
  private long seed = Generator.DEFAULT_SEED;
  private @Nullable StateGuard stateGuard;
  private boolean asWritten;

  private RunOptions(ResourceScope scope, CancelScope cancel) {
    this.scope = Objects.requireNonNull(scope, "scope");
    this.cancel = Objects.requireNonNull(cancel, "cancel");
  }

  private RunOptions copy() {
    RunOptions copy = new RunOptions(scope, cancel);
    copy.gradEnabled = gradEnabled;
    copy.output = output;
    copy.workers = workers;
    copy.interceptor = interceptor;
    copy.argumentNames = argumentNames;
    copy.faultListener = faultListener;
    copy.seed = seed;
    copy.stateGuard = stateGuard;
    copy.asWritten = asWritten;
    return copy;
  }

  /** No gradients, no deadline, no output, no workers, no interceptor. */
  public static RunOptions in(ResourceScope scope) {
    return in(scope, CancelScope.open());
  }

  /** As {@link #in(ResourceScope)}, with {@code cancel} to cancel the run. */
  public static RunOptions in(ResourceScope scope, CancelScope cancel) {
    return new RunOptions(scope, cancel);
  }

  public RunOptions withCancel(CancelScope other) {
    RunOptions copy = copy();
    copy.cancel = Objects.requireNonNull(other, "cancel");
    return copy;
  }

  /** The initial gradient mode; the mode before the run is always restored at the end. */
  public RunOptions withGradEnabled(boolean other) {
    RunOptions copy = copy();
    copy.gradEnabled = other;
    return copy;
  }

  /**
   * Receives the lines that the program prints or warns, on the thread that runs it; without this,
   * they are discarded. What it throws becomes the fault of the operation.
   */
  public RunOptions withOutput(Consumer<String> other) {
    RunOptions copy = copy();
    copy.output = Objects.requireNonNull(other, "output");
    return copy;
  }

  /** These run work that kernels defer; without them it runs at once, on the calling thread. */
  public RunOptions withWorkers(@Nullable Workers other) {
    RunOptions copy = copy();
    copy.workers = other;
    return copy;
  }

  /** Sees every kernel call; null for none. */
  public RunOptions withInterceptor(@Nullable Interceptor other) {
    RunOptions copy = copy();
    copy.interceptor = other;
    return copy;
  }

  /** The names of the function's last arguments in faults; may be empty. */
  public RunOptions withArgumentNames(List<String> other) {
    RunOptions copy = copy();
    copy.argumentNames = List.copyOf(other);
    return copy;
  }

  /**
   * Receives each fault once, where it arises, whether or not it is ever read; what it throws is
   * ignored.
   */
  public RunOptions withFaultListener(Consumer<Fault> other) {
    RunOptions copy = copy();
    copy.faultListener = Objects.requireNonNull(other, "faultListener");
    return copy;
  }

  /** The seed of random numbers: the same seed gives the same numbers, operation by operation. */
  public RunOptions withSeed(long other) {
    RunOptions copy = copy();
    copy.seed = other;
    return copy;
  }

  /** Is asked before state is written that may outlive the run; null for none. */
  public RunOptions withStateGuard(@Nullable StateGuard other) {
    RunOptions copy = copy();
    copy.stateGuard = other;
    return copy;
  }

  /**
   * Whether each operation runs by itself, as written. Otherwise a plan may fold one into another,
   * which changes results by rounding. A watched run always runs operations as written.
   */
  public RunOptions withOperationsAsWritten(boolean other) {
    RunOptions copy = copy();
    copy.asWritten = other;
    return copy;
  }

  /** Owns what the run creates, including results; the caller closes it. */
  public ResourceScope scope() {
    return scope;
  }

  /** Cancels the run; includes its deadline. */
  public CancelScope cancel() {
    return cancel;
  }

  public boolean gradEnabled() {
    return gradEnabled;
  }

  public Consumer<String> output() {
    return output;
  }

  public @Nullable Workers workers() {
    return workers;
  }

  /** Waits for {@code later}, or until the run is cancelled. */
  Object await(Pending later) {
    return workers == null ? later.await(cancel) : workers.await(later, cancel);
  }

  public @Nullable Interceptor interceptor() {
    return interceptor;
  }

  public List<String> argumentNames() {
    return argumentNames;
  }

  public Consumer<Fault> faultListener() {
    return faultListener;
  }

  public long seed() {
    return seed;
  }

  public boolean asWritten() {
    return asWritten;
  }

  public @Nullable StateGuard stateGuard() {
    return stateGuard;
  }
}
