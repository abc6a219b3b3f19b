package dev.staunch.eager;

import dev.staunch.fault.SourceLocation;
import java.lang.StackWalker.StackFrame;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the line of the user's program that called into this room; only walked on failure (F7). */
final class UserLine {
  private static final Set<String> OURS =
      Stream.concat(
              Stream.of(
                  UserLine.class,
                  Context.class,
                  Creation.class,
                  RandomCreation.class,
                  Tensor.class,
                  Applicable.class,
                  Indexer.class,
                  IndexedValues.class),
              Arrays.stream(Applicable.class.getPermittedSubclasses()))
          .map(Class::getName)
          .collect(Collectors.toUnmodifiableSet());

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
