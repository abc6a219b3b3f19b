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

  /** Starts a pass; returns the number of {@link #values} that it has read, 0 for none. */
  int first() {
    start = 0;
    return load();
  }

  /** Reads on; returns the number of elements, 0 after the last, and after a cancellation. */
  int next() {
    start += loaded;
    return load();
  }

  private int load() {
    loaded = Math.min(values.length, group.count - start);
    if (loaded <= 0 || !poll.mayContinue(loaded)) {
      return 0;
    }
    group.load(number, start, loaded, values);
    return loaded;
  }

  long[] values() {
    return values;
  }

  /** The index within the group of the first of {@link #values}. */
  int start() {
    return start;
  }

  /** Any element of the group, read on its own. */
  long element(int i) {
    return Elements.asLong(group.self.segment(), group.self.dtype(), group.at(number, i));
  }
}
