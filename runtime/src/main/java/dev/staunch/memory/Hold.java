package dev.staunch.memory;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One stay of a {@link Holder} in a scope, made anew for each: what was closed since it came, and
 * it may be using, goes back when it leaves. Whoever subclasses this tells which single members
 * those are. Thread-safe.
 */
public class Hold {
  /** Where who closes something sees this. */
  abstract static class Place {
    /** The holder here has left. */
    abstract void left();
  }

  private final Holder who;

  /** Set by who lets this in, before anybody sees it there. */
  @Nullable Place place;

  protected Hold(Holder who) {
    this.who = Objects.requireNonNull(who, "who");
  }

  String name() {
    return who.name();
  }

  /**
   * Whether this may be using {@code part}, of a member that is closed by itself: if so, that is
   * released afterwards. What the scope takes with it when it closes waits anyway. Asked on any
   * thread, from when this is let in; so what the answer hangs on does not change from then on.
   */
  protected boolean uses(Releasable part) {
    return false;
  }

  /**
   * Ends this stay, once, on any thread. The last holder gives back what was closed meanwhile; what
   * that throws is logged.
   */
  public final void end() {
    Objects.requireNonNull(place, "not let in").left();
  }
}
