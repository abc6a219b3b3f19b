package dev.staunch.vector;

/**
 * Rows or columns from 0 to before {@code all} in {@code count} parts of whole steps, none more
 * than a step larger than another, the larger ones among the first: a small rest as the last part
 * would leave one thread idle while another does a whole one.
 */
record EvenCut(int all, int step, int count) {

  /** Parts of at most {@code size}; as many for each of two threads if there is more than one. */
  static EvenCut of(int all, int step, int size) {
    int count = Math.ceilDiv(all, size);
    boolean odd = count % 2 == 1 && count > 1 && count < Math.ceilDiv(all, step);
    return new EvenCut(all, step, odd ? count + 1 : count);
  }

  /** Where a part begins, and the one before it ends; {@code count} has the end of all. */
  int begin(int part) {
    long steps = Math.ceilDiv((long) Math.ceilDiv(all, step) * part, count);
    return (int) Math.min(steps * step, all);
  }
}
