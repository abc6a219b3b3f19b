package dev.staunch.kernel.primitive;

import dev.staunch.fault.Fault;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Moves elements of one dtype from and to wherever they lie. Places count elements of a segment;
 * whoever gives them has seen that they lie in it. Nothing may be read where something is written.
 * Each run gives the fault of a cancellation, or null.
 */
public interface Gather {
  /** Where elements lie, asked for once each and in order. */
  @FunctionalInterface
  interface Places {
    /** Puts the places of the elements {@code first} to {@code first + count} into an array. */
    void load(long first, int count, long[] into);
  }

  /** Copies {@code count} elements to a row, whose first is at {@code to}. */
  @Nullable Fault gather(
      ExecutionContext context,
      MemorySegment from,
      Places places,
      long count,
      MemorySegment into,
      long to);

  /** Copies {@code count} elements one after the other: the last one to a place stays there. */
  @Nullable Fault scatter(
      ExecutionContext context,
      MemorySegment from,
      Places sources,
      long count,
      MemorySegment into,
      Places targets);

  /** Adds {@code count} elements one after the other, each sum rounded to the dtype. */
  @Nullable Fault add(
      ExecutionContext context,
      MemorySegment from,
      Places sources,
      long count,
      MemorySegment into,
      Places targets);
}
