package dev.staunch.kernel.primitive;

import java.lang.foreign.MemorySegment;

/**
 * The loop of a pointwise formula of one or two operands over float32 rows, where they lie. Places
 * count elements; the result may take the place of an operand.
 */
public interface RowFormula {

  /** Combines {@code count} elements of two rows; with one operand it leaves {@code b} alone. */
  void run(
      MemorySegment a,
      long fromA,
      MemorySegment b,
      long fromB,
      MemorySegment out,
      long to,
      int count);

  /** As above, a row and a number. */
  void run(MemorySegment a, long fromA, float b, MemorySegment out, long to, int count);
}
