package dev.staunch.execute;

import dev.staunch.kernel.Call;

/** What a step does with its operands, once they are there. */
interface Action {
  /**
   * The value of the one result; an {@code Object[]} for several; {@code CatalogEntry.NOTHING} for
   * none; or one fault for all.
   *
   * @param call the operands; the frame's next step uses the same object, so an action that runs
   *     other steps reads what it needs first
   * @param site where the step stands
   */
  Object apply(Frame frame, Call call, Site site);

  /**
   * How many of its first operands have to be there and good, in a dataflow function; the others it
   * hands on as they are.
   */
  default int needed(int operands) {
    return operands;
  }

  /**
   * Whether it merely moves values about. A cancelled request is then not stopped here but at its
   * next step of another kind, so that the clock is not read between any two of these (C5).
   */
  default boolean light() {
    return false;
  }

  /** Whether it may write a tensor, set a mode, or run steps that do. */
  default boolean mayWrite() {
    return false;
  }

  /** Whether its result may lie with its channels last. */
  default boolean ordersImages() {
    return false;
  }

  /** When it computes the last of its operations. */
  default PlannedOperation.Making making() {
    return PlannedOperation.Making.EACH_TIME;
  }
}
