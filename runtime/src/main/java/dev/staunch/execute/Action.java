package dev.staunch.execute;

/** What a step does with its operands, once they are there. */
interface Action {
  /**
   * The value of the one result; an {@code Object[]} for several; {@code Door.NOTHING} for none; or
   * one fault for all.
   */
  Object apply(Frame frame, Object[] operands);

  /** Whether faulted and pending operands are kept out; calls hand them on to the callee. */
  default boolean strict() {
    return true;
  }
}
