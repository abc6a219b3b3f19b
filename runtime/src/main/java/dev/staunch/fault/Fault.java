package dev.staunch.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An error as a value. An operation that cannot produce a result puts a fault in its place, and
 * operations that depend on it pass the same object on. A fault is immutable except for the count
 * of what it {@linkplain #reach reached}, and safe to share between threads. It costs nothing until
 * something fails.
 *
 * <p>The {@code withX} methods return a fault with more detail. They are called on the way up,
 * while the fault is still private to its frame. All copies share one {@link Reach} and are the
 * same fault.
 */
public final class Fault {
  /**
   * How many other faults a fault carries; of more than that, the earliest in program order are
   * kept.
   */
  public static final int MAX_SUPPRESSED = 16;

  /** Never written after construction. */
  private final Facts facts;

  /** One step of the path to a fault: a function of the script and the line that it had reached. */
  public record Frame(String function, @Nullable SourceLocation source) {}

  /**
   * The cast of one operand that mends a dtype fault.
   *
   * @param from the operand's dtype
   * @param to the dtype to cast it to
   * @param advice says so, at the end of the message
   */
  public record Cast(String from, String to, String advice) {}

  /** The contents of a fault; each field is described at the accessor of the same name. */
  private static final class Facts {
    final FaultType type;
    String message;
    @Nullable String operation;
    List<String> operands = List.of();
    @Nullable SourceLocation source;
    List<Frame> path = List.of();
    @Nullable String module;
    @Nullable String raised;
    @Nullable String input;
    @Nullable Object wanted;
    @Nullable Object found;
    @Nullable Cast cast;
    @Nullable Throwable cause;
    @Nullable CancelReason reason;
    @Nullable ProgramPoint origin;
    List<Fault> suppressed = List.of();
    Reach reach;

    Facts(FaultType type, String message) {
      this.type = type;
      this.message = message;
      this.reach = new Reach();
    }

    Facts(Facts from) {
      this.type = from.type;
      this.message = from.message;
      this.operation = from.operation;
      this.operands = from.operands;
      this.source = from.source;
      this.path = from.path;
      this.module = from.module;
      this.raised = from.raised;
      this.input = from.input;
      this.wanted = from.wanted;
      this.found = from.found;
      this.cast = from.cast;
      this.cause = from.cause;
      this.reason = from.reason;
      this.origin = from.origin;
      this.suppressed = from.suppressed;
      this.reach = from.reach;
    }
  }

  private Fault(Facts facts) {
    facts.operands = List.copyOf(facts.operands);
    facts.path = List.copyOf(facts.path);
    facts.suppressed = List.copyOf(facts.suppressed);
    this.facts = facts;
  }

  /** A copy with the contents changed by {@code change}. */
  private Fault with(Consumer<Facts> change) {
    Facts changed = new Facts(facts);
    change.accept(changed);
    return new Fault(changed);
  }

  public static Fault of(FaultType type, String message) {
    return new Fault(new Facts(type, message));
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

  /** A fault for damaged data; {@code record} names the member, attribute path or line at fault. */
  public static Fault data(String record, String message) {
    return of(FaultType.DATA_FORMAT, message).withInput(record);
  }

  /** The fault of cancelled work; a passed deadline has a type of its own. */
  public static Fault cancelled(CancelReason why, String message) {
    boolean late = why == CancelReason.DEADLINE;
    Facts draft = new Facts(late ? FaultType.DEADLINE_EXCEEDED : FaultType.CANCELLED, message);
    draft.reason = why;
    return new Fault(draft);
  }

  /** The fault for a throwable that escaped from a kernel or a callback. */
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

  /** Whether the JVM threw this because a page of a mapped file is gone. */
  private static boolean isLostPage(Throwable thrown) {
    return thrown instanceof InternalError error
        && String.valueOf(error.getMessage()).contains("unsafe memory access");
  }

  /** What went wrong. */
  public FaultType type() {
    return facts.type;
  }

  public FaultCategory category() {
    return facts.type.category();
  }

  /** A sentence without an initial capital and without a full stop. */
  public String message() {
    return facts.cast == null ? facts.message : facts.message + "; " + facts.cast.advice();
  }

  /** The operation that failed, such as {@code aten::linear}. */
  public @Nullable String operation() {
    return facts.operation;
  }

  /** The operands, one short description each ({@code input: float32[3, 15]}). */
  public List<String> operands() {
    return facts.operands;
  }

  /** The line that asked for the operation. */
  public @Nullable SourceLocation source() {
    return facts.source;
  }

  /** The requests, calls, branches and iterations that led here, outermost first. */
  public List<Frame> path() {
    return facts.path;
  }

  /**
   * The part of the model where the fault arose, by its dotted name ({@code
   * encoder.layers.3.linear1}); null for the model itself, or if it is not known.
   */
  public @Nullable String module() {
    return facts.module;
  }

  /** The exception's name, such as {@code builtins.ValueError}, if a script raised it. */
  public @Nullable String raised() {
    return facts.raised;
  }

  /**
   * The name of the request's input or of the archive's record that is at fault. For a fault that
   * an operation returns, the name of its parameter, if the operation says which.
   */
  public @Nullable String input() {
    return facts.input;
  }

  /** What would have been valid, in words. */
  public @Nullable String expected() {
    return facts.wanted == null ? null : facts.wanted.toString();
  }

  /** What was found instead, in words. */
  public @Nullable String actual() {
    return facts.found == null ? null : facts.found.toString();
  }

  /** What would have been valid, as data if what failed said it so. */
  public @Nullable Object wanted() {
    return facts.wanted;
  }

  /** What was found instead, as data if what failed said it so. */
  public @Nullable Object found() {
    return facts.found;
  }

  /** The cast of one operand that the message advises, if it does. */
  public @Nullable Cast cast() {
    return facts.cast;
  }

  /** The Java throwable that caused this fault, if any. */
  public @Nullable Throwable cause() {
    return facts.cause;
  }

  /** Why the work was cancelled, if it was. */
  public @Nullable CancelReason reason() {
    return facts.reason;
  }

  /** Where in program order the fault arose, if that is known. */
  public @Nullable ProgramPoint origin() {
    return facts.origin;
  }

  /** Other faults that reached the same place, in program order. */
  public List<Fault> suppressed() {
    return facts.suppressed;
  }

  /** What this fault reached: the operations skipped because of it, and its readers. */
  public Reach reach() {
    return facts.reach;
  }

  /** Whether {@code other} is this fault, perhaps a copy with more or less detail. */
  public boolean isSameAs(Fault other) {
    return facts.reach == other.facts.reach;
  }

  public Fault withOperation(String name, List<String> described) {
    return with(draft -> {
      draft.operation = name;
      draft.operands = described;
    });
  }

  /**
   * This fault as arising in a call of the operation {@code name}: a distinct fault for each call,
   * even if the kernel returned the same object before. A cancellation stays the one fault of its
   * scope.
   */
  public Fault arisingIn(String name, List<String> described) {
    return with(draft -> {
      draft.operation = name;
      draft.operands = described;
      draft.reach = category() == FaultCategory.CANCELLED ? draft.reach : new Reach();
    });
  }

  public Fault withSource(@Nullable SourceLocation where) {
    return with(draft -> draft.source = where);
  }

  public Fault withRaised(String exception) {
    return with(draft -> draft.raised = exception);
  }

  public Fault withInput(@Nullable String name) {
    return with(draft -> draft.input = name);
  }

  /**
   * @param wanted an immutable value; its text is {@link #expected}
   * @param found an immutable value; its text is {@link #actual}
   */
  public Fault withExpected(Object wanted, Object found) {
    return with(draft -> {
      draft.wanted = wanted;
      draft.found = found;
    });
  }

  public Fault withCast(@Nullable Cast advised) {
    return with(draft -> draft.cast = advised);
  }

  public Fault withCause(Throwable thrown) {
    return with(draft -> draft.cause = thrown);
  }

  /** This fault with another message, to which no cast is added. */
  public Fault withMessage(String text) {
    return with(draft -> {
      draft.message = text;
      draft.cast = null;
    });
  }

  public Fault withOrigin(ProgramPoint where) {
    return with(draft -> draft.origin = where);
  }

  /** This fault as seen one call further out: {@code frame} becomes the outermost of the path. */
  public Fault within(Frame frame) {
    List<Frame> longer = new ArrayList<>(facts.path);
    longer.addFirst(frame);
    return with(draft -> draft.path = longer);
  }

  /** This fault with another path, outermost first. */
  public Fault withPath(List<Frame> frames) {
    return with(draft -> draft.path = frames);
  }

  /** This fault, as arising in that part of the model. */
  public Fault withModule(String name) {
    return with(draft -> draft.module = name);
  }

  /** This fault as the primary one, with {@code others} attached. */
  public Fault withSuppressed(List<Fault> others) {
    List<Fault> all = new ArrayList<>(facts.suppressed);
    all.addAll(others);
    return with(draft -> draft.suppressed = all);
  }

  /**
   * The fault that an operation passes on when both this and {@code other} reach it. The one that
   * arose first in program order leads, except that a failure leads a cancellation. The other one,
   * and everything that both carried, is attached, each fault once. Returns the same object if that
   * adds nothing. The order of merging does not matter.
   */
  public Fault merge(Fault other) {
    return other == this ? this : FaultMerge.of(this, other);
  }

  /**
   * The first of {@code faults} in program order, with all the others and everything that they
   * carried attached, each once.
   *
   * @param faults at least one
   */
  public static Fault joined(List<Fault> faults) {
    return FaultMerge.all(faults);
  }

  /**
   * A distinct fault with the same contents: reading it does not mark this one as read. An
   * operation skipped because of either counts for both.
   */
  public Fault copy() {
    return with(draft -> draft.reach = draft.reach.copy());
  }

  /**
   * This fault as it leaves a piece of work. If it is already accounted for or was read, this is a
   * copy: nobody has read yet that the fault came this far, and whether it was read where it arose
   * depends on the schedule. A cancellation stays the one fault of its scope.
   */
  public Fault rethrown() {
    boolean isNew = !facts.reach.isKnown() && !facts.reach.isRead();
    return isNew || category() == FaultCategory.CANCELLED ? this : copy();
  }

  /** This fault with nothing attached. */
  Fault alone() {
    return facts.suppressed.isEmpty() ? this : with(draft -> draft.suppressed = List.of());
  }

  /**
   * The exception to throw at the edge. Each call creates a new one, so its stack is the caller's.
   * Marks this fault and those attached as read.
   */
  public StaunchException toException() {
    markRead();
    return StaunchException.of(this);
  }

  /**
   * As {@link #toException}, for exceptions that may also be thrown below the edge: does not mark
   * the fault as read.
   */
  public StaunchException toUnreadException() {
    return StaunchException.of(this);
  }

  /**
   * The {@code outcome} of what returns either a value of this type or a fault.
   *
   * @throws StaunchException the exception of the fault, if it is one
   */
  public static <T> T orThrow(Object outcome, Class<T> type) {
    if (outcome instanceof Fault fault) {
      throw fault.toException();
    }
    return type.cast(outcome);
  }

  /** Marks this fault and those attached, at any depth, as read. */
  public void markRead() {
    facts.reach.markRead();
    for (Fault other : facts.suppressed) {
      other.markRead();
    }
  }

  /** The message alone; {@link Report} prints the whole fault. */
  @Override
  public String toString() {
    return facts.type.word() + ": " + message();
  }
}
