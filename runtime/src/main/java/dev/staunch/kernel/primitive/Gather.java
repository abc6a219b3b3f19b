package dev.staunch.kernel.primitive;

import dev.staunch.fault.Fault;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Moves elements of one dtype from and to arbitrary positions. Positions count elements of a
 * segment; the caller has checked that they lie in it. No call may read memory that it writes. Each
 * method returns the fault of a cancellation, or null.
 */
public interface Gather {
  /** The positions of elements; each is requested once, in order. */
  @FunctionalInterface
  interface Places {
    /** Stores the positions of the elements {@code first} to {@code first + count} in an array. */
    void load(long first, int count, long[] into);
  }

  /** Copies {@code count} elements to a contiguous row that starts at {@code to}. */
  @Nullable Fault gather(
      ExecutionContext context,
      MemorySegment from,
      Places places,
      long count,
      MemorySegment into,
      long to);

  /**
   * Copies {@code count} elements in order: if several go to one position, the last one remains.
   */
  @Nullable Fault scatter(
      ExecutionContext context,
      MemorySegment from,
      Places sources,
      long count,
      MemorySegment into,
      Places targets);

  /** Adds {@code count} elements in order, rounding each sum to the dtype. */
  @Nullable Fault add(
      ExecutionContext context,
      MemorySegment from,
      Places sources,
      long count,
      MemorySegment into,
      Places targets);
}
