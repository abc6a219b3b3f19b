package dev.staunch.memory;

import org.jspecify.annotations.Nullable;

/**
 * The end of a scope: its members end at once; they are released when nobody holds the scope any
 * more. One whose release throws keeps none of the others.
 */
final class Ending implements Releasable {
  private final @Nullable Life first;
  private @Nullable Life next;

  Ending(Members members) {
    this.first = members.close();
    this.next = first;
  }

  /** How many members this scope had to end; before they are released. */
  int count() {
    int count = 0;
    for (Life life = first; life != null; life = life.next) {
      count++;
    }
    return count;
  }

  /** Releases what is left. One attempt for all that end well is cheaper than one for each. */
  @Override
  public void release() {
    Failures failures = new Failures();
    while (next != null) {
      failures.attempt(this::releaseRest);
    }
    failures.throwIfAny();
  }

  private void releaseRest() {
    for (Life life = next; life != null; life = next) {
      next = life.next;
      life.next = null;
      life.part().release();
    }
  }
}
