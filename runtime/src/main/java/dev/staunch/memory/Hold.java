package dev.staunch.memory;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One stay of a {@link Holder} in a scope; each stay is a new object. What was closed since it
 * began, and which it may be using, is released when it ends. A subclass can tell which single
 * members it uses. Thread-safe.
 */
public class Hold {
  /** Where a thread that closes something finds this stay. */
  abstract static class Place {
    /** Called when the holder has left. */
    abstract void left();
  }

  private final Holder who;

  /** See {@link #Hold(Holder, boolean)}. */
  private final boolean usesNewOnly;

  /** How many entries into the scope came before this stay, or fewer; set by {@code admit}. */
  long since;

  /** Set by the scope that lets this in, before other threads can see it. */
  @Nullable Place place;

  protected Hold(Holder who) {
    this.who = Objects.requireNonNull(who, "who");
    this.usesNewOnly = false;
  }

  /**
   * @param usesNewOnly whether the holder uses no unreachable member that was one before this stay
   *     began: of those it refers to the resources, or has references to the storages
   */
  protected Hold(Holder who, boolean usesNewOnly) {
    this.who = Objects.requireNonNull(who, "who");
    this.usesNewOnly = usesNewOnly;
  }

  String name() {
    return who.name();
  }

  /**
   * Whether this stay may be using {@code part}, of a member that is closed individually; if so,
   * the part is released afterwards. What a scope releases when it closes waits in any case. Called
   * on any thread once this has been let in, so the state that the answer depends on must not
   * change from then on.
   */
  protected boolean uses(Releasable part) {
    return false;
  }

  /**
   * Whether this stay may be using an unreachable member.
   *
   * @param entry which entry into the scope was the member's
   */
  final boolean usesUnreachable(long entry) {
    return entry > since || !usesNewOnly;
  }

  /**
   * Ends this stay; call it once, on any thread. The last holder to leave releases what was closed
   * meanwhile; what that throws is logged.
   */
  public final void end() {
    Objects.requireNonNull(place, "not let in").left();
  }
}
