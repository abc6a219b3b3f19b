package dev.staunch.engine;

import dev.staunch.fault.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler without threads of its own: the threads that push or wait run what is ready, one
 * thread at a time. In serial mode each task runs as soon as it is its turn (E6). In seeded mode
 * the scheduler simulates a number of workers that start and finish tasks in an order drawn from
 * the seed. With one pushing thread, a seed always gives the same order (E9).
 */
final class TurnScheduler extends Scheduler {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** After this many looks, a tenth of a millisecond apart, a wait without progress is a cycle. */
  private static final int LAST_LOOK = 200;

  /**
   * How deeply a thread may nest tasks when it starts one that another task pushed. Beyond that,
   * the outermost push runs the task, because the stack is finite.
   */
  private static final int MOST_NESTED = 64;

  /** How deeply a thread may nest tasks when it waits inside the innermost. */
  private static final int MOST_WAITING = 256;

  /** A task that ran and still has its turns. */
  private record Open(Task task, Object outcome) {}

  private final ReentrantLock turn = new ReentrantLock();

  /** Guarded by itself, because turns also come when any thread gives a task up. */
  private final ReadyQueue ready = new ReadyQueue();

  private final List<Open> open = new ArrayList<>();
  private final @Nullable Random random;
  private final int workers;

  /** A context has ended: the thread that releases the turn completes what ran for it. */
  private volatile boolean contextEnded;

  private TurnScheduler(@Nullable Random random, int workers) {
    super(false); // a pushed task waits for those before it, or as the seed decides
    this.random = random;
    this.workers = workers;
  }

  static TurnScheduler serial() {
    return new TurnScheduler(null, 1);
  }

  static TurnScheduler seeded(long seed, int workers) {
    return new TurnScheduler(new Random(seed), workers);
  }

  @Override
  void push(Task task) {
    Hooks.isSmall(task); // the answer makes no difference; an exception counts as anywhere (E6)
    defer(task);
    if (!lockFor(task)) {
      return;
    }
    try {
      while (turn.getHoldCount() <= MOST_NESTED && (random == null || random.nextBoolean())) {
        if (!step()) {
          return;
        }
      }
    } finally {
      leave();
    }
  }

  /** The pushing thread has run the task, or leaves it to a waiting thread as usual. */
  @Override
  void wake() {}

  /** Runs what a thread of another engine has made ready, unless a thread here will do so. */
  @Override
  void visited() {
    while (hasReady() && !turn.isHeldByCurrentThread() && turn.tryLock()) {
      try {
        while (step()) {
          // run everything there is
        }
      } finally {
        leave();
      }
    }
  }

