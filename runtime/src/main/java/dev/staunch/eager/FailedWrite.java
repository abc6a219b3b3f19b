package dev.staunch.eager;

import dev.staunch.engine.Task;
import dev.staunch.engine.Uses;
import dev.staunch.fault.Fault;
import org.jspecify.annotations.Nullable;

/**
 * A write that could not even be prepared: leaves the reason in the tensor that it was to write
 * (F1).
 */
final class FailedWrite extends Task {
  private final Handle target;
  private final Fault why;

  /**
   * Whether something that the write needs already had the fault, which then stays the same (F2).
   */
  private final boolean isKnown;

  FailedWrite(Handle target, Fault why, boolean isKnown) {
    super(Uses.updating(target.turns()));
    this.target = target;
    this.why = why;
    this.isKnown = isKnown;
  }

  @Override
  protected Uses usesInTurn() {
    return Uses.updating(target.data());
  }

  @Override
  protected @Nullable Fault incoming() {
    return isKnown ? why : null;
  }

  @Override
  protected Object run() {
    return why;
  }

  @Override
  protected boolean isSmall() {
    return true;
  }
}
