package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.Copy;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Polls for cancellation between pieces of a long kernel's work, at most once every {@link #STRIDE}
 * elements, which is about a millisecond. Once it has seen a cancellation it keeps reporting it, so
 * nested loops can return without further checks. One instance serves one call, on that call's
 * thread.
 */
public final class CancellationPoll {
  /** Cheap elements between two polls. */
  public static final int STRIDE = 1 << 16;

  /** Bytes moved as one block between two polls. */
  private static final long BLOCK = 1 << 20;

  /**
   * Copies of more bytes than this do not stay in a cache: for large blocks, the JVM writes past
   * the cache.
   */
  private static final long LARGE_COPY = 1 << 24;

  private static final long BLOCK_OF_LARGE_COPY = 1 << 22;

  /** Number of bytes that cost about as much to move in a block as one element costs on its own. */
  private static final long BYTES_OF_ELEMENT = BLOCK / STRIDE;

  private final ExecutionContext context;
  private long since;
  private @Nullable Fault fault;

  /** Polls the environment of {@code call}. */
  public CancellationPoll(Call call) {
    this(call.environment());
  }

  /** Polls {@code context}. */
  public CancellationPoll(ExecutionContext context) {
    this.context = context;
  }

  /** The fault of the cancellation, if a poll has seen one; else null. */
  public @Nullable Fault fault() {
    return fault;
  }

  /** The context that this polls. */
  public ExecutionContext context() {
    return context;
  }

  /**
   * The same context for a primitive that polls by itself: a cancellation that either one sees is
   * seen by both.
   */
  public ExecutionContext shared() {
    return new Shared();
  }

  private final class Shared implements ExecutionContext {
    @Override
    public ResourceScope scope() {
      return context.scope();
    }

    @Override
    public Copy copy(Copy.Request request) {
      return context.copy(request);
    }

    @Override
    public @Nullable Fault cancelled() {
      fault = fault == null ? context.cancelled() : fault;
      return fault;
    }

    @Override
    public @Nullable Fault parallel(long range, long grain, ExecutionContext.Piece work) {
      return context.parallel(range, grain, work);
    }
  }

  /**
   * Records a fault that other code met, a cancellation or anything else that ends the work;
   * returns {@code met}.
   */
  public Fault stopped(Fault met) {
    fault = fault == null ? met : fault;
    return met;
  }

  /** {@code result}; after a cancellation, the fault of the cancellation. */
  public Object orFault(Object result) {
    return fault == null ? result : fault;
  }

  /** Call this after {@code count} more elements; returns whether the work may continue. */
  public boolean mayContinue(long count) {
    since += count;
    if (since >= STRIDE && fault == null) {
      since = 0;
      fault = context.cancelled();
    }
    return fault == null;
  }

  /** A contiguous part of a range. */
  @FunctionalInterface
  public interface Piece {
    void run(long from, int count);
  }

  /**
   * Runs {@code piece} over 0 to {@code total}, in order; returns the fault of a cancellation, or
   * null.
   */
  public @Nullable Fault inPieces(long total, Piece piece) {
    return inPieces(total, STRIDE / 4, piece);
  }

  /** As {@link #inPieces(long, Piece)}, in pieces of at most {@code most} elements. */
  public @Nullable Fault inPieces(long total, int most, Piece piece) {
    for (long from = 0; from < total && fault == null; from += most) {
      int count = (int) Math.min(most, total - from);
      piece.run(from, count);
      mayContinue(count);
    }
    return fault;
  }

  /**
   * Copies bytes block by block, as {@link MemorySegment#copy} does; returns false if cancelled.
   */
  public boolean copy(MemorySegment from, long at, MemorySegment into, long to, long bytes) {
    if (bytes <= BLOCK && fault == null) {
      MemorySegment.copy(from, at, into, to, bytes);
      return mayContinue(1 + bytes / BYTES_OF_ELEMENT);
    }
    long block = bytes <= LARGE_COPY ? BLOCK : BLOCK_OF_LARGE_COPY;
    for (long done = 0; done < bytes && fault == null; done += block) {
      long length = Math.min(block, bytes - done);
      MemorySegment.copy(from, at + done, into, to + done, length);
      mayContinue(1 + length / BYTES_OF_ELEMENT);
    }
    return fault == null;
  }

  /** Zeroes a segment block by block; returns the fault of a cancellation, or null. */
  public @Nullable Fault zero(MemorySegment segment) {
    for (long done = 0; done < segment.byteSize() && fault == null; done += BLOCK) {
      long length = Math.min(BLOCK, segment.byteSize() - done);
      segment.asSlice(done, length).fill((byte) 0);
      mayContinue(1 + length / BYTES_OF_ELEMENT);
    }
    return fault;
  }

  /** Returns {@code target}; if there is a fault, closes {@code target} and returns the fault. */
  public static Object finished(DenseTensor target, @Nullable Fault stop) {
    if (stop == null) {
      return target;
    }
    target.close();
    return stop;
  }
}
