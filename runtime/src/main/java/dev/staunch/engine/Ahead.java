package dev.staunch.engine;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * What has to happen before the turn of a task begins that is queued at a variable. For looking for
 * cycles.
 *
 * @param tasks those directly before it, whose turns have to end
 * @param alone whether readers that were never queued, for they run where they were called, have to
 *     be through as well
 */
record Ahead(List<Task> tasks, boolean alone) {
  /**
   * What each of {@code queue} waits for. One that is done with the variable but still queued, for
   * it was given up, ends its turn as it begins: who stands behind it waits for what it waits for.
   *
   * @param writing whose turn it is, if that writes
   * @param reading those whose turn it is, if they read
   */
  static Map<Task, Ahead> of(
      Variable variable, List<Task> writing, List<Task> reading, List<Access> queue) {
    Map<Task, Ahead> waiting = new IdentityHashMap<>();
    Ahead ofReaders = new Ahead(writing, false);
    List<Task> all = new ArrayList<>(writing);
    all.addAll(reading);
    boolean shared = false;
    for (Access access : queue) {
      boolean passes = access.task.isDoneWith(variable);
      if (access.exclusive) {
        Ahead own = new Ahead(all, true);
        waiting.put(access.task, own);
        ofReaders = passes ? own : new Ahead(List.of(access.task), false);
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
