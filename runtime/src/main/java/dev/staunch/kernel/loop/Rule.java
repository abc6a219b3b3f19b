package dev.staunch.kernel.loop;

import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.operation.Formula;
import java.lang.foreign.MemorySegment;

/**
 * How a pointwise operation combines the elements of its operands: a loop for each kind of number,
 * which no other rule shares. A loop runs over the first {@code count} elements of arrays that hold
 * at least as many; it is called only if the rule takes its kind.
 */
public sealed interface Rule {
  /** That of its line in the table of formulas. */
  String name();

  /** Whether the formula says all, without numbers that a call gives it. */
  boolean isConstant();

  /** What its loops compute. */
  Formula formula();

  /** How many operands are combined, from one to three. */
  int operands();

  /** Whether reals are taken. */
  boolean takesReals();

  /** Whether integers and bools are taken. */
  boolean takesIntegers();

  /** Whether bools are taken eight at a time, by {@link #runPacked}. */
  boolean takesPackedBools();

  /** Combines bools to bools: each long holds eight, a byte of 0 or 1 each. */
  default void runPacked(long[][] in, long[] out, int count) {
    throw untaken();
  }

  /** Makes numbers of the kind that is combined. */
  non-sealed interface Numbers extends Rule, RowFormula {
    /** Combines float32; the bits are those of reals that are rounded once. */
    default void run(float[][] in, float[] out, int count) {
      throw untaken();
    }

    /** Combines reals. */
    default void run(double[][] in, double[] out, int count) {
      throw untaken();
    }

    /** Combines integers exactly, or bools. */
    default void run(long[][] in, long[] out, int count) {
      throw untaken();
    }

    /** For few elements, of a rule of at most two operands. */
    @Override
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

    @Override
    default void run(MemorySegment a, long fromA, float b, MemorySegment out, long to, int count) {
      throw untaken();
    }
  }

  /** Answers a question with 1 or 0. */
  non-sealed interface Truths extends Rule {
    /** Asks of float32. */
    default void run(float[][] in, byte[] out, int count) {
      throw untaken();
    }

    /** Asks of reals. */
    default void run(double[][] in, byte[] out, int count) {
      throw untaken();
    }

    /** Asks of integers or bools. */
    default void run(long[][] in, byte[] out, int count) {
      throw untaken();
    }
  }

  private static IllegalStateException untaken() {
    return new IllegalStateException("a kind of number that the rule does not take");
  }
}
