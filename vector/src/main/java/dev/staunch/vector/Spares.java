package dev.staunch.vector;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lends what a run needs for itself, so that not each has to make it: arrays that were filled a
 * moment ago still are in the processor's cache, and new ones are not. Keeps a few, by thread.
 * Thread-safe.
 */
final class Spares<T> {
  private static final int SLOTS = 16;

  private final AtomicReferenceArray<@Nullable T> slots = new AtomicReferenceArray<>(SLOTS);
  private final Supplier<T> maker;

  Spares(Supplier<T> maker) {
    this.maker = maker;
  }

  /** Nobody else has what {@code work} is lent until it is back. */
  <R extends @Nullable Object> R lend(Function<T, R> work) {
    int slot = (int) Thread.currentThread().threadId() % SLOTS;
    T spare = slots.getAndSet(slot, null);
    T lent = spare == null ? maker.get() : spare;
    R result = work.apply(lent);
    slots.set(slot, lent);
    return result;
  }
}
