package dev.staunch.kernel.loop;

import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.operation.Formula;
import org.jspecify.annotations.Nullable;

/**
 * How a pointwise operation combines the elements of its operands: one loop per kind of number,
 * shared with no other rule. A loop runs over the first {@code count} elements of arrays that hold
 * at least that many. It is called only if the rule takes its kind.
 */
public sealed interface Rule {
  /** The name of its line in the table of formulas. */
  String name();

  /** Of a formula that is complete without numbers from the call. */
  double[] NO_CONSTANTS = {};

  /**
   * The numbers that complete the formula, in the order of the table; null if not all of them are
   * numbers.
   */
  double @Nullable [] constants();

  /** What its loops compute. */
  Formula formula();

  /** The number of operands, from one to three. */
  int operands();

  /** Whether the first operand is zero or not, and so may be bool among others of a dtype. */
  default boolean isChoice() {
    return false;
  }

  /** Whether it takes reals. */
  boolean takesReals();

  /** Whether it takes integers and bools. */
  boolean takesIntegers();

  /** Whether it takes eight bools at a time, through {@link #runPacked}. */
  boolean takesPackedBools();

  /** Combines bools to bools: each long holds eight bools, each in a byte of 0 or 1. */
  default void runPacked(long[][] in, long[] out, int count) {
    throw untaken();
  }

  /**
   * A rule whose results are numbers of the kind that it combines. As a {@link RowFormula}, it
   * combines a few float32 elements, if it takes at most two operands.
   */
  non-sealed interface Numbers extends Rule, RowFormula {
    /** Combines float32; the bits are those of reals rounded once. */
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
  }

  /** A rule whose results are truth values, 1 or 0. */
  non-sealed interface Truths extends Rule {
    /** Tests float32 elements. */
    default void run(float[][] in, byte[] out, int count) {
      throw untaken();
    }

    /** Tests reals. */
    default void run(double[][] in, byte[] out, int count) {
      throw untaken();
    }

    /** Tests integers or bools. */
    default void run(long[][] in, byte[] out, int count) {
      throw untaken();
    }
  }

  private static IllegalStateException untaken() {
    return new IllegalStateException("a kind of number that the rule does not take");
  }
}
