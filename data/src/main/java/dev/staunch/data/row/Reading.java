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
 * @param bytes the most bytes of files and rows that decoders hold, those under way and those that
 *     wait; one part of a file may always be under way, however large
 */
public record Reading(int decoders, Shard shard, long seed, boolean permuted, long bytes) {
  public static final Reading PLAIN = new Reading(1, Shard.WHOLE, 0, false, 256L << 20);

  public Reading {
    if (decoders < 1) {
      throw new IllegalArgumentException("there must be at least 1 decoder, not " + decoders);
    }
  }

  public Reading withDecoders(int number) {
    return new Reading(number, shard, seed, permuted, bytes);
  }

  public Reading withShard(Shard part) {
    return new Reading(decoders, part, seed, permuted, bytes);
  }

  public Reading withSeed(long start) {
    return new Reading(decoders, shard, start, permuted, bytes);
  }

  public Reading withPermuted(boolean drawn) {
    return new Reading(decoders, shard, seed, drawn, bytes);
  }

  public Reading withBytes(long most) {
    return new Reading(decoders, shard, seed, permuted, most);
  }

  /** The seed of the order of an epoch, if there is any. */
  public OptionalLong orderOf(long epoch) {
    return permuted ? OptionalLong.of(Seeds.of(seed, epoch, 0)) : OptionalLong.empty();
  }
}
