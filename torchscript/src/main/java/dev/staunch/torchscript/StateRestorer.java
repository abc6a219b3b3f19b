package dev.staunch.torchscript;

import dev.staunch.fault.StaunchException;
import dev.staunch.ir.Program;
import dev.staunch.kernel.ObjectValue;

/**
 * Runs {@code __setstate__} of objects that restore themselves. Loading executes nothing itself, so
 * whoever loads such a module gives the means.
 */
@FunctionalInterface
public interface StateRestorer {
  /**
   * Calls {@code function} of the verified {@code program} with {@code object}, whose attributes
   * are not set yet, and with the state that was saved for it. Objects come innermost first. What
   * the function stores in the object must outlive the call.
   *
   * @throws StaunchException if the function fails; loading then fails with it
   */
  void restore(Program program, String function, ObjectValue object, Object state);
}
