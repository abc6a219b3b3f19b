package dev.staunch.memory;

import java.lang.ref.Reference;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something that holds memory and belongs to at most one {@link ResourceScope}. It is released
 * once: by {@link #close}, by its scope, or after it becomes unreachable, whichever comes first.
 * Closing is idempotent and allowed from any thread.
 *
 * <p>A subclass passes the part to release to the constructor, and the new object is then made a
 * member with {@link ResourceScope#own}.
 */
public abstract class Resource implements AutoCloseable {
  final Life life;
  private @Nullable ResourceScope scope;

  /**
   * @param home a scope of the memory that watches over this resource
   * @param part what there is to release; must not refer to this resource
   */
  @SuppressWarnings("this-escape") // a phantom reference never returns its referent
  protected Resource(ResourceScope home, Releasable part) {
    this.life = new Life(this, Objects.requireNonNull(part, "part"), home.core.queue);
  }

  /** The scope that will close this resource, if any. */
  public final @Nullable ResourceScope scope() {
    return isClosed() ? null : scope;
  }

  /** The scope that this resource belongs to, or belonged to when it was closed. */
  public final @Nullable ResourceScope home() {
    return scope;
  }

  /**
   * Called by the scope that makes this a member, and by movers under the lock of {@link #life}.
   */
  final void setScope(@Nullable ResourceScope owner) {
    scope = owner;
  }

  /** Whether this resource was closed, by itself or by its scope. */
  public final boolean isClosed() {
    return life.over;
  }

  /** The scope whose end closed this resource, if that is how it was closed. */
  public final @Nullable ResourceScope closedBy() {
    return life.isEndedByScope() ? scope : null;
  }

  /**
   * The stack that created this resource, innermost first; empty unless it was recorded to find
   * leaks.
   */
  public final List<StackTraceElement> madeAt() {
    Creation creation = life.creation;
    return creation == null ? List.of() : creation.site();
  }

  /**
   * If the place of creation is recorded, records that another thread asked for this resource:
   * {@link #madeAt} and leak reports then show {@code stack}, innermost first. Call it before this
   * resource is shared.
   */
  public final void askedForAt(List<StackTraceElement> stack) {
    Creation creation = life.creation;
    if (creation != null) {
      life.creation = creation.askedForAt(stack);
    }
  }

  /** The resource's name in messages and leak reports; the class name is used if this throws. */
  public abstract String describe();

  /**
   * Closes this resource for a caller that knows that nothing else uses it. Its bytes are released
   * at once, even from a scope that is {@linkplain ResourceScope#hold held} by users of its
   * members.
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
      Reference.reachabilityFence(this); // otherwise the collector might find it too early
    }
  }
}
