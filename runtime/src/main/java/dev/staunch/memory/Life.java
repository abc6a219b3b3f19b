package dev.staunch.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import org.jspecify.annotations.Nullable;

/**
 * The life of one {@code Resource}: whether it is over, what to release then, and its place in the
 * members of a scope. Scopes hold lives, not resources, so a scope never pins what became
 * unreachable (M3); the collector hands such a life to the {@link Reaper}.
 *
 * <p>A life that ends in another way is unlinked, and so is as unreachable as its resource: the
 * collector never sees it. Thread-safe: the end is one compare-and-set.
 */
final class Life extends PhantomReference<Object> {
  /** How a life ended. */
  enum Way {
    EXPLICIT,
    REAPED,

    /** By one who knows that nobody uses it. */
    UNUSED,

    /** With all of its memory, under whoever uses it. */
    MEMORY
  }

  private static final VarHandle OVER;
  private static final VarHandle MEMBERS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      OVER = lookup.findVarHandle(Life.class, "over", boolean.class);
      MEMBERS = lookup.findVarHandle(Life.class, "members", Members.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Releasable part;
  volatile boolean over;

  /** Whether it was the scope's end; set after {@link #over}, by the closer. */
  private boolean endedByScope;

  /** Whose member this is; changed under that list's lock, see {@link Members}. */
  volatile @Nullable Members members;

  /** Neighbours in the list, guarded by its lock. */
  @Nullable Life previous;

  @Nullable Life next;

  /** Where the resource was made, if leaks are looked for. */
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

  /** True for the one caller that may release. */
  boolean markOver() {
    return OVER.compareAndSet(this, false, true);
  }

  void markEndedByScope() {
    endedByScope = true;
  }

  boolean isEndedByScope() {
    return endedByScope;
  }

  /** Who then sees that this is in no list sees also whether it was over before. */
  void setMembers(@Nullable Members list) {
    MEMBERS.setRelease(this, list);
  }

  /**
   * Ends this life unless it is over already; true for the caller that did.
   *
   * @param claimed runs once nobody else can end it any more, before the release
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

  /** Lets a scope that closes meanwhile know, for its bytes are not back before the release. */
  private boolean reap(@Nullable Runnable claimed) {
    Members home = members;
    if (home == null || !home.beginReap(this)) {
      return end(Way.EXPLICIT, claimed);
    }
    try {
      if (claimed != null) {
        claimed.run();
      }
      home.releaseAfterAll(part);
    } finally {
      home.endReap();
    }
    return true;
  }

  /** Ends this life, which came too late for {@code home}, a closed scope, and is in no list. */
  void endLate(Members home) {
    if (markOver()) {
      home.holds().release(part);
    }
  }
}
