package dev.staunch.fault;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The place in a Java program that called into the runtime. The stack is captured at once, which
 * costs about a microsecond plus three for every hundred frames. It is searched for the line only
 * when a caller asks, which costs several microseconds. Thread-safe.
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
   * Captures the calling stack, to find its innermost frame outside the given classes.
   *
   * @param inner which classes, by name, count as inside
   */
  public static CallSite outside(Predicate<String> inner) {
    return new CallSite(inner);
  }

  public SourceLocation source() {
    return SourceLocation.deferred(this::find);
  }

  /** The calling stack from the innermost outside frame on, innermost first. */
  public List<StackTraceElement> stack() {
    return Arrays.stream(mark.getStackTrace())
        .dropWhile(frame -> !isOutside(frame, inner))
        .toList();
  }

  private SourceLocation find() {
    SourceLocation line = nearest(List.of(mark.getStackTrace()), inner);
    return line == null ? SourceLocation.of("unknown", 0, 0) : line;
  }

  /**
   * The line of the innermost outside frame of {@code stack}, which is ordered innermost first;
   * null if every frame is inside.
   */
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
