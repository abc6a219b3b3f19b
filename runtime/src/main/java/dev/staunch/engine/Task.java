package dev.staunch.engine;

import dev.staunch.fault.CallSite;
import dev.staunch.fault.Fault;
import dev.staunch.fault.ProgramPoint;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Work that an {@link EngineContext} runs when it is its turn with all the variables it {@linkplain
 * Uses uses}. If one that it reads holds a fault, or its scope is cancelled, it does not run, and
 * what it would have written holds that fault instead.
 *
 * <p>Pushed once. {@link #run} may push further tasks and, unless it is {@linkplain #isSmall
 * small}, wait for variables. {@link #settle} is called exactly once, whatever happens.
 *
 * <p>What any of these methods throws is this task's fault, unless it says otherwise.
 */
public abstract class Task {
  /** What a task may return that has nothing to tell. */
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
  private static final VarHandle STATE;
  private static final VarHandle MISSING;
  private static final VarHandle GIVEN_UP;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Task.class, "state", int.class);
      MISSING = MethodHandles.lookup().findVarHandle(Task.class, "missing", int.class);
      GIVEN_UP = MethodHandles.lookup().findVarHandle(Task.class, "givenUp", Fault.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The program that pushed a task: keeps account of it, and knows who runs it. */
  abstract static class Home extends CancelScope.Waiting {
    abstract long id();

    /** Takes a task that is put off into the list of what is unfinished. */
    abstract void list(Task task);

    /** Takes a task out of that list. */
    abstract void unlist(Task task);

    /** Settles a task that ran or was skipped; its turns last on. */
    abstract void settle(Task task, Object outcome);

    /** Settles a task that was given up; it has left nothing yet in what it writes. */
    abstract void settleGivenUp(Task task, Fault why);

    /** Settles {@code task}, which is listed, if it was cancelled and has not started. */
    abstract void settleIfCancelled(Task task);

    /** Tells a fault that is new where it came from, and takes it into account. */
    abstract Fault arisen(Task task, Fault fault, ProgramPoint where);

    /** The fault with which tasks are refused from now on, or null. */
    abstract @Nullable Fault ended();

    /** Settles what belongs to cancelled scopes, for whoever waits. */
    abstract void sweepAll();

    /** Hands over a task whose turn it is. */
    abstract void ready(Task task);

    /** A thread of another engine has made tasks ready here. */
    abstract void visited();

    abstract boolean isRunBy(Object scheduler);
  }

  final Uses uses;
  private int priority;
  private @Nullable CancelScope scope;

  /** What cancels the wait for this task's turn, if somebody waits for that. */
  private @Nullable CancelScope wait;

  private volatile int state = WAITING;
  private volatile int missing;
  private volatile @Nullable Fault givenUp;
  private @Nullable CallSite source;
  private @Nullable Fault failure;

  /** What a hook of this threw before it could run. */
  private @Nullable Fault earlyFault;

  /** Where this was pushed; null before. */
  @Nullable Home home;

  long order;

  /** Whether nobody needs to be woken for this, see {@link Bulk}. */
  boolean quiet;

  /** Counts the tasks of a queue as their turn comes. */
  long ticket;

  /** Volatile, for a task may be given up while it is being queued. */
  volatile Access @Nullable [] accesses;

  @Nullable Task before;
  @Nullable Task after;
  volatile @Nullable Thread thread;

  /** Set for a task that runs on the thread that waits for its turn. */
  volatile @Nullable Thread waiter;

  protected Task(Uses uses) {
    this.uses = Objects.requireNonNull(uses, "uses");
  }

  /**
   * Does the work. Returns a {@link Fault} to fault all it writes, an array that has a fault in the
   * place of each written variable that it could not write, in the order in which its {@link Uses}
   * first name them, be it as read, or anything else, {@link #DONE} for one, if all is well. What
   * it throws counts as a fault. What fails anew makes a new one: a fault that another task left,
   * or that was read, here for instance, is another when this hands it out again, to be read by
   * those who depend on this.
   */
  protected abstract Object run();

  /**
   * Takes the outcome: what {@link #run} returned, or the fault because of which it did not run.
   * Called before the variables are given up. Must not wait.
   */
  protected void settle(Object outcome) {}

  /** A fault among inputs that are no variables, which keeps this from running; or null. */
  protected @Nullable Fault incoming() {
    return null;
  }

  /**
   * Small tasks run on the pushing thread if it is their turn at once. They must not wait in the
   * engine, nor push small tasks that push small tasks without end.
   */
  protected boolean isSmall() {
    return false;
  }

  /**
   * What this does with its variables after all, asked when it is its turn with one of them: it may
   * turn out that it has nothing to do with some, or does less or more than it declared where it
   * takes its turn alone. Its turns stay those that it declared. May be asked more than once, also
   * when this was given up; what it answers then is what it leaves.
   */
  protected Uses usesInTurn() {
    return uses;
  }

  /** The fault that a variable holds which this uses; when it is this task's turn. */
  protected static @Nullable Fault faultIn(Variable variable) {
    return variable.fault();
  }

  /**
   * Whether {@link #run} may wait in the engine. If a task that says no waits nevertheless, and for
   * itself, that is not noticed.
   */
  protected boolean mayWait() {
    return !isSmall();
  }

  /**
   * Whether this is a look from outside, which does not count as a skipped operation. One that
   * throws counts.
   */
  protected boolean isObserver() {
    return false;
  }

  /** What messages call this; they do without if it throws. */
  protected String name() {
    return "task " + order;
  }

  /** Called on the pushing thread when the task is put off, before anybody can run it. */
  protected void deferred() {}

  /**
   * The line that asked for this; called on the pushing thread, or where it failed at once. Not
   * known if this throws.
   */
  protected @Nullable CallSite locate() {
    return null;
  }

  /**
   * The higher, the earlier among tasks whose turn it is. The default is 0.
   *
   * @throws IllegalStateException if it was pushed before
   */
  public final Task withPriority(int value) {
    requireNew();
    priority = value;
    return this;
  }

  /**
   * What cancels this; none by default.
   *
   * @throws IllegalStateException if it was pushed before
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

  /** Whether this is {@code other}; tasks are told apart by identity. */
  @SuppressWarnings("ReferenceEquality") // identity is the point
  final boolean is(@Nullable Object other) {
    return this == other;
  }

  /** Somebody waits for this task's turn, no longer than {@code cancel} allows. */
  final void waitsIn(@Nullable CancelScope cancel) {
    wait = cancel;
  }

  /** What cancelled this or the wait for its turn, or null. */
  final @Nullable Fault cancelled() {
    Fault fault = scope == null ? null : scope.checkWaiting();
    return fault == null && wait != null ? wait.checkWaiting() : fault;
  }

  /** Whether it makes sense to look for {@link #cancelled}. */
  final boolean isCancellable() {
    return scope != null || wait != null;
  }

  final int priority() {
    return priority;
  }

  final @Nullable CancelScope scope() {
    return scope;
  }

  /** This will not run, because of {@code why}; said before anybody could run it. */
  final void failBeforeRun(Fault why) {
    earlyFault = earlyFault == null ? why : earlyFault;
  }

  /** Remembers the line that asked for this, while that is still on the stack. */
  final void noteSource() {
    if (source == null) {
      source = Hooks.locate(this);
    }
  }

  /** The line that asked for this, if it is known. */
  protected final @Nullable CallSite source() {
    return source == null ? Hooks.locate(this) : source;
  }

  final ProgramPoint origin() {
    return ProgramPoint.of(home == null ? 0 : home.id(), order);
  }

  final void expect(int accessCount) {
    missing = accessCount;
  }

  /** Notes that {@code count} of the accesses were granted; true if that were the last. */
  final boolean granted(int count) {
    return (int) MISSING.getAndAdd(this, -count) == count;
  }

  final boolean isReady() {
    return missing == 0;
  }

  /** True for the one who may run this. */
  final boolean start() {
    if (!STATE.compareAndSet(this, WAITING, RUNNING)) {
      return false;
    }
    thread = Thread.currentThread();
    return true;
  }

  /** True for the one who may give this up, with {@code why}, and then settles it. */
  final boolean giveUp(Fault why) {
    GIVEN_UP.compareAndSet(this, null, why);
    return STATE.compareAndSet(this, WAITING, GIVEN_UP_NOW);
  }

  /** Whether this was given up, or is settled: nobody will start it. */
  final boolean isOver() {
    return state >= GIVEN_UP_NOW;
  }

  /** Whether this was given up, and so will not run nor has run. */
  final boolean isGivenUp() {
    int now = state;
    return now == GIVEN_UP_NOW || now == SETTLED_GIVEN_UP;
  }

  /** The fault with which this was given up; or null, if it was not. */
  final @Nullable Fault givenUp() {
    return isGivenUp() ? givenUp : null;
  }

  /**
   * The fault that there is in {@code variable}, where {@code held} was, now that it is the turn of
   * this, which was given up: its own if it was to write that, unless it would have read the other,
   * which outranks it.
   */
  private @Nullable Fault leftIn(Variable variable, @Nullable Fault held) {
    Uses own = Hooks.usesInTurn(this);
    return own.writes(variable) && (held == null || !own.reads(variable)) ? givenUp() : held;
  }

  /** The fault with which this was given up, now with its place. */
  final void givenUp(Fault known) {
    givenUp = known;
  }

  final boolean isSettled() {
    return state >= SETTLED;
  }

  final boolean isRunning() {
    return state == RUNNING;
  }

  /** {@link #settle} was called. */
  final void settled() {
    state = state == GIVEN_UP_NOW ? SETTLED_GIVEN_UP : SETTLED;
    thread = null;
    Thread waiting = waiter;
    if (waiting != null) {
      LockSupport.unpark(waiting);
    }
  }

  /** {@link #outcome}, or the fault of whatever it throws. */
  final Object attempt() {
    return Guard.attempt(OUTCOME, this);
  }

  /**
   * Whether it is certain, when it is its turn, that this will not run: it can then be settled by
   * whoever finds out, without a worker.
   */
  final boolean isDoomed() {
    return Guard.attempt(HINDRANCE, this) instanceof Fault;
  }

  /** The fault that keeps this from running, when it is its turn; an input's own comes first. */
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

  /** Faults of inputs that are there although it is not yet this task's turn, or null. */
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
   * Ends the turn of a task given up and leaves what it has to; the variable is still to be
   * released. True for the one caller who does so.
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

  /** Runs the work, or tells the fault that keeps it from running. */
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

  /** Runs so that a deadline's fault can say how long this took. */
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

  /** Settles those others, once what depends on this has this one's fault. */
  final void sweepSiblings() {
    if (failure != null && scope != null) {
      scope.propagate(failure);
    }
  }

  /** Tells the scopes that there are in which context they find this. */
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

  /** Leaves what {@code outcome} says in the variables that this writes. */
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
