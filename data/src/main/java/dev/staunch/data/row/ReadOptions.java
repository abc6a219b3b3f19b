package dev.staunch.data.row;

import java.util.OptionalLong;

/**
 * How a stream reads.
 *
 * @param decoders how many threads decode; if 1, the calling thread decodes
 * @param shard which part of the examples to read
 * @param seed the seed of everything random
 * @param permuted whether each epoch is read in a random order of its own; only for {@linkplain
 *     Examples#isIndexed indexed} examples
 * @param bytes the most bytes of files and rows that decoders hold, both in progress and waiting;
 *     one part of a file is always allowed, however large
 */
public record ReadOptions(int decoders, Shard shard, long seed, boolean permuted, long bytes) {
  public static final ReadOptions PLAIN = new ReadOptions(1, Shard.WHOLE, 0, false, 256L << 20);

  public ReadOptions {
    if (decoders < 1) {
      throw new IllegalArgumentException("there must be at least 1 decoder, not " + decoders);
    }
  }

  public ReadOptions withDecoders(int number) {
    return new ReadOptions(number, shard, seed, permuted, bytes);
  }

  public ReadOptions withShard(Shard part) {
    return new ReadOptions(decoders, part, seed, permuted, bytes);
  }

  public ReadOptions withSeed(long start) {
    return new ReadOptions(decoders, shard, start, permuted, bytes);
  }

  public ReadOptions withPermuted(boolean drawn) {
    return new ReadOptions(decoders, shard, seed, drawn, bytes);
  }

  public ReadOptions withBytes(long most) {
    return new ReadOptions(decoders, shard, seed, permuted, most);
  }

  /** The seed of the order of an epoch; empty if examples are not permuted. */
  public OptionalLong orderOf(long epoch) {
    return permuted ? OptionalLong.of(Seeds.of(seed, epoch, 0)) : OptionalLong.empty();
  }
}
