package dev.staunch.kernel.primitive;

import java.lang.foreign.MemorySegment;

/**
 * The loop of a pointwise formula of one or two operands over float32 rows, without copying them
 * first. Positions count elements. The result may overwrite an operand.
 */
public interface RowFormula {

  /** Combines {@code count} elements of two rows; a formula of one operand ignores {@code b}. */
  void run(
      MemorySegment a,
      long fromA,
      MemorySegment b,
      long fromB,
      MemorySegment out,
      long to,
      int count);

  /** As above, with a row and a number. */
  void run(MemorySegment a, long fromA, float b, MemorySegment out, long to, int count);
}
