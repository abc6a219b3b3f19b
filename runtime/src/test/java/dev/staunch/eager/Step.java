package dev.staunch.eager;

import dev.staunch.fault.FaultType;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * One step of a random program. Tensors are identified by the numbers of their places. A step that
 * names an empty place does nothing, so any steps may be left out.
 */
sealed interface Step {
  /** A tensor in an argument, by its place. */
  record Ref(int place) {
    /** The references in a value, at any depth of lists. */
    static List<Ref> in(Object value) {
      return switch (value) {
        case Ref ref -> List.of(ref);
        case List<?> list -> list.stream().flatMap(each -> in(each).stream()).toList();
        default -> List.of();
      };
    }

    @Override
    public String toString() {
      return "t" + place;
    }
  }

  /** Puts a new tensor into a place. */
  record Make(int place, TensorSpec spec) implements Step {
    @Override
    public String toString() {
      return "t" + place + " = " + spec;
    }
  }

  /**
   * Calls an operation.
   *
   * @param places where its tensors go, including those in lists
   * @param waits whether to wait for the value itself, as an operation that returns no tensor must
   */
  record Apply(String operation, List<Object> arguments, int[] places, boolean waits)
      implements Step {
    /** The place of the {@code i}th tensor that this step returns; -1 if there is none for it. */
    int place(int i) {
      return i < places.length ? places[i] : -1;
    }

    @Override
    public String toString() {
      String how = waits ? " = wait " : " = ";
      return "t" + Arrays.toString(places) + how + operation + arguments;
    }
  }

  /** Closes the handle at a place. */
  record Close(int place) implements Step {}

  /** Reads what is at a place. */
  record Check(int place) implements Step {}

  /** Seeds the random numbers. */
  record Seed(long seed) implements Step {}

  /** Waits for everything that was called, and checks the account. */
  record Count() implements Step {}

  /**
   * Steps in a scope of their own, and what happens to that scope meanwhile.
   *
   * @param micros how long after the start it happens
   * @param using whether the scope owns what is made in it and hands {@code kept} on
   */
  record Block(Trouble trouble, int micros, boolean using, List<Step> steps, int[] kept)
      implements Step {
    Block with(List<Step> others) {
      return new Block(trouble, micros, using, others, kept);
    }

    /** Whether what is made in this block is closed with it, except for what it keeps. */
    boolean owns() {
      return using || trouble == Trouble.CLOSE;
    }

    boolean keeps(int place) {
      return trouble != Trouble.CLOSE && Arrays.stream(kept).anyMatch(each -> each == place);
    }

    @Override
    public String toString() {
      return trouble
          + (using ? " using" : "")
          + " after "
          + micros
          + " us, keeps "
          + Arrays.toString(kept)
          + " {\n"
          + text(steps, "  ")
          + "}";
    }
  }

  /** What happens to a block. */
  enum Trouble {
    NONE,
    /** It is cancelled before its first step. */
    CANCELLED,
    /** Another thread cancels it. */
    CANCEL,
    DEADLINE,
    /** Another thread interrupts the thread that runs it. */
    INTERRUPT,
    /** Another thread closes its scope. */
    CLOSE;

    /** The faults with which this ends waits and operations. */
    Set<FaultType> ends() {
      return switch (this) {
        case NONE -> Set.of();
        case CANCELLED, CANCEL, INTERRUPT -> Set.of(FaultType.CANCELLED);
        case DEADLINE -> Set.of(FaultType.DEADLINE_EXCEEDED);
        case CLOSE -> Set.of(FaultType.CLOSED);
      };
    }

    /** Whether timing decides which steps it hits. */
    boolean races() {
      return this != NONE && this != CANCELLED;
    }
  }

  /** A line for each step. */
  static String text(List<Step> steps, String indent) {
    StringBuilder text = new StringBuilder();
    steps.forEach(step -> text.append(step.toString().indent(indent.length())));
    return text.toString();
  }
}
