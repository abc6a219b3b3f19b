package dev.staunch.eager;

import dev.staunch.fault.CallSite;
import java.security.CodeSource;

/**
 * The line of the user's program that called into the runtime: noted when an operation fails at
 * once, or when it is put off (F7).
 */
final class UserLine {
  private UserLine() {}

  static CallSite here() {
    return CallSite.outside(UserLine::isOurs);
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
