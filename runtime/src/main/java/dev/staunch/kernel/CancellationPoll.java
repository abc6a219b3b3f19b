package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.Copy;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the cancellation of a long kernel between pieces of its work: at most once every {@link
 * #STRIDE} elements, about a millisecond. Once a cancellation was seen it stays seen, so that
 * nested loops may simply end. Made for one call, used by its thread.
 */
public final class CancellationPoll {
  /** Cheap elements between two looks. */
  public static final int STRIDE = 1 << 16;

  /** Bytes moved as one block between two looks. */
  private static final long BLOCK = 1 << 20;

  /** Copies of more bytes do not stay in a cache: the JVM writes past it where blocks are large. */
  private static final long LARGE_COPY = 1 << 24;

  private static final long BLOCK_OF_LARGE_COPY = 1 << 22;

  /** Bytes that cost about as much to move in a block as one element costs alone. */
  private static final long BYTES_OF_ELEMENT = BLOCK / STRIDE;

  private final ExecutionContext context;
  private long since;
  private @Nullable Fault fault;

  /** Looks where {@code call} happens. */
  public CancellationPoll(Call call) {
    this(call.environment());
  }

  /** Looks where {@code context} says. */
  public CancellationPoll(ExecutionContext context) {
    this.context = context;
  }

  /** The fault of the cancellation, if a look has seen one. */
  public @Nullable Fault fault() {
    return fault;
  }

  /** Where this looks. */
  public ExecutionContext context() {
    return context;
  }

  /** The same for a primitive that looks by itself: what one of the two has seen, both have. */
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

  /** Takes note of a cancellation, or what else ends the work, that another has met; returns it. */
  public Fault stopped(Fault met) {
    fault = fault == null ? met : fault;
    return met;
  }

  /** {@code result}; or, after a cancellation, its fault. */
  public Object orFault(Object result) {
    return fault == null ? result : fault;
  }

  /** To be asked after {@code count} more elements: whether the work is to go on. */
  public boolean mayContinue(long count) {
    since += count;
    if (since >= STRIDE && fault == null) {
      since = 0;
      fault = context.cancelled();
    }
    return fault == null;
  }

  /** Some of a range's elements. */
  @FunctionalInterface
  public interface Piece {
    void run(long from, int count);
  }

  /** Runs {@code piece} for 0 to {@code total}, in order; the fault of a cancellation, or null. */
  public @Nullable Fault inPieces(long total, Piece piece) {
    return inPieces(total, STRIDE / 4, piece);
  }

  /** As {@link #inPieces(long, Piece)}, in pieces of {@code most} elements. */
  public @Nullable Fault inPieces(long total, int most, Piece piece) {
    for (long from = 0; from < total && fault == null; from += most) {
      int count = (int) Math.min(most, total - from);
      piece.run(from, count);
      mayContinue(count);
    }
    return fault;
  }

  /** Copies bytes block by block, as {@link MemorySegment#copy} does; false if it was cancelled. */
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

  /** Zeroes a segment block by block; the fault of a cancellation, or null. */
  public @Nullable Fault zero(MemorySegment segment) {
    for (long done = 0; done < segment.byteSize() && fault == null; done += BLOCK) {
      long length = Math.min(BLOCK, segment.byteSize() - done);
      segment.asSlice(done, length).fill((byte) 0);
      mayContinue(1 + length / BYTES_OF_ELEMENT);
    }
    return fault;
  }

  /** {@code target}; or, after a cancellation, its fault with {@code target} closed. */
  public static Object finished(DenseTensor target, @Nullable Fault stop) {
    if (stop == null) {
      return target;
    }
    target.close();
    return stop;
  }
}
