package dev.staunch.fault.jvm;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;

/**
 * Loads the classes of faults and their exceptions before any thread waits for a fault. Loading
 * takes some milliseconds, so without this the first wait that is interrupted or reaches its
 * deadline would end later than any other (E4). Loading early also keeps a caller's {@code catch
 * (StaunchException e)} on a virtual thread correct.
 *
 * <p>While no subclass of a class is loaded, HotSpot's compiler C2 compares with that class alone,
 * and discards the code when the first subclass is loaded. On JDK 25.0.3, a frame of a virtual
 * thread that is parked at that moment keeps the old code for what is thrown into it. The first
 * fault, whose exception class is loaded only then, passes the catch clause. If a subclass is
 * loaded before any thread waits, C2 makes no such assumption.
 */
public final class CatchClauses {
  private CatchClauses() {}

  /**
   * Creates a fault and its exception, which is of a subclass of {@link StaunchException}; for
   * that, the subclass must not be abstract. Call this from the static initializer of every class
   * that a caller cannot wait without.
   */
  public static void prepare() {
    Fault rehearsed = Fault.cancelled(CancelReason.DEADLINE, "nobody sees this");
    if (rehearsed.toException().getClass() == StaunchException.class) {
      throw new IllegalStateException("the exception of a fault is of no class of its own");
    }
  }
}
