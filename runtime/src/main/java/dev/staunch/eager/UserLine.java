package dev.staunch.eager;

import dev.staunch.fault.SourceLocation;
import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.security.CodeSource;
import org.jspecify.annotations.Nullable;

/**
 * Finds the line of the user's program that called into the runtime: walked when an operation fails
 * at once, or when it is put off (F7).
 */
final class UserLine {
  private static final StackWalker WALKER = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);

  /** Whether a class is one of ours, which depends on where it was loaded from. */
  private static final ClassValue<Boolean> OURS =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          CodeSource home = UserLine.class.getProtectionDomain().getCodeSource();
          CodeSource other = type.getProtectionDomain().getCodeSource();
          return home == null ? type.getModule() == UserLine.class.getModule() : home.equals(other);
        }
      };

  private UserLine() {}

  static @Nullable SourceLocation here() {
    return WALKER.walk(frames ->
        frames
            .filter(frame -> !OURS.get(frame.getDeclaringClass()))
            .filter(frame -> !frame.getClassName().startsWith("java."))
            .findFirst()
            .map(UserLine::location)
            .orElse(null));
  }

  private static SourceLocation location(StackFrame frame) {
    String file = frame.getFileName();
    return SourceLocation.of(
        file == null ? frame.getClassName() : file, Math.max(0, frame.getLineNumber()), 0);
  }
}
