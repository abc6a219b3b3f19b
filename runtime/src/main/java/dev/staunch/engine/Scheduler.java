package dev.staunch.engine;

import dev.staunch.fault.Fault;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Decides which thread runs a task whose turn it is, and when. What a turn is, who gets the next
 * one and what a finished task leaves behind is the same for all of them, and is here.
 */
abstract class Scheduler {
  private static final long SETTLING_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Whether small work that has its turn at once is over when {@link #push} returns. */
  final boolean runsSmallAtOnce;

  Scheduler(boolean runsSmallAtOnce) {
    this.runsSmallAtOnce = runsSmallAtOnce;
  }

  /** Takes a task that was pushed. */
  abstract void push(Task task);

  /**
   * Waits for the task's turn and runs it on the calling thread, or gives it up with the fault that
   * ended the wait. It is settled on return.
   */
  abstract void here(Task task, @Nullable CancelScope wait);

  /** Waits until {@code context} has no unfinished task before {@code order}; or why not. */
  abstract @Nullable Fault drain(
      Task.Home context, Unfinished unfinished, long order, @Nullable CancelScope wait);

  /** Takes a task whose turn it is. */
  abstract void ready(Task task);

  /** Sees to it that somebody takes what was pushed quietly. */
  abstract void wake();

  /** A thread of another engine has made tasks ready here. */
  abstract void visited();

  /** A context has ended: nobody will push or wait there any more. */
  abstract void ended();

  /** Ends the threads; running tasks get until {@code grace} has passed. */
  abstract void close(Duration grace);

  /** Runs a task whose turn it is, unless it was given up meanwhile. */
  final void run(Task task) {
    if (task.start()) {
      complete(task, task.attempt());
    }
  }

  /** As {@link #run}; on return the task is settled, whoever does it. */
  final void finish(Task task) {
    run(task);
    while (!task.isSettled()) {
      LockSupport.parkNanos(this, SETTLING_NANOS); // another thread is giving it up right now
    }
  }

  /** Takes all turns of the task if each is free at once. */
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
   * order in every queue that they share (E2); true if it is its turn already.
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
      giveBack(task); // given up before it had its places
      return false;
    }
    return task.granted(granted) && (granted > 0 || count == 0);
  }

  /** Puts a task into its queues, for whoever runs it when it is its turn. */
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

  /** As {@link #complete}; the result is what was granted by that and has to be handed on. */
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
   * As {@link #giveUp}, for a task that was cancelled: the fault of an input that is there outranks
   * that (C2).
   */
  final boolean cancel(Task task, Fault why) {
    Fault own = task.arrived();
    return giveUp(task, own == null ? why : own);
  }

  /**
   * Gives up a task that has not started: it is settled with {@code why} now, the turns that it has
   * end now, the others as they come (C3). False if it has started or is settled.
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

  /** Ends those turns of a task with which it is done before it has started. */
  final void giveBack(Task task) {
    Access[] accesses = task.accesses;
    for (int i = 0; accesses != null && i < accesses.length; i++) {
      handOn(abandon(accesses[i]));
    }
  }

  /**
   * Hands turns on, and with each task that will not run what it waited for. A loop, never a call
   * in a call, for a long queue may end as a whole.
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
   * It is the turn of {@code task}. One that will not run is settled here and now: all workers may
   * be busy with what never ends (C3). Returns what that granted.
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
    task.home().ready(task); // variables may be shared by engines; each runs its own tasks
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
