package dev.staunch.engine;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import dev.staunch.fault.CallSite;
import dev.staunch.fault.Fault;
import dev.staunch.fault.ProgramPoint;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Work that an {@link EngineContext} runs once it is the task's turn on all the variables that it
 * {@linkplain Uses uses}. If a variable that it reads holds a fault, or its scope is cancelled, it
 * does not run, and the variables that it would have written hold that fault instead.
 *
 * <p>A task is pushed once. {@link #run} may push further tasks and, if the task {@linkplain
 * #mayWait says so}, wait for variables. {@link #settle} is called exactly once, whatever happens.
 *
 * <p>What any of these methods throws becomes this task's fault, unless the method says otherwise.
 */
public abstract class Task {
  /** What {@link #run} returns if it has nothing to report. */
  public static final Object DONE = "done";

  private static final int WAITING = 0;
  private static final int RUNNING = 1;
  private static final int GIVEN_UP_NOW = 2;
  private static final int SETTLED = 3;
  private static final int SETTLED_GIVEN_UP = 4;
  private static final Guard.Work<Task> OUTCOME = Task::outcome;
  private static final Guard.Work<Task> HINDRANCE =
      task -> {
        Fault fault = task.hindrance();
        return fault == null ? DONE : fault;
      };
  private static final VarHandle STATE =
      fieldVarHandle(MethodHandles.lookup(), "state", VarHandle.class, Task.class, int.class);
  private static final VarHandle MISSING =
      fieldVarHandle(MethodHandles.lookup(), "missing", VarHandle.class, Task.class, int.class);
  private static final VarHandle GIVEN_UP =
      fieldVarHandle(MethodHandles.lookup(), "givenUp", VarHandle.class, Task.class, Fault.class);

  /** The program that pushed a task: accounts for it, and knows which scheduler runs it. */
  abstract static class Home extends CancelScope.Waiting {
    abstract long id();

    /** Adds a deferred task to the list of unfinished tasks. */
    abstract void list(Task task);

    /** Removes a task from that list. */
    abstract void unlist(Task task);

    /** Settles a task that ran or was skipped; its turns have not ended yet. */
    abstract void settle(Task task, Object outcome);

    /** Settles a task that was given up; it has not yet left anything in what it writes. */
    abstract void settleGivenUp(Task task, Fault why);

    /** Settles {@code task}, which is listed, if it was cancelled and has not started. */
    abstract void settleIfCancelled(Task task);

    /** Completes a new fault with its origin, and accounts for it. */
    abstract Fault arisen(Task task, Fault fault, ProgramPoint where);

    /** The fault with which tasks are refused, or null while they are accepted. */
    abstract @Nullable Fault ended();

    /** Settles the work of cancelled scopes, on behalf of a waiting thread. */
    abstract void sweepAll();

    /** Hands over a task whose turn it is. */
    abstract void ready(Task task);

    /** Called after a thread of another engine has made tasks ready here. */
    abstract void visited();

    abstract boolean isRunBy(Object scheduler);
  }

  final Uses uses;
  private int priority;
  private @Nullable CancelScope scope;

  /** What cancels the wait for this task's turn, if a thread waits for it. */
  private @Nullable CancelScope wait;

  private volatile int state = WAITING;
  private volatile int missing;
  private volatile @Nullable Fault givenUp;
  private @Nullable CallSite source;
  private @Nullable Fault failure;

  /** What a hook of this task threw before it could run. */
  private @Nullable Fault earlyFault;

  /** The position in the order of pushing; unset before that. */
  @Nullable Home home;

  long order;

  /** Whether no worker needs to be woken for this task, see {@link Bulk}. */
  boolean quiet;

  /** Numbers the tasks of a queue in the order in which their turns come. */
  long ticket;

  /** Volatile because a task may be given up while it is being queued. */
  volatile Access @Nullable [] accesses;

  @Nullable Task before;
  @Nullable Task after;
  volatile @Nullable Thread thread;

  /** Set if the task runs on the thread that waits for its turn. */
  volatile @Nullable Thread waiter;

  protected Task(Uses uses) {
    this.uses = Objects.requireNonNull(uses, "uses");
  }

  /**
   * Does the work. A returned {@link Fault} faults everything that the task writes. A returned
   * array has a fault in the place of each written variable that the task could not write, in the
   * order in which its {@link Uses} first name the variables, whether to read or to write them. Any
   * other value, such as {@link #DONE}, is success. What it throws counts as a fault.
   *
   * <p>A new failure needs a new fault. If the task returns a fault that another task left, or that
   * was already read (in this method, for instance), a distinct fault is passed on, to be read by
   * the dependents of this task.
   */
  protected abstract Object run();

  /**
   * Receives the outcome: what {@link #run} returned, or the fault because of which it did not run.
   * Called before the variables are released. Must not wait.
   */
  protected void settle(Object outcome) {}

  /** A fault among inputs other than variables, which keeps this task from running; or null. */
  protected @Nullable Fault incoming() {
    return null;
  }

  /**
   * A small task runs on the pushing thread if it is its turn at once. It must not start an
   * unbounded chain of small tasks that push small tasks.
   */
  protected boolean isSmall() {
    return false;
  }

  /**
   * What this task really does with its variables, asked when it has its turn on one of them. It
   * may turn out that the task does not need some of them, or that it does less or more than it
   * declared on a variable where it has the turn alone. Its turns remain those that it declared.
   * May be called more than once, even after the task was given up; the answer then determines
   * where it leaves its fault.
   */
  protected Uses usesInTurn() {
    return uses;
  }

  /** The fault in a variable that this task uses; call it in the task's turn. */
  protected static @Nullable Fault faultIn(Variable variable) {
    return variable.fault();
  }

  /**
   * Whether {@link #run} may wait in the engine. If a task returns false, waits nevertheless, and
   * so waits for itself, that is not detected.
   */
  protected boolean mayWait() {
    return !isSmall();
  }

  /**
   * Whether this task only observes from outside, so that it does not count as a skipped operation.
   * If this throws, the task counts.
   */
  protected boolean isObserver() {
    return false;
  }

  /** The task's name in messages; they omit it if this throws. */
  protected String name() {
    return "task " + order;
  }

  /** Called on the pushing thread when the task is deferred, before any thread can run it. */
  protected void deferred() {}

  /**
   * The line that asked for this task; called on the pushing thread, or where the task failed at
   * once. Unknown if this throws.
   */
  protected @Nullable CallSite locate() {
    return null;
  }

  /**
   * Sets the priority: among tasks whose turn it is, the highest runs first. The default is 0.
   *
   * @throws IllegalStateException if the task was already pushed
   */
  public final Task withPriority(int value) {
    requireNew();
    priority = value;
    return this;
  }

  /**
   * Sets the scope that cancels this task; none by default.
   *
   * @throws IllegalStateException if the task was already pushed
   */
  public final Task in(@Nullable CancelScope cancel) {
    requireNew();
    scope = cancel;
    return this;
  }

  final Home home() {
    return Objects.requireNonNull(home);
  }

  final void requireNew() {
    if (home != null) {
      throw new IllegalStateException(this + " was pushed before");
    }
  }

  /** Whether this is {@code other}; tasks are compared by identity. */
  @SuppressWarnings("ReferenceEquality") // identity is the point
  final boolean is(@Nullable Object other) {
    return this == other;
  }

  /** A thread waits for this task's turn, no longer than {@code cancel} allows. */
  final void waitsIn(@Nullable CancelScope cancel) {
    wait = cancel;
  }

  /** The fault that cancelled this task or the wait for its turn, or null. */
  final @Nullable Fault cancelled() {
    Fault fault = scope == null ? null : scope.checkWaiting();
    return fault == null && wait != null ? wait.checkWaiting() : fault;
  }

  /** Whether {@link #cancelled} can ever return a fault. */
  final boolean isCancellable() {
    return scope != null || wait != null;
  }

  final int priority() {
    return priority;
  }

  /** This task will not run, because of {@code why}; called before any thread could run it. */
  final void failBeforeRun(Fault why) {
    earlyFault = earlyFault == null ? why : earlyFault;
  }

  /** Remembers the line that asked for this task, while it is still on the stack. */
  final void noteSource() {
    if (source == null) {
      source = Hooks.locate(this);
    }
  }

  /** The line that asked for this task, if known. */
  protected final @Nullable CallSite source() {
    return source == null ? Hooks.locate(this) : source;
  }

  final ProgramPoint origin() {
    return ProgramPoint.of(home == null ? 0 : home.id(), order);
  }

  final void expect(int accessCount) {
    missing = accessCount;
  }

  /** Records that {@code count} accesses were granted; returns true if those were the last. */
  final boolean granted(int count) {
    return (int) MISSING.getAndAdd(this, -count) == count;
  }

  final boolean isReady() {
    return missing == 0;
  }

  /** Returns true to the one thread that may run this task. */
  final boolean start() {
    if (!STATE.compareAndSet(this, WAITING, RUNNING)) {
      return false;
    }
    thread = Thread.currentThread();
    return true;
  }

  /** True for the one thread that may give this task up with {@code why}; it then settles it. */
  final boolean giveUp(Fault why) {
    GIVEN_UP.compareAndSet(this, null, why);
    return STATE.compareAndSet(this, WAITING, GIVEN_UP_NOW);
  }

  /** Whether this task was given up or is settled: it will not be started. */
  final boolean isOver() {
    return state >= GIVEN_UP_NOW;
  }

  /** Whether this task was given up, so that it has not run and never will. */
  final boolean isGivenUp() {
    int now = state;
    return now == GIVEN_UP_NOW || now == SETTLED_GIVEN_UP;
  }

  /** The fault with which this task was given up, or null if it was not. */
  final @Nullable Fault givenUp() {
    return isGivenUp() ? givenUp : null;
  }

  /**
   * The fault to leave in {@code variable}, which held {@code held}, in the turn of this task,
   * which was given up. That is the task's own fault if it was to write the variable, unless it
   * would also have read {@code held}, which outranks it.
   */
  private @Nullable Fault leftIn(Variable variable, @Nullable Fault held) {
    Uses own = Hooks.usesInTurn(this);
    return own.writes(variable) && (held == null || !own.reads(variable)) ? givenUp() : held;
  }

  /** Replaces the fault with which this task was given up by one with its place in the order. */
  final void givenUp(Fault known) {
    givenUp = known;
  }

  final boolean isSettled() {
    return state >= SETTLED;
  }

  final boolean isRunning() {
    return state == RUNNING;
  }

  /** Called after {@link #settle}. */
  final void settled() {
    state = state == GIVEN_UP_NOW ? SETTLED_GIVEN_UP : SETTLED;
    thread = null;
    Thread waiting = waiter;
    if (waiting != null) {
      LockSupport.unpark(waiting);
    }
  }

  /** {@link #outcome}, or the fault of what it throws. */
  final Object attempt() {
    return Guard.attempt(OUTCOME, this);
  }

  /**
   * Whether it is certain, in its turn, that this task will not run. The thread that finds out can
   * then settle it without a worker.
   */
  final boolean isDoomed() {
    return Guard.attempt(HINDRANCE, this) instanceof Fault;
  }

  /** The fault that keeps this task from running in its turn; an input's own fault comes first. */
  private @Nullable Fault hindrance() {
    Fault fault = incoming();
    Uses own = usesInTurn();
    for (int i = 0; i < own.variables.length; i++) {
      Fault held = own.variables[i].fault();
      if (held != null && own.reads(i)) {
        fault = fault == null ? held : fault.merge(held);
      }
    }
    return fault == null && scope != null ? scope.check() : fault;
  }

  /** The faults that inputs already hold before this task's turn, or null. */
  final @Nullable Fault arrived() {
    Fault fault = null;
    Uses own = Hooks.usesInTurn(this);
    Access[] places = accesses;
    for (int i = 0; places != null && i < places.length; i++) {
      Variable variable = places[i].variable;
      Fault held = own.reads(variable) ? variable.faultFor(places[i]) : null;
      if (held != null) {
        fault = fault == null ? held : fault.merge(held);
      }
    }
    return fault;
  }

  /**
   * Ends the turn of a task that was given up and leaves its fault; the variable is still to be
   * released. Returns true to the one caller that does so.
   */
  final boolean letGo(Access place) {
    if (!isGivenUp() || !place.variable.claimRelease(place)) {
      return false;
    }
    if (place.writes) {
      place.variable.written(leftIn(place.variable, place.variable.fault()));
    }
    return true;
  }

  /** Runs the work, or returns the fault that keeps it from running. */
  private Object outcome() {
    Fault fault = hindrance();
    if (fault != null) {
      skipped(fault);
      return fault;
    }
    if (earlyFault != null) {
      return earlyFault;
    }
    return Outcomes.leaving(scope != null && scope.isTimed() ? timedRun(scope) : run());
  }

  /** Runs the work so that a deadline's fault can say how long it took. */
  private Object timedRun(CancelScope timed) {
    timed.begins(this);
    try {
      return run();
    } finally {
      timed.ends(this);
    }
  }

  /** A fault arose here: from now on no other task of a fail-fast scope starts. */
  final void failed(Fault fault) {
    if (scope != null && scope.failed(fault)) {
      failure = fault;
    }
  }

  /** Whether a fault that arose here has cancelled a fail-fast scope. */
  final boolean hasFailed() {
    return failure != null;
  }

  /**
   * Settles the other tasks of that scope, once everything that depends on this task has its fault.
   */
  final void sweepSiblings() {
    if (failure != null && scope != null) {
      scope.propagate(failure);
    }
  }

  /** Tells the scopes of this task in which context they find it. */
  final void enlist(CancelScope.Waiting place) {
    if (scope != null) {
      scope.enlist(place);
    }
    if (wait != null) {
      wait.enlist(place);
    }
  }

  final void skipped(Fault fault) {
    if (!Hooks.isObserver(this)) {
      fault.reach().skip();
    }
  }

  /** Leaves the faults of {@code outcome} in the variables that this task writes. */
  final void write(Object outcome) {
    int written = 0;
    Uses own = Hooks.usesInTurn(this);
    for (int i = 0; i < own.variables.length; i++) {
      if (own.writes(i)) {
        own.variables[i].written(Outcomes.fault(outcome, written++));
      }
    }
  }

  @Override
  public final String toString() {
    return Hooks.name(this);
  }
}
