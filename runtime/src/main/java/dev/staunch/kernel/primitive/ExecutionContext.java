package dev.staunch.kernel.primitive;

import dev.staunch.fault.Fault;
import dev.staunch.memory.Asker;
import dev.staunch.memory.ResourceScope;
import org.jspecify.annotations.Nullable;

/** What a primitive may use while it runs. */
public interface ExecutionContext extends Asker {
  /** Owns scratch memory that a primitive allocates; it closes what it took before it returns. */
  ResourceScope scope();

  /** The copying that others use; none where a primitive is tried by itself. */
  default Copy copy(Copy.Request request) {
    throw new IllegalStateException("no kernel set is known here");
  }

  /** The fault of the cancellation or deadline, if it came; long kernels poll this. */
  @Override
  @Nullable Fault cancelled();

  /**
   * Runs {@code work} on pieces of {@code grain} from 0 to {@code range}, perhaps several at once
   * on other threads; returns when none is running any more. Take a grain from shapes alone, and
   * one that is worth some tens of microseconds. Pieces do not ask for this again.
   *
   * @return the fault of the first piece that met one, in order; pieces behind it may not have run
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
    /** Does what lies from {@code first} to before {@code end}; null, or the fault that it met. */
    @Nullable Fault run(long first, long end);
  }
}
