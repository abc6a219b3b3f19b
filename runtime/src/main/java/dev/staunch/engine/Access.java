package dev.staunch.engine;

import org.jspecify.annotations.Nullable;

/** A task's place in the queue of one variable. Its fields are guarded by the variable's lock. */
final class Access {
  final Task task;
  final Variable variable;
  final boolean exclusive;
  final boolean reads;
  final boolean writes;
  boolean granted;
  boolean released;
  @Nullable Access next;

  /** Its neighbours among the readers whose turn it is. */
  @Nullable Access heldBefore;

  @Nullable Access heldAfter;

  /** The place for the {@code i}th of what {@code task} uses. */
  Access(Task task, int i) {
    this.task = task;
    this.variable = task.uses.variables[i];
    this.exclusive = task.uses.exclusive(i);
    this.reads = task.uses.reads(i);
    this.writes = task.uses.writes(i);
  }
}
