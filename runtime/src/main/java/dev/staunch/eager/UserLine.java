package dev.staunch.eager;

import dev.staunch.fault.CallSite;
import dev.staunch.fault.Fault;
import dev.staunch.fault.SourceLocation;
import dev.staunch.tensor.DenseTensor;
import java.security.CodeSource;

/**
 * The line of the user's program that called into the runtime; captured when an operation fails at
 * once, or when it is deferred (F7).
 */
final class UserLine {
  private UserLine() {}

  static SourceLocation here() {
    return callSite().source();
  }

  static CallSite callSite() {
    return CallSite.outside(UserLine::isOurs);
  }

  /** The fault of using the closed {@code tensor}, with the line that created it, if known. */
  static Fault closedFault(DenseTensor tensor) {
    SourceLocation made = CallSite.nearest(tensor.madeAt(), UserLine::isOurs);
    return made == null ? tensor.closedFault() : tensor.closedFault(made);
  }

  /** Whether a class was loaded from the same place as this one. */
  private static boolean isOurs(String className) {
    try {
      Class<?> type = Class.forName(className, false, UserLine.class.getClassLoader());
      CodeSource home = UserLine.class.getProtectionDomain().getCodeSource();
      CodeSource other = type.getProtectionDomain().getCodeSource();
      return home == null
          ? type.getModule().equals(UserLine.class.getModule())
          : home.equals(other);
    } catch (ClassNotFoundException e) {
      return false; // only the user's class loader knows it
    }
  }
}
