package dev.staunch.memory;

import org.jspecify.annotations.Nullable;

/**
 * Something that holds memory and belongs to at most one {@link ResourceScope}. Closing it is
 * idempotent and allowed from any thread (M2).
 */
public abstract class Resource implements AutoCloseable {
  @Nullable ResourceScope scope;
  @Nullable Resource previous;
  @Nullable Resource next;

  protected Resource() {}

  /** The scope that will close this, if any. */
  public final @Nullable ResourceScope scope() {
    return scope;
  }

  /** Gives back what this holds. Called at most once. */
  protected abstract void release();

  /** Whether {@link #close} was called, here or by the scope. */
  public abstract boolean isClosed();

  /** Marks this closed; true for the one caller that did it. */
  protected abstract boolean markClosed();

  @Override
  public final void close() {
    if (markClosed()) {
      ResourceScope owner = scope;
      if (owner != null) {
        owner.forget(this);
      }
      release();
    }
  }
}
