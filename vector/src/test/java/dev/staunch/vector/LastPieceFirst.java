package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.memory.ResourceScope;
import org.jspecify.annotations.Nullable;

/** A context that runs pieces from the last to the first and records their greatest number. */
final class LastPieceFirst implements ExecutionContext {
  private final ResourceScope scope;
  private long most = 1;

  LastPieceFirst(ResourceScope scope) {
    this.scope = scope;
  }

  long most() {
    return most;
  }

  @Override
  public ResourceScope scope() {
    return scope;
  }

  @Override
  public @Nullable Fault cancelled() {
    return null;
  }

  @Override
  public @Nullable Fault parallel(long range, long grain, Piece work) {
    long pieces = Math.ceilDiv(range, grain);
    most = Math.max(most, pieces);
    Fault fault = null;
    for (long i = pieces - 1; i >= 0; i--) {
      Fault met = work.run(i * grain, Math.min(range, (i + 1) * grain));
      fault = met == null ? fault : met;
    }
    return fault;
  }
}
