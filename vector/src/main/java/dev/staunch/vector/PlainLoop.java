package dev.staunch.vector;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.kernel.primitive.RowFormula;
import java.lang.foreign.MemorySegment;

/**
 * One element after the other.
 *
 * @param exponential whether each costs as much as a function, which is neither fast nor slow; or
 *     else, as much as a sum
 */
record PlainLoop(boolean exponential) implements RowFormula {
  @Override
  public void run(
      MemorySegment a,
      long fromA,
      MemorySegment b,
      long fromB,
      MemorySegment out,
      long to,
      int count) {
    if (!exponential) {
      sums(a, fromA, b, fromB, out, to, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      double x = a.getAtIndex(JAVA_FLOAT, fromA + i) + b.getAtIndex(JAVA_FLOAT, fromB + i);
      out.setAtIndex(JAVA_FLOAT, to + i, (float) Math.exp(x));
    }
  }

  private static void sums(
      MemorySegment a,
      long fromA,
      MemorySegment b,
      long fromB,
      MemorySegment out,
      long to,
      int count) {
    for (int i = 0; i < count; i++) {
      float sum = a.getAtIndex(JAVA_FLOAT, fromA + i) + b.getAtIndex(JAVA_FLOAT, fromB + i);
      out.setAtIndex(JAVA_FLOAT, to + i, sum);
    }
  }

  @Override
  public void run(MemorySegment a, long fromA, double b, MemorySegment out, long to, int count) {
    run(a, fromA, a, fromA, out, to, count);
  }

  @Override
  public void run(
      MemorySegment a,
      long fromA,
      MemorySegment b,
      long fromB,
      MemorySegment c,
      long fromC,
      MemorySegment out,
      long to,
      int count) {
    run(a, fromA, b, fromB, out, to, count);
  }
}
