package dev.staunch.fault;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An error as a value. An operation that cannot produce a result puts one of these in its place;
 * operations that depend on it hand the same object on. Immutable, but for the count of what it
 * {@linkplain #reach reached}, and safe to share between threads; costs nothing until something
 * fails.
 *
 * <p>{@code withX} methods return a fault that knows more; they are called on the way up, while the
 * fault is still private to its frame. All copies share one {@link Reach} and are one fault.
 */
public final class Fault {
  /** How many other faults one carries along; beyond, the earliest in program order are kept. */
  public static final int MAX_SUPPRESSED = 16;

  private final FaultType type;
  private final String message;
  private final @Nullable String operation;
  private final List<String> operands;
  private final @Nullable SourceLocation source;
  private final @Nullable CallSite site;
  private final List<Frame> path;
  private final @Nullable String module;
  private final @Nullable String raised;
  private final @Nullable String input;
  private final @Nullable String expected;
  private final @Nullable String actual;
  private final @Nullable Throwable cause;
  private final @Nullable CancelReason reason;
  private final @Nullable ProgramPoint origin;
  private final List<Fault> suppressed;
  private final Reach reach;

  /** One step of the way to a fault: a function of the script and the line it had reached. */
  public record Frame(String function, @Nullable SourceLocation source) {}

  /** A fault being made or copied. */
  private static final class Draft {
    final FaultType type;
    String message;
    @Nullable String operation;
    List<String> operands = List.of();
    @Nullable SourceLocation source;
    @Nullable CallSite site;
    List<Frame> path = List.of();
    @Nullable String module;
    @Nullable String raised;
    @Nullable String input;
    @Nullable String expected;
    @Nullable String actual;
    @Nullable Throwable cause;
    @Nullable CancelReason reason;
    @Nullable ProgramPoint origin;
    List<Fault> suppressed = List.of();
    Reach reach;

    Draft(FaultType type, String message) {
      this.type = type;
      this.message = message;
      this.reach = new Reach();
    }

    Draft(Fault from) {
      this.type = from.type;
      this.message = from.message;
      this.operation = from.operation;
      this.operands = from.operands;
      this.source = from.source;
      this.site = from.site;
      this.path = from.path;
      this.module = from.module;
      this.raised = from.raised;
      this.input = from.input;
      this.expected = from.expected;
      this.actual = from.actual;
      this.cause = from.cause;
      this.reason = from.reason;
      this.origin = from.origin;
      this.suppressed = from.suppressed;
      this.reach = from.reach;
    }
  }

  private Fault(Draft draft) {
    this.type = draft.type;
    this.message = draft.message;
    this.operation = draft.operation;
    this.operands = List.copyOf(draft.operands);
    this.source = draft.source;
    this.site = draft.site;
    this.path = List.copyOf(draft.path);
    this.module = draft.module;
    this.raised = draft.raised;
    this.input = draft.input;
    this.expected = draft.expected;
    this.actual = draft.actual;
    this.cause = draft.cause;
    this.reason = draft.reason;
    this.origin = draft.origin;
    this.suppressed = List.copyOf(draft.suppressed);
    this.reach = draft.reach;
  }

  public static Fault of(FaultType type, String message) {
    return new Fault(new Draft(type, message));
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

  /** The fault of what was cancelled; a passed deadline has a type of its own. */
  public static Fault cancelled(CancelReason why, String message) {
    boolean late = why == CancelReason.DEADLINE;
    Draft draft = new Draft(late ? FaultType.DEADLINE_EXCEEDED : FaultType.CANCELLED, message);
    draft.reason = why;
    return new Fault(draft);
  }

  /** The fault that stands for a throwable which escaped from a kernel or a callback. */
  public static Fault thrown(Throwable thrown) {
    if (thrown instanceof StaunchException known) {
      return known.fault();
    }
    if (isLostPage(thrown)) {
      return of(
              FaultType.DATA_FORMAT,
              "a mapped file could not be read any more: it was cut short while it was in use, or"
                  + " its device failed; load it again")
          .withCause(thrown);
    }
    FaultType type =
        thrown instanceof OutOfMemoryError ? FaultType.OUT_OF_MEMORY : FaultType.INTERNAL;
    String text = thrown.getMessage();
    String what = "the code that ran threw " + thrown.getClass().getSimpleName();
    return of(type, text == null ? what : what + ": " + text).withCause(thrown);
  }

  /** How the JVM says that a page of a mapped file is gone. */
  private static boolean isLostPage(Throwable thrown) {
    return thrown instanceof InternalError error
        && String.valueOf(error.getMessage()).contains("unsafe memory access");
  }

  /** What went wrong. */
  public FaultType type() {
    return type;
  }

  public FaultCategory category() {
    return type.category();
  }

  /** A sentence without a capital and without a full stop. */
  public String message() {
    return message;
  }

  /** The operation that failed, such as {@code aten::linear}. */
  public @Nullable String operation() {
    return operation;
  }

  /** What it was given, one short description each ({@code input: float32[3, 15]}). */
  public List<String> operands() {
    return operands;
  }

  /** The line that asked for the operation. */
  public @Nullable SourceLocation source() {
    return source == null && site != null ? site.source() : source;
  }

  /** Whether {@link #source} is known; cheaper than asking for it. */
  public boolean hasSource() {
    return source != null || site != null;
  }

  /** From the outside in: request, calls, branches and iterations that led here. */
  public List<Frame> path() {
    return path;
  }

  /**
   * The part of the model in which it arose, by its dotted name ({@code encoder.layers.3.linear1});
   * null for the model itself, or if it is not known.
   */
  public @Nullable String module() {
    return module;
  }

  /** The exception's name if a script raised it, such as {@code builtins.ValueError}. */
  public @Nullable String raised() {
    return raised;
  }

  /** The name of the request's input or the record of the archive that is to blame. */
  public @Nullable String input() {
    return input;
  }

  /** What would have been right. */
  public @Nullable String expected() {
    return expected;
  }

  /** What was found. */
  public @Nullable String actual() {
    return actual;
  }

  /** The Java throwable behind it. */
  public @Nullable Throwable cause() {
    return cause;
  }

  /** Why the work was cancelled, if it was. */
  public @Nullable CancelReason reason() {
    return reason;
  }

  /** Where in program order it arose, if that is known. */
  public @Nullable ProgramPoint origin() {
    return origin;
  }

  /** Other faults that reached the same place, in program order. */
  public List<Fault> suppressed() {
    return suppressed;
  }

  /** What this fault reached: operations skipped because of it, and readers. */
  public Reach reach() {
    return reach;
  }

  /** Whether {@code other} is this fault, perhaps a copy that knows more or less. */
  public boolean isSameAs(Fault other) {
    return reach == other.reach;
  }

  public Fault withOperation(String name, List<String> described) {
    Draft draft = new Draft(this);
    draft.operation = name;
    draft.operands = described;
    return new Fault(draft);
  }

  /**
   * This fault as it arises in a call of the operation {@code name}: another one for each call,
   * though the kernel may have handed out the same object before. What was cancelled stays the one
   * fault of its scope.
   */
  public Fault arisingIn(String name, List<String> described) {
    Draft draft = new Draft(this);
    draft.operation = name;
    draft.operands = described;
    if (category() != FaultCategory.CANCELLED) {
      draft.reach = new Reach();
    }
    return new Fault(draft);
  }

  public Fault withSource(@Nullable SourceLocation where) {
    Draft draft = new Draft(this);
    draft.source = where;
    return new Fault(draft);
  }

  /** This fault, asked for by a Java program. */
  public Fault withSource(CallSite where) {
    Draft draft = new Draft(this);
    draft.site = where;
    return new Fault(draft);
  }

  public Fault withRaised(String exception) {
    Draft draft = new Draft(this);
    draft.raised = exception;
    return new Fault(draft);
  }

  public Fault withInput(String name) {
    Draft draft = new Draft(this);
    draft.input = name;
    return new Fault(draft);
  }

  public Fault withExpected(String wanted, String found) {
    Draft draft = new Draft(this);
    draft.expected = wanted;
    draft.actual = found;
    return new Fault(draft);
  }

  public Fault withCause(Throwable thrown) {
    Draft draft = new Draft(this);
    draft.cause = thrown;
    return new Fault(draft);
  }

  public Fault withMessage(String text) {
    Draft draft = new Draft(this);
    draft.message = text;
    return new Fault(draft);
  }

  public Fault withOrigin(ProgramPoint where) {
    Draft draft = new Draft(this);
    draft.origin = where;
    return new Fault(draft);
  }

  /** This fault seen from one call further out: {@code frame} becomes the outermost of the path. */
  public Fault within(Frame frame) {
    List<Frame> longer = new ArrayList<>(path.size() + 1);
    longer.add(frame);
    longer.addAll(path);
    Draft draft = new Draft(this);
    draft.path = longer;
    return new Fault(draft);
  }

  /** This fault with another path, from the outside in. */
  public Fault withPath(List<Frame> frames) {
    Draft draft = new Draft(this);
    draft.path = frames;
    return new Fault(draft);
  }

  /** This fault, which arose in that part of the model. */
  public Fault withModule(String name) {
    Draft draft = new Draft(this);
    draft.module = name;
    return new Fault(draft);
  }

  /** This fault as the primary one, with {@code others} attached. */
  public Fault withSuppressed(List<Fault> others) {
    List<Fault> all = new ArrayList<>(suppressed);
    all.addAll(others);
    Draft draft = new Draft(this);
    draft.suppressed = all;
    return new Fault(draft);
  }

  /**
   * What an operation hands on if both this and {@code other} reached it: the one that arose first
   * in program order, or failed if the other was cancelled, the other and whatever they carried
   * attached, each fault once. Returns the very same object if that adds nothing. The order of
   * merging does not matter.
   */
  public Fault merge(Fault other) {
    return other == this ? this : FaultMerge.of(this, other);
  }

  /**
   * The first of {@code faults} in program order with all the others attached, and what they
   * carried, each once.
   *
   * @param faults at least one
   */
  public static Fault joined(List<Fault> faults) {
    return FaultMerge.all(faults);
  }

  /**
   * A fault of the same content that is another one: reading it does not read this. What is skipped
   * because of either counts for both.
   */
  public Fault copy() {
    Draft draft = new Draft(this);
    draft.reach = reach.copy();
    return new Fault(draft);
  }

  /**
   * This fault as it comes out of a piece of work: if somebody knows of it or has read it, a copy,
   * for nobody has read that it came this far, and whether anybody has read it where it arose
   * depends on the schedule. What was cancelled stays the one fault of its scope.
   */
  public Fault rethrown() {
    boolean isNew = !reach.isKnown() && !reach.isRead();
    return isNew || category() == FaultCategory.CANCELLED ? this : copy();
  }

  /** This fault with nothing attached. */
  Fault alone() {
    if (suppressed.isEmpty()) {
      return this;
    }
    Draft draft = new Draft(this);
    draft.suppressed = List.of();
    return new Fault(draft);
  }

  /**
   * The exception to throw at the edge; a new one at each call, so that its stack is the caller's.
   * Counts as reading this fault and those attached.
   */
  public StaunchException toException() {
    markRead();
    return StaunchException.of(this);
  }

  /**
   * As {@link #toException}, thrown by what is called below the edge as well as there: nobody has
   * seen this fault by that.
   */
  public StaunchException toUnreadException() {
    return StaunchException.of(this);
  }

  /** Notes that this fault and those attached, at whatever depth, have been seen. */
  public void markRead() {
    reach.markRead();
    suppressed.forEach(Fault::markRead);
  }

  /** The message alone; {@link Report} prints the whole. */
  @Override
  public String toString() {
    return type.word() + ": " + message;
  }
}