  /** Takes the turn for this thread, unless another thread settles the task first. */
  private boolean lockFor(Task task) {
    boolean interrupted = false;
    boolean locked = turn.tryLock();
    while (!locked && !task.isSettled()) {
      task.home().sweepAll();
      try {
        locked = turn.tryLock(POLL_NANOS, TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        interrupted = true; // pushing is not an interruptible wait
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return locked;
  }

  @Override
  void ready(Task task) {
    if (task.waiter == null) {
      synchronized (ready) {
        ready.add(task);
      }
    }
  }

  private @Nullable Task nextReady() {
    synchronized (ready) {
      return random != null && random.nextBoolean() ? another(random) : ready.poll();
    }
  }

  private boolean hasReady() {
    synchronized (ready) {
      return !ready.isEmpty();
    }
  }

  /** Starts or finishes one task; false if there is nothing to do. */
  private boolean step() {
    boolean mayStart = (open.size() < workers || random == null) && hasReady();
    if (open.isEmpty() && !mayStart) {
      return false;
    }
    if (random == null) {
      Task task = Objects.requireNonNull(nextReady());
      if (task.start()) {
        complete(task, attempt(task));
      }
    } else if (open.isEmpty() || (mayStart && random.nextBoolean())) {
      Task task = Objects.requireNonNull(nextReady());
      if (task.start()) {
        open.add(new Open(task, attempt(task)));
        if (task.home().ended() != null) {
          contextEnded = true;
        }
      }
    } else {
      Open chosen = open.remove(random.nextInt(open.size()));
      complete(chosen.task, chosen.outcome);
    }
    return true;
  }

  /**
   * Runs a task as a worker would (E6): an interrupt meant for the calling thread is not visible to
   * the task, and is restored afterwards, whatever the task does. An interrupt that arrives
   * meanwhile also belongs to the caller, because its sender knows of no other thread.
   */
  private static Object attempt(Task task) {
    boolean interrupted = Thread.interrupted();
    try {
      return task.attempt();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A random ready task of the highest priority. */
  private @Nullable Task another(Random chance) {
    List<Task> equals = ready.pollEquals();
    Task chosen = equals.isEmpty() ? null : equals.remove(chance.nextInt(equals.size()));
    ready.restore(equals);
    return chosen;
  }

  @Override
  void here(Task task, @Nullable CancelScope wait) {
    Task.Home context = task.home();
    Hooks.mayWait(task); // as in push
    task.waiter = Thread.currentThread();
    context.list(task);
    enqueue(task);
    if (!lockHere(task, wait)) {
      finish(task);
      return;
    }
    try {
      int looks = 0;
      while (!task.isReady() && !task.isSettled()) {
        Fault end = stop(context, wait);
        looks = end != null || step() ? 0 : looks + 1;
        if (looks > 0 && !yieldTurn(List.of(task), looks)) {
          end = CycleSearch.stuck(task);
        }
        if (end != null && !task.isReady()) {
          cancel(task, end);
        }
      }
    } finally {
      finishAndUnlock(task);
    }
  }

  /** Takes the turn for this thread; false if {@code task} is settled, or can be, without it. */
  private boolean lockHere(Task task, @Nullable CancelScope wait) {
    Task.Home context = task.home();
    while (!lockFor(POLL_NANOS)) {
      if (task.isSettled() || (task.isReady() && task.isDoomed())) {
        return false;
      }
      Fault end = stop(context, wait);
      if (end != null) {
        cancel(task, end);
        return false;
      }
    }
    return true;
  }

  private void finishAndUnlock(Task task) {
    try {
      finish(task);
    } finally {
      leave();
    }
  }

  /**
   * Lets other threads have the turn for a moment. {@code goals} may wait for tasks of another
   * engine, whose threads run those; returns false if they do not, and so would wait forever. One
   * look is not enough to know: another thread may be about to hand a turn on.
   *
   * @param looks how many times in a row there was nothing to do
   */
  private boolean yieldTurn(List<Task> goals, int looks) {
    if (looks >= LAST_LOOK && !new CycleSearch(new WaitGraph()).meetsOther(goals, this)) {
      return false;
    }
    turn.unlock();
    LockSupport.parkNanos(this, POLL_NANOS / 20);
    turn.lock();
    return true;
  }

  private @Nullable Fault stop(Task.Home context, @Nullable CancelScope wait) {
    context.sweepAll();
    Fault fault = ThreadedScheduler.interrupted();
    if (fault == null && wait != null) {
      fault = wait.checkWaiting();
    }
    if (fault == null && turn.getHoldCount() > MOST_WAITING) {
      fault = WaitGraph.tooMany(MOST_WAITING);
    }
    return fault == null ? context.ended() : fault;
  }

  @Override
  @Nullable Fault drain(
      Task.Home context, Unfinished unfinished, long order, @Nullable CancelScope wait) {
    while (!lockFor(POLL_NANOS)) {
      if (unfinished.awaitBefore(order, 0)) {
        return null;
      }
      Fault end = stop(context, wait);
      if (end != null) {
        return end;
      }
    }
    try {
      int looks = 0;
      while (!unfinished.awaitBefore(order, 0)) {
        Fault end = stop(context, wait);
        looks = end != null || step() ? 0 : looks + 1;
        if (looks > 0 && !yieldTurn(unfinished.before(order), looks)) {
          end = CycleSearch.stuck(unfinished, order);
        }
        if (end != null) {
          return end;
        }
      }
      return null;
    } finally {
      leave();
    }
  }

  /** Completes what ran; if another thread is inside a task, that thread does so later. */
  @Override
  void close(Duration grace) {
    contextEnded = true;
    if (lockFor(grace.toNanos())) {
      leave();
    }
  }

  /**
   * A task that ran for the context and still has its turns would keep its operands forever: only
   * threads that push or wait there take steps, and none do any more.
   */
  @Override
  void ended() {
    contextEnded = true;
    completeEnded();
  }

  /** Releases the turn of this thread. */
  private void leave() {
    turn.unlock();
    completeEnded();
  }

  /** Not while another thread has the turn: that thread comes here when it releases it. */
  private void completeEnded() {
    while (contextEnded && turn.tryLock()) {
      try {
        contextEnded = false;
        for (Open ran = takeEnded(); ran != null; ran = takeEnded()) {
          complete(ran.task, ran.outcome);
        }
      } finally {
        turn.unlock();
      }
    }
  }

  private @Nullable Open takeEnded() {
    for (int i = 0; i < open.size(); i++) {
      if (open.get(i).task.home().ended() != null) {
        return open.remove(i);
      }
    }
    return null;
  }

  /** Also returns false if the thread is interrupted; its interrupt flag stays set. */
  private boolean lockFor(long nanos) {
    try {
      return turn.tryLock() || turn.tryLock(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
