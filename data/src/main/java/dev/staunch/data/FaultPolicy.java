package dev.staunch.data;

import dev.staunch.fault.Fault;
import java.util.function.Function;

/**
 * What a {@link Prefetcher} does with a fault in the place of a batch. A policy that continues has
 * a limit, because a source that keeps failing would occupy it for ever. The first fault beyond the
 * limit is handled as under {@link Stop}.
 */
public sealed interface FaultPolicy<B extends Batch> {
  /** Delivers the fault in its place; it stays there until a reset. */
  record Stop<B extends Batch>() implements FaultPolicy<B> {}

  /**
   * Continues with the next batch. The fault is counted and reported to {@link
   * PrefetchOptions#reports}.
   *
   * @param most the most faults of one epoch to skip
   */
  record Skip<B extends Batch>(long most) implements FaultPolicy<B> {
    public Skip {
      checkLimit(most);
    }
  }

  /**
   * Puts another item in the place of the fault. The fault is counted and reported to {@link
   * PrefetchOptions#reports}.
   *
   * @param most the most faults of one epoch to substitute
   * @param made makes the item; called on the producer's thread. If it returns a fault or throws,
   *     that fault is delivered.
   */
  record Substitute<B extends Batch>(long most, Function<? super Fault, ? extends Item<B>> made)
      implements FaultPolicy<B> {
    public Substitute {
      checkLimit(most);
    }
  }

  /** The default policy: {@link Stop}. */
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
