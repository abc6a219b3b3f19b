package dev.staunch.memory;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import org.jspecify.annotations.Nullable;

/**
 * The life of one {@code Resource}: whether it is over, what to release then, and its place among
 * the members of a scope. Scopes hold lives, not resources, so a scope never pins an unreachable
 * resource (M3); the collector passes the life of such a resource to the {@link Reaper}.
 *
 * <p>A life that ends in another way is unlinked, and becomes unreachable together with its
 * resource: the collector never enqueues it. Thread-safe: ending a life is one compare-and-set.
 */
final class Life extends PhantomReference<Object> {
  /** How a life ended. */
  enum Way {
    EXPLICIT,
    REAPED,

    /** Closed by a caller that knows that nothing uses it. */
    UNUSED,

    /** Closed with its whole memory, even if it is in use. */
    MEMORY
  }

  private static final VarHandle OVER =
      fieldVarHandle(MethodHandles.lookup(), "over", VarHandle.class, Life.class, boolean.class);
  private static final VarHandle MEMBERS =
      fieldVarHandle(MethodHandles.lookup(), "members", VarHandle.class, Life.class, Members.class);

  private final Releasable part;
  volatile boolean over;

  /** Whether the end of the scope ended this life; set after {@link #over}, by the closer. */
  private boolean endedByScope;

  /** The list that this is a member of; changed under that list's lock, see {@link Members}. */
  volatile @Nullable Members members;

  /** The neighbours in the list, guarded by its lock. */
  @Nullable Life previous;

  @Nullable Life next;

  /** Which entry into the list this was; guarded by its lock. */
  long entry;

  /** Where the resource was created, if leaks are tracked. */
  @Nullable Creation creation;

  Life(Object resource, Releasable part, ReferenceQueue<Object> queue) {
    super(resource, queue);
    this.part = part;
  }

  Releasable part() {
    return part;
  }

  /** Whether this is neither over nor in a list. */
  boolean isNew() {
    return !over && members == null;
  }

  /** Returns true to the one caller that may release. */
  boolean markOver() {
    return OVER.compareAndSet(this, false, true);
  }

  void markEndedByScope() {
    endedByScope = true;
  }

  boolean isEndedByScope() {
    return endedByScope;
  }

  /** A thread that then sees this in no list also sees whether it was over before. */
  void setMembers(@Nullable Members list) {
    MEMBERS.setRelease(this, list);
  }

  /**
   * Ends this life unless it is already over; returns true to the caller that did.
   *
   * @param claimed runs before the release, once no other thread can end this life any more
   */
  boolean end(Way way, @Nullable Runnable claimed) {
    if (way == Way.REAPED) {
      return reap(claimed);
    }
    if (!markOver()) {
      return false;
    }
    if (claimed != null) {
      claimed.run();
    }
    Members home = members;
    if (home == null) {
      part.release();
      return true;
    }
    if (part instanceof Storage storage
        && (way == Way.UNUSED || (way == Way.EXPLICIT && !home.holds().isHeld(storage)))) {
      storage.release(home, this);
      return true;
    }
    home.remove(this);
    switch (way) {
      case EXPLICIT -> home.holds().releaseMember(part);
      case MEMORY, REAPED -> home.releaseAfterAll(part);
      case UNUSED -> part.release();
    }
    return true;
  }

  /** Informs a scope that closes meanwhile, whose bytes are not back before the release. */
  private boolean reap(@Nullable Runnable claimed) {
    Members home = members;
    if (home == null || !home.beginReap(this)) {
      return end(Way.EXPLICIT, claimed);
    }
    try {
      if (claimed != null) {
        claimed.run();
      }
      home.releaseUnreachable(part, entry);
    } finally {
      home.endReap();
    }
    return true;
  }

  /** Ends this life, which reached {@code home}, a closed scope, too late and is in no list. */
  void endLate(Members home) {
    if (markOver()) {
      home.holds().release(part);
    }
  }
}
