package dev.staunch.data.row;

import java.util.OptionalLong;
import java.util.SplittableRandom;

/**
 * In which order indexed examples are read: those of a shard, as they lie or permuted anew for each
 * epoch. Shards share one permutation, and each takes its part of that. Not thread-safe.
 */
public final class IndexOrder {
  private final Reading how;
  private final long from;
  private final long to;
  private final int[] permutation;
  private long at;

  /**
   * @throws IllegalArgumentException if there are more to permute than an array holds
   */
  public IndexOrder(Reading how, long count) {
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

  /** Goes to the first of an epoch. */
  public void restart(long epoch) {
    at = from;
    OptionalLong seed = how.orderOf(epoch);
    if (seed.isPresent()) {
      permute(new SplittableRandom(seed.getAsLong()));
    }
  }

  /** Fisher and Yates, from the same start for each epoch. */
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

  /** The place of the next. */
  public Mark mark() {
    return new Mark(0, at - from, 0);
  }

  public boolean isPermuted() {
    return how.permuted();
  }

  /** How many are left of the epoch. */
  public long left() {
    return to - at;
  }

  /** The example that comes {@code ahead} behind the next. */
  public long index(int ahead) {
    long place = at + ahead;
    return how.permuted() ? permutation[(int) place] : place;
  }

  /** Goes behind the next {@code count}. */
  public void pass(int count) {
    at += count;
  }

  /** Whether the part that is read goes up to the last example. */
  public boolean hasLast(long count) {
    return to == count;
  }
}
