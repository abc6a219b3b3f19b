package dev.staunch.memory;

import java.lang.ref.Reference;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something that holds memory and belongs to at most one {@link ResourceScope}. It is released
 * once: by {@link #close}, by its scope, or after it became unreachable, whichever comes first.
 * Closing is idempotent and allowed from any thread.
 *
 * <p>A subclass hands what there is to release to the constructor and is then made a member with
 * {@link ResourceScope#own}.
 */
public abstract class Resource implements AutoCloseable {
  final Life life;
  private @Nullable ResourceScope scope;

  /**
   * @param home a scope of the memory that watches over this resource
   * @param part what there is to release; must not refer to this resource
   */
  @SuppressWarnings("this-escape") // a phantom reference never gives its referent out
  protected Resource(ResourceScope home, Releasable part) {
    this.life = new Life(this, Objects.requireNonNull(part, "part"), home.core.queue);
  }

  /** The scope that will close this, if any. */
  public final @Nullable ResourceScope scope() {
    return isClosed() ? null : scope;
  }

  /** The scope that this belongs to, or belonged to when it was closed. */
  public final @Nullable ResourceScope home() {
    return scope;
  }

  /** Called by who makes this a member, and by movers under the lock of {@link #life}. */
  final void setScope(@Nullable ResourceScope owner) {
    scope = owner;
  }

  /** Whether this was closed, here or by its scope. */
  public final boolean isClosed() {
    return life.over;
  }

  /** The scope that closed this by its own end, if that is how this was closed. */
  public final @Nullable ResourceScope closedBy() {
    return life.isEndedByScope() ? scope : null;
  }

  /** The stack that made this, innermost first; empty unless it was noted to find leaks. */
  public final List<StackTraceElement> madeAt() {
    Creation creation = life.creation;
    return creation == null ? List.of() : creation.site();
  }

  /**
   * Notes, if it is noted where this was made, that another thread asked for it: {@code stack},
   * innermost first, is then what {@link #madeAt} and leak reports say. Before this is shared.
   */
  public final void askedForAt(List<StackTraceElement> stack) {
    Creation creation = life.creation;
    if (creation != null) {
      life.creation = creation.askedForAt(stack);
    }
  }

  /** How messages and leak reports name this; by its class if this throws. */
  public abstract String describe();

  /**
   * Closes this for one who knows that nobody else uses it: its bytes go back at once, also from a
   * scope that is {@linkplain ResourceScope#hold held} by those who use its members.
   */
  public final void closeUnused() {
    end(Life.Way.UNUSED);
  }

  @Override
  public final void close() {
    end(Life.Way.EXPLICIT);
  }

  private void end(Life.Way way) {
    Attempts.ROOM.require();
    try {
      life.end(way, null);
    } finally {
      Reference.reachabilityFence(this); // else the collector may find first what its owner closes
    }
  }
}
