package dev.staunch.engine;

import org.jspecify.annotations.Nullable;

/** A task's place in the queue of one variable. Its fields are guarded by the variable's lock. */
final class Access {
  final Task task;
  final Variable variable;
  final boolean exclusive;
  final boolean writes;
  boolean granted;
  boolean released;
  @Nullable Access next;

  /** The neighbours among the readers that have the turn. */
  @Nullable Access heldBefore;

  @Nullable Access heldAfter;

  Access(Task task, Variable variable, boolean exclusive, boolean writes) {
    this.task = task;
    this.variable = variable;
    this.exclusive = exclusive;
    this.writes = writes;
  }
}
