package dev.staunch.fault.jvm;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;

/**
 * Has the classes of faults and their exceptions loaded before anybody waits for one. So the first
 * wait that is interrupted or comes to its deadline ends as soon as any other (E4); to load them
 * takes some milliseconds. And it keeps a {@code catch (StaunchException e)} of a caller on a
 * virtual thread true.
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
   * Makes a fault and its exception, of a subclass of {@link StaunchException}, which must not be
   * abstract for that. To be called by the static initializer of each class without which no caller
   * comes to wait.
   */
  public static void prepare() {
    Fault rehearsed = Fault.cancelled(CancelReason.DEADLINE, "nobody sees this");
    if (rehearsed.toException().getClass() == StaunchException.class) {
      throw new IllegalStateException("the exception of a fault is of no class of its own");
    }
  }
}
