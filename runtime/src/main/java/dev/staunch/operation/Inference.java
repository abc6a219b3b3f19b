package dev.staunch.operation;

/**
 * Determines an operation's results without computing them: from the forms of its tensors and the
 * values of its other arguments, without reading an element. The kernel of the same entry uses the
 * same checks, so that it fails where the inference does, with the same fault.
 */
@FunctionalInterface
public interface Inference {

  /** Why nothing is known about an operation's results before it runs. */
  enum Unknown {
    /** They depend on elements; they have no more elements than all operands together. */
    DEPENDS_ON_VALUES,
    /** They depend on elements, which may ask for any size. */
    UNBOUNDED,
    /** The operation is composed of others, one of which has no inference. */
    NOT_INFERRED
  }

  /** For operations whose result shapes depend on elements, such as {@code nonzero}. */
  Inference OF_VALUES = operands -> Unknown.DEPENDS_ON_VALUES;

  /**
   * What the kernel would return for these operands, with a {@link TensorForm} in place of each
   * tensor; or its {@link dev.staunch.fault.Fault}, or an {@link Unknown}. Does not predict faults
   * that only a run can reveal, such as a lack of memory.
   */
  Object infer(Operands operands);
}
