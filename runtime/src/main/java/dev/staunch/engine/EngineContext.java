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
 * One program's view of an engine: the order in which it pushed its tasks, and the faults that came
 * of them. {@link #waitAll} waits for its own tasks and throws its own faults, nobody else's.
 * Thread-safe; several threads may push through one context, in an order that is then theirs.
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
   * Gives {@code task} its place in the order of what it uses, and returns.
   *
   * @throws IllegalStateException if it was pushed before
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

  /** As {@link #push}, but wakes nobody for a task whose turn it is at once. */
  void pushQuietly(Task task) {
    Guard.ROOM.require();
    task.requireNew();
    task.quiet = true;
    pushNow(task);
    task.quiet = false; // who brings its turn from now on wakes somebody
  }

  void bind(Task task) {
    task.requireNew();
    task.home = this;
    task.order = nextOrder.getAndIncrement();
  }

  /** Settles a task that came too late; what it would have written stays as it is. */
  private void refuse(Task task, Fault end) {
    if (task.giveUp(end)) {
      task.skipped(end);
      settleGivenUp(task, end);
    }
  }

  /** Settles a task that was given up; it has left nothing yet in what it writes. */
  @Override
  void settleGivenUp(Task task, Fault why) {
    Guard.run(given -> given.settle(why), task);
    task.settled();
  }

  /** The fault with which tasks are refused from now on, or null. */
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
   * Runs {@code task} on the calling thread when it is its turn; returns when it is settled, also
   * because {@code wait} was cancelled, its deadline passed or the thread was interrupted, each of
   * which settles the task with the fault that says so. Those end the wait for a turn alone: a turn
   * that is there at once is taken, and a task that runs is only ended by its own scope.
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
   * Whether the calling thread may do small work at once, in place of a task in {@code cancel}:
   * what it reads it reads between {@link #tryRead} and {@link #endRead}, or two {@linkplain
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

  /** Takes a turn to read {@code variable}, if that is free at once and holds no fault. */
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

  /** Ends a turn that {@link #tryRead} took. */
  public void endRead(Variable variable) {
    Access granted = variable.release(false);
    if (granted != null) {
      scheduler.handOn(granted);
    }
  }

  /**
   * Waits until the writes of {@code variable} that were pushed before are finished; returns the
   * fault that the last left, or the one that ended the wait, or null. Counts as reading it.
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
   * Waits until all uses of {@code variable} that were pushed before are over; returns the fault
   * that ended the wait before that, or null.
   */
  public @Nullable Fault awaitUses(Variable variable, @Nullable CancelScope wait) {
    Fault stop = see(new Look(Uses.NONE.andOrdering(variable), variable), wait);
    if (stop != null) {
      sweep(); // what was cancelled together with the wait
    }
    return variable.isIdle() ? null : stop;
  }

  /** As {@link #await}, but throws what it finds. @throws StaunchException the fault */
  public void waitFor(Variable variable) {
    throwIfAny(await(variable, null));
  }

  /**
   * Waits until everything that was pushed here before is finished, and throws the faults that
   * nobody has read: the first in program order, with the others suppressed.
   *
   * @throws StaunchException the first fault, or the one that ended the wait
   */
  public void waitAll() {
    waitAll(null);
  }

  /** As {@link #waitAll()}, for at most as long as {@code wait} is not cancelled. */
  public void waitAll(@Nullable CancelScope wait) {
    throwIfAny(drain(wait));
    List<Fault> faults = unread.takeAll();
    if (!faults.isEmpty()) {
      throw Fault.joined(faults).toException();
    }
  }

  /** Waits for everything that was pushed here before, and leaves its faults alone. */
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

  /** Faults that have arisen here so far, read or not. */
  public long faults() {
    return unread.arisen();
  }

  /** Faults that were handed to the handler, because nobody has read them. */
  public long unreadFaults() {
    return unread.handedOver();
  }

  /** Settles a task that ran or was skipped; its turns last on. */
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

  /** A failure that takes several results stays one fault. */
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

  /** As {@link #arisen}; a fault stays a fault even if the account cannot be kept. */
  private Fault accounted(Task task, Fault fault, ProgramPoint where) {
    return Guard.attempt(given -> arisen(task, given, where), fault) instanceof Fault known
            && known.isSameAs(fault)
        ? known
        : fault;
  }

  /**
   * Takes account of a fault that arose outside of any task, such as in a value that the program
   * brought along. The result says where in program order it belongs.
   *
   * @param scope the scope in which it arose, whose siblings it cancels if that is fail-fast
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

  /** Tells a fault that is new where it came from, and takes it into account. */
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

  /** Takes a task that is put off into the list of what is unfinished. */
  @Override
  void list(Task task) {
    defer(task);
    task.enlist(this);
    unfinished.add(task);
  }

  /** Whether nothing that was put off waits or runs. */
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

  /** Settles what belongs to cancelled scopes and has not started. */
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

  /** Settles everything that has not started. */
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
   * Lets pushed tasks finish for at most {@code patience}, then gives up those that have not
   * started, with a fault that nobody needs to read, and lets those that run notice {@link
   * #closing} for at most {@code stopping}. From then on work is refused. Hands faults that nobody
   * has read to the engine's handler.
   *
   * @return whether no task is still running
   */
  public boolean close(Duration patience, Duration stopping) {
    Guard.ROOM.require();
    boolean quiet = drain(CancelScope.withDeadline(patience)) == null;
    if (!quiet) {
      Fault why = Fault.cancelled(CancelReason.SHUTDOWN, "the context " + name + " was closed");
      why.markRead(); // whoever closes this knows
      closing = why;
      giveUpAll(why);
      quiet = drain(CancelScope.withDeadline(stopping)) == null;
    }
    end(Fault.of(FaultType.CLOSED, "the context " + name + " was closed before this use"));
    Fault why = closing;
    if (why != null) {
      giveUpAll(why); // what came meanwhile
    }
    scheduler.ended();
    engine.forget(this);
    tellUnread(Engine.TELLING);
    return quiet || isQuiet();
  }

  /** Why a task that runs should stop: this is being closed and has waited long enough; or null. */
  public @Nullable Fault closing() {
    return closing;
  }

  /** Refuses and gives up everything that has not started. */
  void shutDown(Fault why) {
    end(why);
    giveUpAll(why);
  }

  /** Hands over what nobody has read, now and whatever arises from now on. */
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

  /** Looks at the fault of a variable when it is its turn. */
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

  /** Who takes pieces of single operations: the calling thread alone, unless there are workers. */
  public Processors processors() {
    boolean threaded = engine.options().mode() == EngineOptions.Mode.THREADED;
    return threaded ? Processors.ofProcess() : Processors.ofCaller();
  }
}
