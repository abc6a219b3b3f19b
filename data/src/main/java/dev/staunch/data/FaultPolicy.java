package dev.staunch.data;

import dev.staunch.fault.Fault;
import java.util.function.Function;

/**
 * What a {@link Prefetcher} does with a fault in the place of a batch. A policy that goes on has a
 * limit, for a source that fails for good would keep it busy for ever; the fault after the last
 * that the limit lets pass arrives as under {@link Stop}.
 */
public sealed interface FaultPolicy<B extends Batch> {
  /** The fault arrives at its place and stays until a reset. */
  record Stop<B extends Batch>() implements FaultPolicy<B> {}

  /**
   * Goes on with the next batch; the fault is counted and told to {@link PrefetchOptions#reports}.
   *
   * @param most how many faults of one epoch
   */
  record Skip<B extends Batch>(long most) implements FaultPolicy<B> {
    public Skip {
      checkLimit(most);
    }
  }

  /**
   * Puts another item in the place; the fault is counted and told to {@link
   * PrefetchOptions#reports}.
   *
   * @param most how many faults of one epoch
   * @param made called on the producer's thread. If it gives a fault, or throws, that arrives.
   */
  record Substitute<B extends Batch>(long most, Function<? super Fault, ? extends Item<B>> made)
      implements FaultPolicy<B> {
    public Substitute {
      checkLimit(most);
    }
  }

  /** The default. */
  static <B extends Batch> FaultPolicy<B> stop() {
    return new Stop<>();
  }

  static <B extends Batch> FaultPolicy<B> skip(long most) {
    return new Skip<>(most);
  }

  static <B extends Batch> FaultPolicy<B> substitute(
      long most, Function<? super Fault, ? extends Item<B>> made) {
    return new Substitute<>(most, made);
  }

  private static void checkLimit(long most) {
    if (most < 0) {
      throw new IllegalArgumentException("the number of faults to pass over is negative: " + most);
    }
  }
}
