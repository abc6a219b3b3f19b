package dev.staunch.data.row;

import java.util.OptionalLong;

/**
 * How a stream reads.
 *
 * @param decoders how many threads decode; with one, the thread that asks does
 * @param shard which part of the examples
 * @param seed what draws at random start from
 * @param permuted whether examples come in an order drawn for each epoch; only for {@linkplain
 *     Examples#isIndexed indexed} ones
 */
public record Reading(int decoders, Shard shard, long seed, boolean permuted) {
  public static final Reading PLAIN = new Reading(1, Shard.WHOLE, 0, false);

  public Reading {
    if (decoders < 1) {
      throw new IllegalArgumentException("there must be at least 1 decoder, not " + decoders);
    }
  }

  /** The seed of the order of an epoch, if there is any. */
  public OptionalLong orderOf(long epoch) {
    return permuted ? OptionalLong.of(Seeds.of(seed, epoch, 0)) : OptionalLong.empty();
  }
}
