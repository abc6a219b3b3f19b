package dev.staunch.fault;

import java.util.Objects;

/**
 * Keeps a {@code catch (StaunchException e)} of a caller on a virtual thread true.
 *
 * <p>While no subclass of a class is loaded, HotSpot's compiler C2 compares with that class alone,
 * and gives the code up when the first one is loaded. On JDK 25.0.3 a frame of a virtual thread
 * that is parked just then keeps the old code for what is thrown into it: the first fault, whose
 * exception class is loaded only now, passes the clause. Where a subclass is loaded before anybody
 * waits, nothing of the kind is assumed.
 */
public final class CatchClauses {
  private CatchClauses() {}

  /**
   * Loads a subclass of {@link StaunchException}, which must not be abstract for that. To be called
   * by the static initializer of each class without which no caller comes to wait.
   */
  public static void prepare() {
    Objects.requireNonNull(StaunchException.InternalException.class);
  }
}
