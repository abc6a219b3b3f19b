package dev.staunch.execute;

/** What a step does with its operands, once they are there. */
interface Action {
  /**
   * The value of the one result; an {@code Object[]} for several; {@code Door.NOTHING} for none; or
   * one fault for all.
   *
   * @param visit the place of this call in the order of the frame's steps
   */
  Object apply(Frame frame, Object[] operands, long visit);

  /** Whether faulted and pending operands are kept out; calls hand them on to the callee. */
  default boolean strict() {
    return true;
  }
}
