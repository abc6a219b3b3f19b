package dev.staunch.engine;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which threads wait inside the engine, and for what; used to search for cycles (E3). Only a thread
 * that runs a task can be part of a cycle. Thread-safe.
 */
final class WaitGraph {
  private static final int PATIENCE = 10;

  /** A task that a thread runs while it waits for something else, and the task around it. */
  private record Running(Task task, @Nullable Running outer) {}

  /** The pause before the next search, in multiples of the last search's duration. */
  final int patience;

  private final Map<Thread, Wait> waits = new ConcurrentHashMap<>();
  private final Map<Thread, Running> running = new ConcurrentHashMap<>();

  WaitGraph() {
    this(PATIENCE);
  }

  /** The pause before the next search is {@code patience} times the last search's duration. */
  WaitGraph(int patience) {
    this.patience = patience;
  }

  /** One wait of one thread: for the turn of a task, or for all tasks of a context. */
  static final class Wait {
    final List<Task> inside;
    final @Nullable Task task;
    final @Nullable Unfinished unfinished;
    final long order;
    List<Object> suspect = List.of();
    long nextLook = System.nanoTime();

    Wait(List<Task> inside, @Nullable Task task, @Nullable Unfinished unfinished, long order) {
      this.inside = inside;
      this.task = task;
      this.unfinished = unfinished;
      this.order = order;
    }

    /** Whether this is a wait inside a task. */
    boolean mayCloseCycle() {
      return !inside.isEmpty();
    }

    /** The tasks that have to be settled before this wait ends. */
    List<Task> goals() {
      return task != null
          ? List.of(task)
          : unfinished == null ? List.of() : unfinished.before(order);
    }
  }

  /** Records that the calling thread runs {@code task}, which may wait, where it was called. */
  void enter(Task task) {
    running.compute(Thread.currentThread(), (thread, outer) -> new Running(task, outer));
  }

  void leave() {
    running.computeIfPresent(Thread.currentThread(), (thread, inner) -> inner.outer);
  }

  Wait add(Task task, @Nullable Task worker) {
    return add(new Wait(inside(worker), task, null, 0));
  }

  Wait add(Unfinished unfinished, long order, @Nullable Task worker) {
    return add(new Wait(inside(worker), null, unfinished, order));
  }

  private Wait add(Wait wait) {
    if (wait.mayCloseCycle()) {
      waits.put(Thread.currentThread(), wait);
    }
    return wait;
  }

  private List<Task> inside(@Nullable Task worker) {
    List<Task> inside = new ArrayList<>(1);
    Running chain = running.get(Thread.currentThread());
    for (Running at = chain; at != null; at = at.outer) {
      inside.add(at.task);
    }
    if (worker != null) {
      inside.add(worker);
    }
    return inside;
  }

  void remove(Wait wait) {
    waits.remove(Thread.currentThread(), wait);
  }

  @Nullable Wait of(Thread thread) {
    return waits.get(thread);
  }

  /** The tasks that use {@code variable} and are waiting inside. */
  List<Task> waitingUsersOf(Variable variable) {
    List<Task> users = new ArrayList<>();
    for (Wait wait : waits.values()) {
      for (Task task : wait.inside) {
        if (task.uses.has(variable)) {
          users.add(task);
        }
      }
    }
    return users;
  }

  /** The fault of a wait that exceeds the limit. */
  static Fault tooMany(int most) {
    return Fault.of(
        FaultType.OVERLOADED,
        Message.of(
            "more than %d tasks wait inside the engine; let tasks read what they need instead",
            most));
  }
}
