package dev.staunch.execute;

import dev.staunch.kernel.Call;

/** What a step does with its operands, once they are available. */
interface Action {
  /**
   * Returns the value of the single result; an {@code Object[]} for several; {@code
   * CatalogEntry.NOTHING} for none; or one fault for all.
   *
   * @param call the operands; the frame's next step reuses this object, so an action that runs
   *     other steps reads what it needs first
   * @param site where the step stands
   */
  Object apply(Frame frame, Call call, Site site);

  /**
   * How many of the first operands must be available and without fault in a dataflow function; the
   * others are passed on as they are.
   */
  default int needed(int operands) {
    return operands;
  }

  /**
   * Whether the action only moves values about. A cancelled request does not stop at such a step
   * but at the next one of another kind, so that the clock is not read between any two of these
   * (C5).
   */
  default boolean light() {
    return false;
  }

  /** Whether the action may write a tensor, set a mode, or run steps that do. */
  default boolean mayWrite() {
    return false;
  }

  /** Whether the result may be in channels-last order. */
  default boolean ordersImages() {
    return false;
  }

  /** When the action computes the last of its operations. */
  default PlannedOperation.Evaluation evaluation() {
    return PlannedOperation.Evaluation.EACH_TIME;
  }
}
