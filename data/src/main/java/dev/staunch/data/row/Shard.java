package dev.staunch.data.row;

import dev.staunch.fault.Message;

/**
 * Part {@code index} of {@code count} of all examples. The parts are disjoint and together contain
 * all examples.
 */
public record Shard(int index, int count) {
  public static final Shard WHOLE = new Shard(0, 1);

  public Shard {
    if (count < 1 || index < 0 || index >= count) {
      throw new IllegalArgumentException(
          Message.of(
              "part %d of %d is none: parts count from 0 to one less than there are",
              index, count));
    }
  }

  public boolean isWhole() {
    return count == 1;
  }

  /** Where this part begins among {@code size} bytes or examples. */
  public long from(long size) {
    return share(size, index);
  }

  /** Where it ends, exclusive. */
  public long to(long size) {
    return share(size, index + 1);
  }

  private long share(long size, int parts) {
    return size / count * parts + size % count * parts / count;
  }
}
