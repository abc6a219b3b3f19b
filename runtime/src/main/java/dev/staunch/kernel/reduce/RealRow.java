package dev.staunch.kernel.reduce;

import dev.staunch.kernel.Lookout;
import dev.staunch.tensor.Elements;

/**
 * The elements of one group of a {@link Reduction} after the other, as doubles, some at a time:
 *
 * <pre>{@code for (int n = row.first(); n > 0; n = row.next()) ... row.values() ... }</pre>
 *
 * Looks for cancellation in between; the passes then end early, and the {@link Lookout} has the
 * fault.
 */
public final class RealRow {
  static final int CHUNK = 4096;

  private final Reduction group;
  private final Lookout lookout;
  private final double[][] chunks;
  private double[] values = {};
  private int number;
  private int start;
  private int loaded;

  /** Chunks whose content is that of the current group. */
  private int ready;

  private RealRow(Reduction group, Lookout lookout, int chunks) {
    this.group = group;
    this.lookout = lookout;
    this.chunks = new double[chunks][];
  }

  /** Reads the elements again in each pass. */
  static RealRow of(Reduction group, Lookout lookout) {
    return new RealRow(group, lookout, 1);
  }

  /** Keeps the elements of a whole group, and what a pass writes over them, for its next pass. */
  public static RealRow kept(Reduction group, Lookout lookout) {
    return new RealRow(group, lookout, Math.max(1, Math.ceilDiv(group.count, CHUNK)));
  }

  /** Turns to another group. */
  public RealRow of(int other) {
    number = other;
    ready = 0;
    return this;
  }

  /** Starts a pass: how many of {@link #values} are the first elements; 0 for none. */
  public int first() {
    start = 0;
    return load();
  }

  /** How many elements come next; 0 after the last, and after a cancellation. */
  public int next() {
    start += loaded;
    return start < group.count ? load() : 0;
  }

  private int load() {
    loaded = Math.min(CHUNK, group.count - start);
    if (loaded <= 0 || !lookout.goesOn(loaded)) {
      return 0;
    }
    int at = start / CHUNK;
    int slot = chunks.length == 1 ? 0 : at;
    if (chunks[slot] == null) {
      chunks[slot] = new double[loaded];
    }
    values = chunks[slot];
    boolean kept = chunks.length > 1 || group.count <= CHUNK;
    if (!kept || at >= ready) {
      group.load(number, start, loaded, values);
      ready = at + 1;
    }
    return loaded;
  }

  /** The elements that the last step gave. */
  public double[] values() {
    return values;
  }

  /** The number within the group of the first of {@link #values}. */
  public int start() {
    return start;
  }

  /** Any element of the group, read on its own. */
  double element(int i) {
    return Elements.asDouble(group.self.segment(), group.self.dtype(), group.at(number, i));
  }
}
