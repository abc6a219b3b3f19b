package dev.staunch.torchscript;

import dev.staunch.fault.StaunchException;
import dev.staunch.ir.Program;
import dev.staunch.kernel.ObjectValue;

/**
 * Runs the {@code __setstate__} of objects that restore themselves. Loading executes nothing
 * itself, so the caller that loads such a module supplies this.
 */
@FunctionalInterface
public interface StateRestorer {
  /**
   * Calls {@code function} of the verified {@code program} with {@code object}, whose attributes
   * are not set yet, and with its saved state. Inner objects are restored before the objects that
   * contain them. Whatever the function stores in the object must outlive the call.
   *
   * @throws StaunchException if the function fails; loading then fails with it
   */
  void restore(Program program, String function, ObjectValue object, Object state);
}
