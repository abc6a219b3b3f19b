package dev.staunch.engine;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * What has to happen before the turn of a queued task begins at a variable. Used to search for
 * cycles.
 *
 * @param tasks the tasks directly before it, whose turns have to end
 * @param unqueuedReaders whether readers that were never queued, because they run on the calling
 *     thread, also have to finish
 */
record Predecessors(List<Task> tasks, boolean unqueuedReaders) {
  /**
   * What each task queued at {@code variable} waits for. A task that was given up while queued ends
   * its turn as soon as it begins, so the task behind it waits for what that task waits for.
   */
  static Map<Task, Predecessors> at(Variable variable) {
    List<Task> writing = new ArrayList<>(1);
    List<Task> reading = new ArrayList<>();
    List<Access> queue = new ArrayList<>();
    variable.list(writing, reading, queue);
    Map<Task, Predecessors> waiting = new IdentityHashMap<>();
    Predecessors ofReaders = new Predecessors(writing, false);
    List<Task> all = new ArrayList<>(writing);
    all.addAll(reading);
    boolean shared = false;
    for (Access access : queue) {
      boolean passes = access.task.isGivenUp();
      if (access.exclusive) {
        Predecessors own = new Predecessors(all, true);
        waiting.put(access.task, own);
        ofReaders = passes ? own : new Predecessors(List.of(access.task), false);
        all = ofReaders.tasks;
        shared = true;
        continue;
      }
      waiting.put(access.task, ofReaders);
      if (!passes) {
        all = shared ? new ArrayList<>(all) : all;
        all.add(access.task);
        shared = false;
      }
    }
    return waiting;
  }
}
