package dev.staunch.fault;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An error as a value (F1). An operation that cannot produce a result puts one of these in its
 * place; operations that depend on it hand the same object on (F2). Immutable and safe to share
 * between threads; costs nothing until something fails.
 *
 * <p>{@code withX} methods return a fault that knows more; they are called on the way up, while the
 * fault is still private to its frame.
 *
 * @param type what went wrong
 * @param message a sentence without a capital and without a full stop (F9)
 * @param operation the operation that failed, such as {@code aten::linear}
 * @param operands what it was given, one short description each ({@code input: float32[3, 15]})
 * @param source the line that asked for the operation
 * @param path from the outside in: request, calls, branches and iterations that led here
 * @param raised the exception's name if a script raised it, such as {@code builtins.ValueError}
 * @param input the name of the request's input or the record of the archive that is to blame
 * @param expected what would have been right
 * @param actual what was found
 * @param cause the Java throwable behind it
 * @param suppressed other faults that reached the same place, in program order (F6)
 */
public record Fault(
    FaultType type,
    String message,
    @Nullable String operation,
    List<String> operands,
    @Nullable SourceLocation source,
    List<Frame> path,
    @Nullable String raised,
    @Nullable String input,
    @Nullable String expected,
    @Nullable String actual,
    @Nullable Throwable cause,
    List<Fault> suppressed) {

  /** One step of the way to a fault: a function of the script and the line it had reached. */
  public record Frame(String function, @Nullable SourceLocation source) {}

  public Fault {
    operands = List.copyOf(operands);
    path = List.copyOf(path);
    suppressed = List.copyOf(suppressed);
  }

  public static Fault of(FaultType type, String message) {
    return new Fault(
        type, message, null, List.of(), null, List.of(), null, null, null, null, null, List.of());
  }

  public static Fault shape(String message) {
    return of(FaultType.SHAPE, message);
  }

  public static Fault dtype(String message) {
    return of(FaultType.DTYPE, message);
  }

  public static Fault index(String message) {
    return of(FaultType.INDEX, message);
  }

  public static Fault value(String message) {
    return of(FaultType.VALUE, message);
  }

  public static Fault internal(String message) {
    return of(FaultType.INTERNAL, message);
  }

  public static Fault unsupported(String message) {
    return of(FaultType.UNSUPPORTED, message);
  }

  /** A fault of damaged data; {@code record} names the member, attribute path or line to blame. */
  public static Fault data(String record, String message) {
    return of(FaultType.DATA_FORMAT, message).withInput(record);
  }

  /** The fault that stands for a throwable which escaped from a kernel or a callback (F11). */
  public static Fault thrown(Throwable thrown) {
    if (thrown instanceof StaunchException known) {
      return known.fault();
    }
    FaultType type =
        thrown instanceof OutOfMemoryError ? FaultType.OUT_OF_MEMORY : FaultType.INTERNAL;
    String text = thrown.getMessage();
    String name = thrown.getClass().getSimpleName();
    return of(
            type, text == null ? "a kernel threw " + name : "a kernel threw " + name + ": " + text)
        .withCause(thrown);
  }

  public FaultCategory category() {
    return type.category();
  }

  public Fault withOperation(String name, List<String> described) {
    return new Fault(
        type,
        message,
        name,
        described,
        source,
        path,
        raised,
        input,
        expected,
        actual,
        cause,
        suppressed);
  }

  public Fault withSource(@Nullable SourceLocation where) {
    return new Fault(
        type,
        message,
        operation,
        operands,
        where,
        path,
        raised,
        input,
        expected,
        actual,
        cause,
        suppressed);
  }

  public Fault withRaised(String exception) {
    return new Fault(
        type,
        message,
        operation,
        operands,
        source,
        path,
        exception,
        input,
        expected,
        actual,
        cause,
        suppressed);
  }

  public Fault withInput(String name) {
    return new Fault(
        type,
        message,
        operation,
        operands,
        source,
        path,
        raised,
        name,
        expected,
        actual,
        cause,
        suppressed);
  }

  public Fault withExpected(String wanted, String found) {
    return new Fault(
        type,
        message,
        operation,
        operands,
        source,
        path,
        raised,
        input,
        wanted,
        found,
        cause,
        suppressed);
  }

  public Fault withCause(Throwable thrown) {
    return new Fault(
        type,
        message,
        operation,
        operands,
        source,
        path,
        raised,
        input,
        expected,
        actual,
        thrown,
        suppressed);
  }

  public Fault withMessage(String text) {
    return new Fault(
        type,
        text,
        operation,
        operands,
        source,
        path,
        raised,
        input,
        expected,
        actual,
        cause,
        suppressed);
  }

  /** This fault seen from one call further out: {@code frame} becomes the outermost of the path. */
  public Fault within(Frame frame) {
    List<Frame> longer = new ArrayList<>(path.size() + 1);
    longer.add(frame);
    longer.addAll(path);
    return new Fault(
        type,
        message,
        operation,
        operands,
        source,
        longer,
        raised,
        input,
        expected,
        actual,
        cause,
        suppressed);
  }

  /** This fault as the primary one, with {@code others} attached (F6). */
  public Fault withSuppressed(List<Fault> others) {
    List<Fault> all = new ArrayList<>(suppressed);
    all.addAll(others);
    return new Fault(
        type, message, operation, operands, source, path, raised, input, expected, actual, cause,
        all);
  }

  /**
   * The exception to throw at the edge; a new one at each call, so that its stack is the caller's.
   */
  public StaunchException toException() {
    return StaunchException.of(this);
  }

  /** The message alone; {@link Report} prints the whole. */
  @Override
  public String toString() {
    return type.word() + ": " + message;
  }
}
