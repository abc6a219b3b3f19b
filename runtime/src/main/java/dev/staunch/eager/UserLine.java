package dev.staunch.eager;

import dev.staunch.fault.SourceLocation;
import java.lang.StackWalker.StackFrame;
import java.util.Set;

/** Finds the line of the user's program that called into this room; only walked on failure (F7). */
final class UserLine {
  private static final Set<String> OURS =
      Set.of(UserLine.class.getName(), Context.class.getName(), Tensor.class.getName());

  private UserLine() {}

  static SourceLocation here() {
    return StackWalker.getInstance()
        .walk(frames ->
            frames
                .filter(frame -> !OURS.contains(frame.getClassName()))
                .findFirst()
                .map(UserLine::location)
                .orElse(SourceLocation.of("java", 0, 0)));
  }

  private static SourceLocation location(StackFrame frame) {
    String file = frame.getFileName();
    return SourceLocation.of(
        file == null ? frame.getClassName() : file, Math.max(0, frame.getLineNumber()), 0);
  }
}
