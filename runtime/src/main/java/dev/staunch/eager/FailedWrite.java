package dev.staunch.eager;

import dev.staunch.engine.Task;
import dev.staunch.engine.Uses;
import dev.staunch.fault.Fault;
import org.jspecify.annotations.Nullable;

/** A write that could not even be prepared: leaves why in what it was to write (F1). */
final class FailedWrite extends Task {
  private final Handle target;
  private final Fault why;

  /** Whether something had the fault before which the write needs, and whose it stays (F2). */
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
