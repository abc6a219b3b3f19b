package dev.staunch.operation;

/**
 * What an operation gives, found out without computing it: from the forms of its tensors and the
 * values of its other arguments, touching no element. The kernel of the same entry stands on the
 * same checks, so that it fails where this does, with the same fault.
 */
@FunctionalInterface
public interface Inference {

  /** Why nothing is known of an operation's results before it has run. */
  enum Unknown {
    /** They hang on elements; there are no more of them than of the operands' all together. */
    DEPENDS_ON_VALUES,
    /** They hang on elements, which may ask for any number of them. */
    UNBOUNDED,
    /** It is made of others, of which one has no inference. */
    NOT_INFERRED
  }

  /** Of operations whose results' shapes hang on elements, as those of {@code nonzero} do. */
  Inference OF_VALUES = operands -> Unknown.DEPENDS_ON_VALUES;

  /**
   * What the kernel would give for these operands, with a {@link TensorForm} in place of each
   * tensor, or its {@link dev.staunch.fault.Fault}; or an {@link Unknown}. What only a run can find
   * out, such as a lack of memory, is not foreseen.
   */
  Object infer(Operands operands);
}
