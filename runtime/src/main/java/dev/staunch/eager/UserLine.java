package dev.staunch.eager;

import dev.staunch.fault.CallSite;
import dev.staunch.fault.Fault;
import dev.staunch.fault.SourceLocation;
import dev.staunch.tensor.DenseTensor;
import java.security.CodeSource;

/**
 * The line of the user's program that called into the runtime: noted when an operation fails at
 * once, or when it is put off (F7).
 */
final class UserLine {
  private UserLine() {}

  static SourceLocation here() {
    return callSite().source();
  }

  static CallSite callSite() {
    return CallSite.outside(UserLine::isOurs);
  }

  /** The fault of using {@code tensor}, which was closed, with the line that made it if known. */
  static Fault closedFault(DenseTensor tensor) {
    SourceLocation made = CallSite.nearest(tensor.madeAt(), UserLine::isOurs);
    return made == null ? tensor.closedFault() : tensor.closedFault(made);
  }

  /** Whether a class was loaded from where this one was. */
  private static boolean isOurs(String className) {
    try {
      Class<?> type = Class.forName(className, false, UserLine.class.getClassLoader());
      CodeSource home = UserLine.class.getProtectionDomain().getCodeSource();
      CodeSource other = type.getProtectionDomain().getCodeSource();
      return home == null
          ? type.getModule().equals(UserLine.class.getModule())
          : home.equals(other);
    } catch (ClassNotFoundException e) {
      return false; // the user's class loader knows it, ours does not
    }
  }
}
