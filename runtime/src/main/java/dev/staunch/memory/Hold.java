package dev.staunch.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A place in the list of those who hold a scope; used by one holder after another. What was closed
 * since a holder came goes back when it leaves. Thread-safe.
 */
public final class Hold {
  private static final VarHandle HOLDER;

  static {
    try {
      HOLDER = MethodHandles.lookup().findVarHandle(Hold.class, "holder", Holder.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Holds home;
  final @Nullable Hold next;
  private volatile @Nullable Holder holder;

  /** How many holders have left; changed by the one who leaves, before it is seen to be gone. */
  private long left;

  Hold(Holds home, @Nullable Hold next, Holder first) {
    this.home = home;
    this.next = next;
    this.holder = first;
  }

  boolean take(Holder who) {
    return holder == null && HOLDER.compareAndSet(this, null, who);
  }

  @Nullable Holder holder() {
    return holder;
  }

  /** Read after {@link #holder}, tells this holder from later ones. */
  long left() {
    return left;
  }

  /**
   * Ends this hold, once, on any thread. The last holder gives back what was closed meanwhile; what
   * that throws is logged.
   */
  public void end() {
    Holder who = holder;
    left++;
    HOLDER.setVolatile(this, null);
    home.ended(who);
  }
}
