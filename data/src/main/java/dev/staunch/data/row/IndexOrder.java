package dev.staunch.data.row;

import java.util.OptionalLong;
import java.util.SplittableRandom;

/**
 * The order in which the indexed examples of a shard are read: sequentially, or in a new
 * permutation for each epoch. All shards share one permutation, and each takes its part of it. Not
 * thread-safe.
 */
public final class IndexOrder {
  private final ReadOptions how;
  private final long from;
  private final long to;
  private final int[] permutation;
  private long at;

  /**
   * @throws IllegalArgumentException if there are more examples to permute than an array can hold
   */
  public IndexOrder(ReadOptions how, long count) {
    if (how.permuted() && count > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "there are too many examples to permute: " + count + "; shuffle with a window");
    }
    this.how = how;
    this.from = how.shard().from(count);
    this.to = how.shard().to(count);
    this.permutation = new int[how.permuted() ? (int) count : 0];
    restart(0);
  }

  /** Goes to the first example of an epoch. */
  public void restart(long epoch) {
    at = from;
    OptionalLong seed = how.orderOf(epoch);
    if (seed.isPresent()) {
      permute(new SplittableRandom(seed.getAsLong()));
    }
  }

  /** The Fisher-Yates shuffle, from the same start for each epoch. */
  private void permute(SplittableRandom random) {
    for (int i = 0; i < permutation.length; i++) {
      int j = random.nextInt(i + 1);
      permutation[i] = permutation[j];
      permutation[j] = i;
    }
  }

  /** Goes to a mark of an epoch. */
  public void restart(long epoch, Mark mark) {
    restart(epoch);
    at = Math.min(to, from + mark.at());
  }

  /** The mark of the next example. */
  public Mark mark() {
    return new Mark(0, at - from, 0);
  }

  public boolean isPermuted() {
    return how.permuted();
  }

  /** How many examples of the epoch are left. */
  public long left() {
    return to - at;
  }

  /** The index of the example that comes {@code ahead} places after the next. */
  public long index(int ahead) {
    long place = at + ahead;
    return how.permuted() ? permutation[(int) place] : place;
  }

  /** Skips the next {@code count} examples. */
  public void pass(int count) {
    at += count;
  }

  /** Whether this shard includes the last example. */
  public boolean hasLast(long count) {
    return to == count;
  }
}
