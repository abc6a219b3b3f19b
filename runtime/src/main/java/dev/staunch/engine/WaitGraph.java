package dev.staunch.engine;

import dev.staunch.fault.Fault;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who waits inside the engine, and for whom: finds waits that can never end (E3). A cycle counts
 * only when two looks, some time apart, find the same one: its waits were then all there in
 * between.
 */
final class WaitGraph {
  /** One wait; {@code inside} is the task from which the thread waits, if it runs one. */
  private static final class Wait {
    final Task task;
    final @Nullable Task inside;
    List<Object> suspect = List.of();

    Wait(Task task, @Nullable Task inside) {
      this.task = task;
      this.inside = inside;
    }
  }

  private final Map<Thread, Wait> waits = new ConcurrentHashMap<>();

  void add(Thread thread, Task task, @Nullable Task inside) {
    waits.put(thread, new Wait(task, inside));
  }

  void remove(Thread thread) {
    waits.remove(thread);
  }

  /** The fault of a wait of the calling thread that can never end, when that is certain. */
  @Nullable Fault cycle(Task task) {
    Wait wait = waits.get(Thread.currentThread());
    if (wait == null) {
      return null;
    }
    Search search = new Search();
    List<Object> found = search.reaches(task) ? search.evidence : List.of();
    boolean certain = !found.isEmpty() && found.equals(wait.suspect);
    wait.suspect = found;
    return certain ? endless(search.path) : null;
  }

  /** The fault of waiting, inside {@code running}, for all of a context that it belongs to. */
  static @Nullable Fault ownDrain(@Nullable Task running, EngineContext context, long order) {
    return running != null && running.context == context && running.order < order
        ? endless(List.of("waitAll", running.name(), "waitAll"))
        : null;
  }

  /** The fault of a wait when nothing is left that could be run to end it. */
  static Fault stuck(Task task) {
    return endless(List.of(task.name(), "a task that is running below it on the same thread"));
  }

  private static Fault endless(List<String> path) {
    return Fault.value(
        "this wait can never end, for it closes a cycle: "
            + String.join(", which waits for ", path));
  }

  /** A walk from a task to all that has to happen before it. */
  private final class Search {
    final Thread self = Thread.currentThread();
    final Set<Task> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    final List<String> path = new ArrayList<>();
    final List<Object> evidence = new ArrayList<>();

    /** Whether {@code task} can only go on when the calling thread does. */
    boolean reaches(Task task) {
      if (task.isSettled() || !seen.add(task)) {
        return false;
      }
      boolean found = task.isRunning() ? runnerReaches(task) : queuedReaches(task);
      if (found) {
        path.add(0, task.name());
        evidence.add(task);
      }
      return found;
    }

    private boolean runnerReaches(Task task) {
      Thread thread = task.thread;
      if (self.equals(thread)) {
        return true;
      }
      Wait wait = thread == null ? null : waits.get(thread);
      if (wait == null || !reaches(wait.task)) {
        return false;
      }
      evidence.add(wait);
      return true;
    }

    private boolean queuedReaches(Task task) {
      Uses uses = task.uses;
      for (int i = 0; i < uses.variables.length; i++) {
        Variable variable = uses.variables[i];
        if (variable.aheadOf(task).stream().anyMatch(this::reaches)
            || (uses.exclusive(i) && readersReach(task, variable))) {
          return true;
        }
      }
      return false;
    }

    /** Readers that hold {@code variable} matter only if they wait themselves. */
    private boolean readersReach(Task task, Variable variable) {
      for (Wait wait : waits.values()) {
        Task inside = wait.inside;
        if (inside != null && !inside.is(task) && inside.uses.has(variable) && reaches(inside)) {
          return true;
        }
      }
      return false;
    }
  }
}
