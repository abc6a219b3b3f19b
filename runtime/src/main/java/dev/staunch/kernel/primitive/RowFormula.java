package dev.staunch.kernel.primitive;

import java.lang.foreign.MemorySegment;

/**
 * The loop of a pointwise formula of one to three operands over rows of one dtype, without copying
 * them first; the results of a test are bools, and so is the first operand of a choice. A loop is
 * called only with as many operands as its formula takes. Positions count elements. A result of the
 * same dtype may overwrite an operand.
 */
public interface RowFormula {

  /** Combines {@code count} elements of two rows; a formula of one operand ignores {@code b}. */
  default void run(
      MemorySegment a,
      long fromA,
      MemorySegment b,
      long fromB,
      MemorySegment out,
      long to,
      int count) {
    throw untaken();
  }

  /** As above, with a row and a number that the dtype can hold. */
  default void run(MemorySegment a, long fromA, double b, MemorySegment out, long to, int count) {
    throw untaken();
  }

  /** As above, with three rows. */
  default void run(
      MemorySegment a,
      long fromA,
      MemorySegment b,
      long fromB,
      MemorySegment c,
      long fromC,
      MemorySegment out,
      long to,
      int count) {
    throw untaken();
  }

  private static IllegalStateException untaken() {
    return new IllegalStateException("operands that the formula does not take");
  }
}
