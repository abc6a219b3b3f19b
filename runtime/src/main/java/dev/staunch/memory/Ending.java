package dev.staunch.memory;

import org.jspecify.annotations.Nullable;

/**
 * Releases what a closing scope still has. A member whose release throws ends a run; the next run
 * goes on behind it. One attempt for all members that end well is cheaper than one for each.
 */
final class Ending implements Runnable {
  private final Members members;
  private boolean begun;
  private @Nullable Life next;
  private int released;

  Ending(Members members) {
    this.members = members;
  }

  @Override
  public void run() {
    if (!begun) {
      begun = true;
      next = members.close();
    }
    for (Life life = next; life != null; life = next) {
      next = life.next;
      life.next = null;
      released++;
      life.part().release();
    }
  }

  /** Whether no member is left. */
  boolean isOver() {
    return begun && next == null;
  }

  /** How many members this scope had to release. */
  int released() {
    return released;
  }
}
