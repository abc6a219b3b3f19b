package dev.staunch.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A place in the list of those who hold a scope; used by one holder after another. What was closed
 * since a holder came goes back when it leaves. Thread-safe.
 */
public final class Hold {
  private static final long HELD = 1;
  private static final long BY_USER = 2;
  private static final long ALL = 3;
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Hold.class, "state", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** What is held. */
  abstract static class Home {
    /** A holder has left. */
    abstract void ended(boolean asUser);
  }

  private final Home home;
  final @Nullable Hold next;

  /** Whether this is held, and by a user of members; above that, how many holders have left. */
  private volatile long state;

  /** For names only: seen late by others, it is the holder before. */
  private Holder who;

  Hold(Home home, @Nullable Hold next, Holder first, boolean asUser) {
    this.home = home;
    this.next = next;
    this.who = first;
    STATE.set(this, asUser ? ALL : HELD);
  }

  @SuppressWarnings("ReferenceEquality") // the same again needs no store, and so no barrier
  boolean take(Holder holder, boolean asUser) {
    long seen = state;
    if ((seen & HELD) != 0 || !STATE.compareAndSet(this, seen, seen | (asUser ? ALL : HELD))) {
      return false;
    }
    if (who != holder) {
      who = holder;
    }
    return true;
  }

  /** The same number as long as the same one holds this; 0 if nobody does. */
  long holding(boolean asUser) {
    long seen = state;
    return (seen & (asUser ? BY_USER : HELD)) == 0 ? 0 : seen;
  }

  boolean isStill(long holding) {
    return state == holding;
  }

  String name() {
    return who.name();
  }

  /**
   * Ends this hold, once, on any thread. The last holder gives back what was closed meanwhile; what
   * that throws is logged.
   */
  public void end() {
    long seen = state;
    STATE.setVolatile(this, (seen | ALL) + 1);
    home.ended((seen & BY_USER) != 0);
  }
}
