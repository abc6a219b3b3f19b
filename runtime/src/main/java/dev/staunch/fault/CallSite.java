package dev.staunch.fault;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The place in a Java program from which something was called: the stack is noted at once, which
 * costs about a microsecond and three more for each hundred frames, and looked through for the line
 * when somebody asks, which costs several. Thread-safe.
 */
public final class CallSite {
  /** Holds a stack; never thrown. */
  private static final class Mark extends Throwable {
    private static final long serialVersionUID = 1;

    Mark() {
      super(null, null, false, true);
    }
  }

  private final Mark mark = new Mark();
  private final Predicate<String> inner;

  private CallSite(Predicate<String> inner) {
    this.inner = inner;
  }

  /**
   * The line of the calling stack that is nearest to here and outside.
   *
   * @param inner which classes, by name, count as inside
   */
  public static CallSite outside(Predicate<String> inner) {
    return new CallSite(inner);
  }

  public SourceLocation source() {
    return SourceLocation.deferred(this::find);
  }

  /** The calling stack from the first line outside on, innermost first. */
  public List<StackTraceElement> stack() {
    return Arrays.stream(mark.getStackTrace())
        .dropWhile(frame -> !isOutside(frame, inner))
        .toList();
  }

  private SourceLocation find() {
    SourceLocation line = nearest(List.of(mark.getStackTrace()), inner);
    return line == null ? SourceLocation.of("unknown", 0, 0) : line;
  }

  /** The line of {@code stack}, innermost first, that is nearest and outside; null if none is. */
  public static @Nullable SourceLocation nearest(
      List<StackTraceElement> stack, Predicate<String> inner) {
    for (StackTraceElement frame : stack) {
      if (isOutside(frame, inner)) {
        String file = frame.getFileName();
        String name = file == null ? frame.getClassName() : file;
        return SourceLocation.of(name, Math.max(0, frame.getLineNumber()), 0);
      }
    }
    return null;
  }

  private static boolean isOutside(StackTraceElement frame, Predicate<String> inner) {
    String name = frame.getClassName();
    return !name.equals(CallSite.class.getName()) && !name.startsWith("java.") && !inner.test(name);
  }
}
