package dev.staunch.kernel.primitive;

import dev.staunch.fault.Fault;
import dev.staunch.memory.Asker;
import dev.staunch.memory.ResourceScope;
import org.jspecify.annotations.Nullable;

/** What a running primitive may use. */
public interface ExecutionContext extends Asker {
  /**
   * Owns the scratch memory that a primitive allocates. The primitive closes what it took before it
   * returns.
   */
  ResourceScope scope();

  /**
   * Prepares a copy with the kernel set in use.
   *
   * @throws IllegalStateException if there is none, as when a primitive is tested on its own
   */
  default Copy copy(Copy.Request request) {
    throw new IllegalStateException("no kernel set is known here");
  }

  /** The fault of the cancellation or deadline, if there is one; long kernels poll this. */
  @Override
  @Nullable Fault cancelled();

  /**
   * Runs {@code work} on pieces of {@code grain} from 0 to {@code range}, possibly on several
   * threads at once, and returns when no piece is running any more. Derive the grain from shapes
   * alone, and choose one that is worth some tens of microseconds. A piece must not call this
   * method again.
   *
   * @return the fault of the first piece, in order, that met one; later pieces may not have run
   */
  default @Nullable Fault parallel(long range, long grain, Piece work) {
    for (long first = 0; first < range; first += grain) {
      Fault fault = work.run(first, Math.min(range, first + grain));
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  /** A part of a range of work; called on any thread. */
  @FunctionalInterface
  interface Piece {
    /**
     * Processes the elements from {@code first} (inclusive) to {@code end} (exclusive); returns
     * null, or the fault that it met.
     */
    @Nullable Fault run(long first, long end);
  }
}
