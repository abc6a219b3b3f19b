package dev.staunch.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A walk from a wait of the calling thread to all that has to happen before it ends, breadth first;
 * it ends where it meets a task that this thread runs itself. Looks at each task and at each queue
 * once. For one use.
 */
final class CycleSearch {
  /** How the walk came to a task: from which other, and through whose wait. */
  private record Step(@Nullable Task from, WaitGraph.@Nullable Wait through) {}

  private final Thread self = Thread.currentThread();
  private final WaitGraph graph;
  private final Map<Task, Step> seen = new IdentityHashMap<>();
  private final Map<Variable, Map<Task, Ahead>> queues = new IdentityHashMap<>();
  private final Deque<Task> next = new ArrayDeque<>();

  CycleSearch(WaitGraph graph) {
    this.graph = graph;
  }

  /**
   * Tasks and waits on the way from {@code goals} to a task that the calling thread runs; empty if
   * there is no such way.
   */
  List<Object> find(List<Task> goals) {
    Step start = new Step(null, null);
    goals.forEach(goal -> reach(goal, start));
    for (Task task = next.poll(); task != null; task = next.poll()) {
      if (!task.isRunning()) {
        expandQueued(task);
      } else if (self.equals(task.thread)) {
        return way(task);
      } else {
        expandRunning(task);
      }
    }
    return List.of();
  }

  /** Whether {@code goals} wait for a task of another engine than {@code own}'s. */
  boolean meetsOther(List<Task> goals, Scheduler own) {
    Step start = new Step(null, null);
    goals.forEach(goal -> reach(goal, start));
    for (Task task = next.poll(); task != null; task = next.poll()) {
      if (!own.equals(Scheduler.home(task))) {
        return true;
      }
      if (!task.isRunning()) {
        expandQueued(task);
      }
    }
    return false;
  }

  private void reach(Task task, Step step) {
    if (!task.isOver() && seen.putIfAbsent(task, step) == null) {
      next.add(task);
    }
  }

  private void expandRunning(Task task) {
    Thread thread = task.thread;
    WaitGraph.Wait wait = thread == null ? null : graph.of(thread);
    if (wait != null) {
      Step step = new Step(task, wait);
      wait.goals().forEach(goal -> reach(goal, step));
    }
  }

  private void expandQueued(Task task) {
    Step step = new Step(task, null);
    Uses uses = task.uses;
    for (Variable variable : uses.variables) {
      Ahead ahead = queues.computeIfAbsent(variable, Variable::waiting).get(task);
      if (ahead != null) {
        ahead.tasks().forEach(other -> reach(other, step));
      }
      if (ahead != null && ahead.alone()) {
        graph.waitingUsersOf(variable).forEach(other -> reach(other, step));
      }
    }
  }

  private List<Object> way(Task end) {
    List<Object> way = new ArrayList<>();
    Task task = end;
    while (task != null) {
      way.addFirst(task);
      Step step = Objects.requireNonNull(seen.get(task));
      if (step.through != null) {
        way.addFirst(step.through);
      }
      task = step.from;
    }
    return way;
  }
}
