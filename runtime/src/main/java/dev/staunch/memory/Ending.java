package dev.staunch.memory;

import org.jspecify.annotations.Nullable;

/**
 * The end of a scope: its members have ended; they are released when nobody holds the scope any
 * more. One whose release throws keeps none of the others.
 */
final class Ending implements Releasable {
  private final @Nullable Life first;
  private @Nullable Life next;

  Ending(@Nullable Life first) {
    this.first = first;
    this.next = first;
  }

  /** How many members the scope had to end; before they are released. */
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
    if (next == null) {
      return;
    }
    Attempts failures = new Attempts();
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
