package dev.staunch.engine;

import dev.staunch.fault.Fault;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Searches breadth-first from a wait of the calling thread through everything that has to happen
 * before the wait ends; stops at a task that this thread itself runs. Visits each task and each
 * queue once. For a single use.
 */
final class CycleSearch {
  /** How the search reached a task: from which other task, and through whose wait. */
  private record Step(@Nullable Task from, WaitGraph.@Nullable Wait through) {}

  private final Thread self = Thread.currentThread();
  private final WaitGraph graph;
  private final Map<Task, Step> seen = new IdentityHashMap<>();
  private final Map<Variable, Map<Task, Predecessors>> queues = new IdentityHashMap<>();
  private final Deque<Task> next = new ArrayDeque<>();

  CycleSearch(WaitGraph graph) {
    this.graph = graph;
  }

  /**
   * The tasks and waits on the path from {@code goals} to a task that the calling thread runs;
   * empty if there is no such path.
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

  /** Whether {@code goals} wait for a task that another scheduler than {@code own} runs. */
  boolean meetsOther(List<Task> goals, Object own) {
    Step start = new Step(null, null);
    goals.forEach(goal -> reach(goal, start));
    for (Task task = next.poll(); task != null; task = next.poll()) {
      if (!task.home().isRunBy(own)) {
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
      Predecessors ahead = queues.computeIfAbsent(variable, Predecessors::at).get(task);
      if (ahead != null) {
        ahead.tasks().forEach(other -> reach(other, step));
      }
      if (ahead != null && ahead.unqueuedReaders()) {
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

  /**
   * The fault of a wait of the calling thread that can never end, if that is certain: two searches,
   * some time apart, found the same cycle, so its waits existed at the same time.
   */
  static @Nullable Fault cycle(WaitGraph graph, WaitGraph.Wait wait) {
    long begun = System.nanoTime();
    if (!wait.mayCloseCycle() || begun - wait.nextLook < 0) {
      return null;
    }
    CycleSearch search = new CycleSearch(graph);
    List<Object> found = search.find(wait.goals());
    boolean certain = !found.isEmpty() && found.equals(wait.suspect);
    wait.suspect = found;
    long end = System.nanoTime();
    wait.nextLook = end + graph.patience * (end - begun);
    return certain ? endless(wait, found) : null;
  }

  /** The fault of a wait when nothing is left to run that could end it. */
  static Fault stuck(Task task) {
    WaitGraph.Wait wait = new WaitGraph.Wait(List.of(), task, null, 0);
    return endless(wait, new CycleSearch(new WaitGraph()).find(wait.goals()));
  }

  /** As {@link #stuck(Task)}, for all of {@code unfinished} before {@code order}. */
  static Fault stuck(Unfinished unfinished, long order) {
    WaitGraph.Wait wait = new WaitGraph.Wait(List.of(), null, unfinished, order);
    return endless(wait, new CycleSearch(new WaitGraph()).find(wait.goals()));
  }

  private static Fault endless(WaitGraph.Wait wait, List<Object> found) {
    List<String> path = new ArrayList<>();
    if (wait.unfinished != null) {
      path.add("waitAll");
    }
    for (Object step : found) {
      if (step instanceof Task task) {
        path.add(task.toString());
      }
    }
    return Fault.value(
        "this wait can never end, for it closes a cycle: "
            + String.join(", which waits for ", path)
            + ", which waits here");
  }
}
