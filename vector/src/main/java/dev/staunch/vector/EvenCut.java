package dev.staunch.vector;

/**
 * Divides {@code all} rows or columns into {@code count} parts of whole steps, which differ by at
 * most one step, the larger ones among the first. A small remainder as the last part would leave
 * one thread idle while another does a whole one.
 */
record EvenCut(int all, int step, int count) {

  /**
   * Makes parts of at most {@code size}; if there is more than one, their number is even where
   * possible, so that two threads get equally many.
   */
  static EvenCut of(int all, int step, int size) {
    int count = Math.ceilDiv(all, size);
    boolean odd = count % 2 == 1 && count > 1 && count < Math.ceilDiv(all, step);
    return new EvenCut(all, step, odd ? count + 1 : count);
  }

  /**
   * Where a part begins, which is where the previous one ends; for {@code count}, the end of all.
   */
  int begin(int part) {
    long steps = Math.ceilDiv((long) Math.ceilDiv(all, step) * part, count);
    return (int) Math.min(steps * step, all);
  }
}
