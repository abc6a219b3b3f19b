package dev.staunch.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Tasks whose turn it is: the highest priority first, and first come, first served among equals, so
 * that no context starves another (E7). Guarded by its owner's lock.
 */
final class ReadyQueue {
  private static final Comparator<Task> FIRST =
      Comparator.comparingInt(Task::priority).reversed().thenComparingLong(task -> task.ticket);

  private final PriorityQueue<Task> tasks = new PriorityQueue<>(FIRST);
  private long tickets;
  private long earliest;

  void add(Task task) {
    task.ticket = tickets++;
    tasks.add(task);
  }

  /** Adds a task that came before all tasks in the queue. */
  void addFirst(Task task) {
    task.ticket = --earliest;
    tasks.add(task);
  }

  @Nullable Task poll() {
    return tasks.poll();
  }

  void remove(Task task) {
    tasks.remove(task);
  }

  boolean isEmpty() {
    return tasks.isEmpty();
  }

  int size() {
    return tasks.size();
  }

  /** Removes and returns all tasks of the highest priority, in order. */
  List<Task> pollEquals() {
    List<Task> equals = new ArrayList<>();
    for (Task task = tasks.poll(); task != null; task = tasks.poll()) {
      if (!equals.isEmpty() && task.priority() != equals.getFirst().priority()) {
        tasks.add(task);
        break;
      }
      equals.add(task);
    }
    return equals;
  }

  /** Puts the tasks that {@link #pollEquals} removed back in their places. */
  void restore(List<Task> taken) {
    tasks.addAll(taken);
  }
}
