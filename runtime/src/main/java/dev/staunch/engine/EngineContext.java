package dev.staunch.engine;

import dev.staunch.fault.CallSite;
import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultCategory;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.ProgramPoint;
import dev.staunch.fault.StaunchException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One program's view of an engine: the order in which it pushed its tasks, and the faults that
 * resulted. {@link #waitAll} waits for this program's tasks and throws its faults, and no others.
 * Thread-safe. If several threads push through one context, they determine the order between them.
 */
public final class EngineContext extends Task.Home implements AutoCloseable {
  private final Engine engine;
  private final Scheduler scheduler;
  private final long id;
  private final String name;
  private final UnreadFaults unread;
  private final AtomicLong nextOrder = new AtomicLong();
  private final Unfinished unfinished = new Unfinished();
  private volatile @Nullable Fault closing;
  private volatile @Nullable Fault ended;

  EngineContext(Engine engine, long id, String name, UnreadFaults unread) {
    this.engine = engine;
    this.id = id;
    this.name = Objects.requireNonNull(name, "name");
    this.unread = unread;
    this.scheduler = engine.scheduler();
  }

  @Override
  long id() {
    return id;
  }

  public Engine engine() {
    return engine;
  }

  /**
   * Puts {@code task} into the queues of the variables that it uses, and returns.
   *
   * @throws IllegalStateException if it was already pushed
   */
  public void push(Task task) {
    Guard.ROOM.require();
    pushNow(task);
  }

  private void pushNow(Task task) {
    bind(task);
    Fault end = ended;
    if (end != null) {
      refuse(task, end);
      return;
    }
    scheduler.push(task);
    Fault meanwhile = ended;
    if (meanwhile != null) {
      scheduler.giveUp(task, meanwhile);
    }
  }

  /** Begins to push tasks in bulk. */
  public Bulk bulk() {
    return new Bulk(this::pushQuietly, scheduler::wake);
  }

  /** As {@link #push}, but wakes no worker for a task whose turn it is at once. */
  void pushQuietly(Task task) {
    Guard.ROOM.require();
    task.requireNew();
    task.quiet = true;
    pushNow(task);
    task.quiet = false; // a thread that brings its turn from now on wakes a worker
  }

  void bind(Task task) {
    task.requireNew();
    task.home = this;
    task.order = nextOrder.getAndIncrement();
  }

  /** Settles a task that was pushed too late; what it would have written stays as it is. */
  private void refuse(Task task, Fault end) {
    if (task.giveUp(end)) {
      task.skipped(end);
      settleGivenUp(task, end);
    }
  }

  /** Settles a task that was given up; it has not yet left anything in what it writes. */
  @Override
  void settleGivenUp(Task task, Fault why) {
    Guard.run(given -> given.settle(why), task);
    task.settled();
  }

  /** The fault with which tasks are refused, or null while they are accepted. */
  @Override
  @Nullable Fault ended() {
    return ended;
  }

  /** From now on every task is refused, with {@code why}. */
  void end(Fault why) {
    if (ended == null) {
      ended = why;
    }
  }

  /**
   * Runs {@code task} on the calling thread when it is its turn. Returns when the task is settled.
   * If {@code wait} is cancelled, its deadline passes or the thread is interrupted, the task is
   * settled with a fault that says so. All three end only the wait for a turn: a turn that is
   * available at once is taken, and only the task's own scope ends a running task.
   */
  public void runHere(Task task, @Nullable CancelScope wait) {
    Guard.ROOM.require();
    bind(task);
    Fault end = ended;
    if (end == null) {
      scheduler.here(task, wait);
    } else {
      refuse(task, end);
    }
  }

  /**
   * Whether the calling thread may do small work at once, in place of a task in {@code cancel}. It
   * reads a variable between {@link #tryRead} and {@link #endRead}, or between two {@linkplain
   * Variable#stamp stamps}.
   *
   * @throws StackOverflowError if the stack has no room for that
   */
  public boolean runsHere(@Nullable CancelScope cancel) {
    Guard.ROOM.require();
    return ended == null
        && scheduler.runsSmallAtOnce
        && (cancel == null || (!cancel.isTimed() && cancel.check() == null));
  }

  /** Takes a turn to read {@code variable} if one is available at once and it holds no fault. */
  public boolean tryRead(Variable variable) {
    if (!variable.tryRead()) {
      return false;
    }
    if (variable.fault() != null) {
      endRead(variable);
      return false;
    }
    return true;
  }

  /** Ends a turn taken with {@link #tryRead}. */
  public void endRead(Variable variable) {
    Access granted = variable.release(false);
    if (granted != null) {
      scheduler.handOn(granted);
    }
  }

  /**
   * Waits until the writes of {@code variable} pushed so far have finished. Returns the fault that
   * the last of them left, or the one that ended the wait, or null. Marks the fault as read.
   */
  public @Nullable Fault await(Variable variable, @Nullable CancelScope wait) {
    return see(new Look(Uses.reading(variable), variable), wait);
  }

  private @Nullable Fault see(Look look, @Nullable CancelScope wait) {
    runHere(look, wait);
    Fault seen = look.seen;
    if (seen != null) {
      seen.markRead();
    }
    return seen;
  }

  /**
   * Waits until all uses of {@code variable} pushed so far are over. Returns the fault that ended
   * the wait early, or null.
   */
  public @Nullable Fault awaitUses(Variable variable, @Nullable CancelScope wait) {
    Fault stop = see(new Look(Uses.NONE.andOrdering(variable), variable), wait);
    if (stop != null) {
      sweep(); // settles what was cancelled together with the wait
    }
    return variable.isIdle() ? null : stop;
  }

  /** As {@link #await}, but throws the fault. @throws StaunchException the fault */
  public void waitFor(Variable variable) {
    throwIfAny(await(variable, null));
  }

  /**
   * Waits until everything pushed here so far has finished, and throws the faults that have not
   * been read: the first in program order, with the others suppressed.
   *
   * @throws StaunchException the first fault, or the one that ended the wait
   */
  public void waitAll() {
    waitAll(null);
  }

  /** As {@link #waitAll()}, but waits only as long as {@code wait} is not cancelled. */
  public void waitAll(@Nullable CancelScope wait) {
    throwIfAny(drain(wait));
    List<Fault> faults = unread.takeAll();
    if (!faults.isEmpty()) {
      throw Fault.joined(faults).toException();
    }
  }

  /** Waits for everything pushed here so far, and leaves its faults unread. */
  public void awaitPushed() {
    throwIfAny(drain(null));
  }

  private static void throwIfAny(@Nullable Fault stop) {
    if (stop != null) {
      throw stop.toException();
    }
  }

  @Nullable Fault drain(@Nullable CancelScope wait) {
    Guard.ROOM.require();
    return scheduler.drain(this, unfinished, nextOrder.get(), wait);
  }

  /** The number of faults that have arisen here so far, read or not. */
  public long faults() {
    return unread.arisen();
  }

  /** The number of faults handed to the handler because they were not read. */
  public long unreadFaults() {
    return unread.handedOver();
  }

  /** Settles a task that ran or was skipped; its turns have not ended yet. */
  @Override
  void settle(Task task, Object outcome) {
    Object known = accounted(task, outcome);
    Fault thrown = Guard.run(given -> given.settle(known), task);
    task.write(thrown == null ? known : accounted(task, thrown, task.origin()));
    task.settled();
  }

  /** Not a switch over patterns: the JVM does not always inline those, at ten times the cost. */
  private Object accounted(Task task, Object outcome) {
    if (outcome instanceof Fault fault) {
      return accounted(task, fault, task.origin());
    }
    return outcome instanceof Object[] parts ? accounted(task, parts) : outcome;
  }

  /** A failure that takes several results with it stays one fault. */
  private Object[] accounted(Task task, Object[] parts) {
    Object[] known = parts.clone();
    for (int i = 0; i < known.length; i++) {
      if (known[i] instanceof Fault fault) {
        Fault own = accounted(task, fault, task.origin().then(i));
        Arrays.asList(known).replaceAll(each -> each == fault ? own : each);
      }
    }
    return known;
  }

  /** As {@link #arisen}; the fault is returned even if it cannot be accounted for. */
  private Fault accounted(Task task, Fault fault, ProgramPoint where) {
    return Guard.attempt(given -> arisen(task, given, where), fault) instanceof Fault known
            && known.isSameAs(fault)
        ? known
        : fault;
  }

  /**
   * Accounts for a fault that arose outside any task, such as in a value that the program brought
   * along. The returned fault has its place in program order.
   *
   * @param scope the scope in which it arose; if that is fail-fast, this cancels its siblings
   */
  public Fault raise(Fault fault, @Nullable CancelScope scope) {
    Guard.ROOM.require();
    if (!fault.reach().markKnown()) {
      return fault;
    }
    Fault known = fault.withOrigin(ProgramPoint.of(id, nextOrder.getAndIncrement()));
    unread.add(known);
    if (scope != null && known.category() != FaultCategory.CANCELLED && scope.failed(known)) {
      scope.propagate(known);
    }
    return known;
  }

  /** Completes a new fault with its origin, and accounts for it. */
  @Override
  Fault arisen(Task task, Fault fault, ProgramPoint where) {
    if (!fault.reach().markKnown()) {
      return fault;
    }
    Fault known = fault.withOrigin(where);
    if (known.type() == FaultType.INTERNAL && known.operation() == null) {
      known = known.withOperation(task.toString(), List.of());
    }
    CallSite site = known.source() == null ? task.source() : null;
    known = site == null ? known : known.withSource(site.source());
    unread.add(known);
    if (known.category() != FaultCategory.CANCELLED) {
      task.failed(known);
    }
    return known;
  }

  void defer(Task task) {
    if (engine.options().noteSources()) {
      task.noteSource();
    }
    Hooks.deferred(task);
  }

  /** Adds a deferred task to the list of unfinished tasks. */
  @Override
  void list(Task task) {
    defer(task);
    task.enlist(this);
    unfinished.add(task);
  }

  /** Whether no deferred task waits or runs. */
  boolean isQuiet() {
    return unfinished.all().isEmpty();
  }

  Unfinished unfinished() {
    return unfinished;
  }

  @Override
  void unlist(Task task) {
    unfinished.remove(task);
  }

  @Override
  void sweepAll() {
    engine.sweep();
  }

  @Override
  void ready(Task task) {
    scheduler.ready(task);
  }

  @Override
  void visited() {
    scheduler.visited();
  }

  @Override
  boolean isRunBy(Object other) {
    return scheduler.equals(other);
  }

  /** Settles the work of cancelled scopes that has not started. */
  @Override
  void sweep() {
    unfinished.cancellable().forEach(this::settleIfCancelled);
  }

  /** Settles {@code task}, which is listed, if it was cancelled and has not started. */
  @Override
  void settleIfCancelled(Task task) {
    Fault fault = task.isCancellable() ? task.cancelled() : null;
    if (fault != null) {
      scheduler.cancel(task, fault);
    }
  }

  /** Settles all tasks that have not started. */
  void giveUpAll(Fault why) {
    for (Task task : unfinished.all()) {
      scheduler.cancel(task, why);
    }
  }

  /** As {@link #close(Duration, Duration)}, with {@link Engine#GRACE} to finish and no more. */
  @Override
  public void close() {
    close(Engine.GRACE, Duration.ZERO);
  }

  /**
   * Lets pushed tasks finish for at most {@code patience}. Then gives up those that have not
   * started, with a fault that need not be read, and lets running tasks notice {@link #closing} for
   * at most {@code stopping}. From then on all work is refused. Hands unread faults to the engine's
   * handler.
   *
   * @return whether no task is still running
   */
  public boolean close(Duration patience, Duration stopping) {
    Guard.ROOM.require();
    boolean quiet = drain(CancelScope.withDeadline(patience)) == null;
    if (!quiet) {
      Fault why = Fault.cancelled(CancelReason.SHUTDOWN, "the context " + name + " was closed");
      why.markRead(); // the caller of close knows
      closing = why;
      giveUpAll(why);
      quiet = drain(CancelScope.withDeadline(stopping)) == null;
    }
    end(Fault.of(FaultType.CLOSED, "the context " + name + " was closed before this use"));
    Fault why = closing;
    if (why != null) {
      giveUpAll(why); // tasks pushed meanwhile
    }
    scheduler.ended();
    engine.forget(this);
    tellUnread(Engine.TELLING);
    return quiet || isQuiet();
  }

  /** Why a running task should stop: this is being closed and has waited long enough; or null. */
  public @Nullable Fault closing() {
    return closing;
  }

  /** Refuses new tasks and gives up those that have not started. */
  void shutDown(Fault why) {
    end(why);
    giveUpAll(why);
  }

  /** Hands unread faults to the handler: those present, and all that arise from now on. */
  void tellUnread(Duration most) {
    List<Fault> left = unread.close();
    boolean elsewhere = unread.isToldElsewhere();
    if (elsewhere || !left.isEmpty()) {
      engine.watch().tell(() -> unread.handOver(left, elsewhere), most);
    }
  }

  @Override
  public String toString() {
    return name;
  }

  /** Looks at the fault of a variable in its turn. */
  private static final class Look extends Task {
    private final Variable variable;
    @Nullable Fault seen;

    Look(Uses uses, Variable variable) {
      super(uses);
      this.variable = variable;
    }

    @Override
    protected Object run() {
      return DONE;
    }

    @Override
    protected boolean isObserver() {
      return true;
    }

    @Override
    protected void settle(Object outcome) {
      seen = outcome instanceof Fault fault ? fault : null;
    }

    @Override
    protected boolean isSmall() {
      return true;
    }

    @Override
    protected String name() {
      return "a read of " + variable;
    }
  }

  /** Runs pieces of single operations: the calling thread alone, unless there are workers. */
  public Processors processors() {
    boolean threaded = engine.options().mode() == EngineOptions.Mode.THREADED;
    return threaded ? Processors.ofProcess() : Processors.ofCaller();
  }
}
