package dev.staunch.kernel.reduce;

import dev.staunch.kernel.CancellationPoll;
import dev.staunch.tensor.Elements;

/** As {@link RealRow}, with the elements as longs. */
final class IntegerRow {
  private final Reduction group;
  private final CancellationPoll poll;
  private final long[] values;
  private int number;
  private int start;
  private int loaded;

  IntegerRow(Reduction group, CancellationPoll poll) {
    this.group = group;
    this.poll = poll;
    this.values = new long[Math.min(RealRow.CHUNK, group.count)];
  }

  /** Moves to another group; returns this. */
  IntegerRow of(int other) {
    number = other;
    return this;
  }

  /** Starts a pass. */
  void rewind() {
    start = 0;
    loaded = 0;
  }

  /** Reads the next chunk; returns false after the last, and after a cancellation. */
  boolean advance() {
    start += loaded;
    loaded = Math.min(values.length, group.count - start);
    if (loaded <= 0 || !poll.mayContinue(loaded)) {
      loaded = 0;
      return false;
    }
    group.load(number, start, loaded, values);
    return true;
  }

  /** The number of elements of the chunk. */
  int count() {
    return loaded;
  }

  long[] values() {
    return values;
  }

  /** The index within the group of the chunk's first element. */
  int start() {
    return start;
  }

  /** Any element of the group, read on its own. */
  long element(int i) {
    return Elements.asLong(group.self.segment(), group.self.dtype(), group.at(number, i));
  }
}
