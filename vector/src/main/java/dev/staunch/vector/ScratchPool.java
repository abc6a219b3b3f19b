package dev.staunch.vector;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lends the private scratch data of a run, so that runs need not allocate it: arrays that were
 * filled recently are still in the processor's cache, new ones are not. Keeps a few, chosen by
 * thread. Thread-safe.
 */
final class ScratchPool<T> {
  private static final int SLOTS = 16;

  private final AtomicReferenceArray<@Nullable T> slots = new AtomicReferenceArray<>(SLOTS);
  private final Supplier<T> maker;

  ScratchPool(Supplier<T> maker) {
    this.maker = maker;
  }

  /** Lends an instance to {@code work}, which has exclusive use of it until it returns. */
  <R extends @Nullable Object> R lend(Function<T, R> work) {
    int slot = (int) Thread.currentThread().threadId() % SLOTS;
    T spare = slots.getAndSet(slot, null);
    T lent = spare == null ? maker.get() : spare;
    R result = work.apply(lent);
    slots.set(slot, lent);
    return result;
  }
}
