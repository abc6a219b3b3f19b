package dev.staunch.engine;

import dev.staunch.fault.Fault;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Decides which thread runs a task whose turn it is, and when. What all schedulers share is here:
 * what a turn is, which task gets the next one, and what a finished task leaves behind.
 */
abstract class Scheduler {
  private static final long SETTLING_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Whether small tasks whose turn it is at once have finished when {@link #push} returns. */
  final boolean runsSmallAtOnce;

  Scheduler(boolean runsSmallAtOnce) {
    this.runsSmallAtOnce = runsSmallAtOnce;
  }

  /** Takes a task that was pushed. */
  abstract void push(Task task);

  /**
   * Waits for the task's turn and runs it on the calling thread, or gives it up with the fault that
   * ended the wait. On return the task is settled.
   */
  abstract void here(Task task, @Nullable CancelScope wait);

  /**
   * Waits until {@code context} has no unfinished task before {@code order}; returns the fault that
   * ended the wait early, or null.
   */
  abstract @Nullable Fault drain(
      Task.Home context, Unfinished unfinished, long order, @Nullable CancelScope wait);

  /** Takes a task whose turn it is. */
  abstract void ready(Task task);

  /** Ensures that a worker takes tasks that were pushed quietly. */
  abstract void wake();

  /** Called after a thread of another engine has made tasks ready here. */
  abstract void visited();

  /** A context has ended: no thread will push or wait there any more. */
  abstract void ended();

  /** Ends the threads; running tasks may continue until {@code grace} has passed. */
  abstract void close(Duration grace);

  /** Runs a task whose turn it is, unless it was given up meanwhile. */
  final void run(Task task) {
    if (task.start()) {
      complete(task, task.attempt());
    }
  }

  /** As {@link #run}; on return the task is settled, whichever thread settled it. */
  final void finish(Task task) {
    run(task);
    while (!task.isSettled()) {
      LockSupport.parkNanos(this, SETTLING_NANOS); // another thread is giving it up at this moment
    }
  }

  /** Takes all turns of the task if each is available at once. */
  final boolean tryTake(Task task) {
    Uses uses = task.uses;
    for (int i = 0; i < uses.variables.length; i++) {
      if (!uses.variables[i].tryTake(task, uses.exclusive(i))) {
        for (int j = 0; j < i; j++) {
          handOn(uses.variables[j].release(uses.exclusive(j)));
        }
        return false;
      }
    }
    return true;
  }

  /**
   * Puts the task into the queues of all its variables at once, so that two tasks have the same
   * order in every queue that they share (E2). Returns true if it is already the task's turn.
   */
  final boolean enqueue(Task task) {
    Uses uses = task.uses;
    int count = uses.variables.length;
    Access[] accesses = new Access[count];
    for (int i = 0; i < count; i++) {
      accesses[i] = new Access(task, uses.variables[i], uses.exclusive(i), uses.writes(i));
    }
    Arrays.sort(accesses, Comparator.comparingLong(access -> access.variable.id()));
    task.expect(count);
    task.accesses = accesses;
    int granted = 0;
    for (Access access : accesses) {
      access.variable.lock();
    }
    for (Access access : accesses) {
      granted += access.variable.append(access) ? 1 : 0;
    }
    for (Access access : accesses) {
      access.variable.unlock();
    }
    if (task.isOver()) {
      giveBack(task); // given up before it was in all queues
      return false;
    }
    return task.granted(granted) && (granted > 0 || count == 0);
  }

  /** Puts a task into its queues; another thread runs it when it is its turn. */
  final void defer(Task task) {
    Task.Home context = task.home();
    context.list(task);
    if (enqueue(task)) {
      handOn(arrive(task));
    } else {
      context.settleIfCancelled(task);
    }
  }

  /** Settles a task that ran or was skipped, and ends its turns. */
  final void complete(Task task, Object outcome) {
    handOn(end(task, outcome));
    task.sweepSiblings();
  }

  /**
   * As {@link #complete}; returns the accesses that this granted, which the caller has to hand on.
   */
  private static @Nullable Access end(Task task, Object outcome) {
    Task.Home context = task.home();
    context.settle(task, outcome);
    Access[] accesses = task.accesses;
    Access granted = null;
    if (accesses == null) {
      Uses uses = task.uses;
      for (int i = 0; i < uses.variables.length; i++) {
        granted = join(uses.variables[i].release(uses.exclusive(i)), granted);
      }
      return granted;
    }
    for (Access access : accesses) {
      if (access.variable.claimRelease(access)) {
        granted = join(access.variable.release(access.exclusive), granted);
      }
    }
    context.unlist(task);
    return granted;
  }

  /**
   * As {@link #giveUp}, for a task that was cancelled: a fault that an input already holds outranks
   * the cancellation (C2).
   */
  final boolean cancel(Task task, Fault why) {
    Fault own = task.arrived();
    return giveUp(task, own == null ? why : own);
  }

  /**
   * Gives up a task that has not started. It is settled with {@code why} now; the turns that it has
   * end now, the others as they come (C3). Returns false if it has started or is settled.
   */
  final boolean giveUp(Task task, Fault why) {
    if (!task.giveUp(why)) {
      return false;
    }
    Task.Home context = task.home();
    Fault known = context.arisen(task, why, task.origin());
    task.givenUp(known);
    task.skipped(known);
    context.settleGivenUp(task, known);
    giveBack(task);
    context.unlist(task);
    task.sweepSiblings();
    return true;
  }

  /** Ends the turns of a task that it no longer needs, before the task has started. */
  final void giveBack(Task task) {
    Access[] accesses = task.accesses;
    for (int i = 0; accesses != null && i < accesses.length; i++) {
      handOn(abandon(accesses[i]));
    }
  }

  /**
   * Hands turns on, including those of each task that will not run. A loop, never recursion,
   * because a whole long queue may end at once.
   */
  final void handOn(@Nullable Access first) {
    Access rest = first;
    Task.Home other = null;
    while (rest != null) {
      Access access = rest;
      rest = access.next;
      access.next = null;
      rest = join(abandon(access), rest);
      if (!access.task.isOver() && access.task.granted(1)) {
        rest = join(arrive(access.task), rest);
        Task.Home home = access.task.home();
        other = home.isRunBy(this) ? other : home;
      }
    }
    if (other != null) {
      other.visited();
    }
  }

  /**
   * Called when it is the turn of {@code task}. A task that will not run is settled here and now,
   * because all workers may be busy with work that never ends (C3). Returns the accesses that this
   * granted.
   */
  private @Nullable Access arrive(Task task) {
    if (task.waiter == null && task.isDoomed() && task.start()) {
      Access granted = end(task, task.attempt());
      if (!task.hasFailed()) {
        return granted;
      }
      handOn(granted);
      task.sweepSiblings();
      return null;
    }
    task.home().ready(task); // engines may share variables; each engine runs its own tasks
    return null;
  }

  private static @Nullable Access abandon(Access access) {
    return access.task.letGo(access) ? access.variable.release(access.exclusive) : null;
  }

  private static @Nullable Access join(@Nullable Access front, @Nullable Access back) {
    if (front == null) {
      return back;
    }
    Access last = front;
    while (last.next != null) {
      last = last.next;
    }
    last.next = back;
    return front;
  }
}
