package dev.staunch.eager;

import dev.staunch.engine.Task;
import dev.staunch.engine.Uses;
import dev.staunch.fault.Fault;
import org.jspecify.annotations.Nullable;

/**
 * Follows a write at indices of {@code target} through a view that is not there yet. If the view
 * cannot be created, the write left its fault in the view alone; this task leaves it in {@code
 * target} too (F1).
 */
final class LostView extends Task {
  private final Handle target;
  private final Handle view;

  LostView(Handle target, Handle view) {
    super(Uses.updating(target.turns()).andReading(view.birth()));
    this.target = target;
    this.view = view;
  }

  @Override
  protected Uses usesInTurn() {
    return Uses.updating(target.data());
  }

  @Override
  protected @Nullable Fault incoming() {
    return view.ownFault() == null ? null : faultIn(view.data());
  }

  @Override
  protected Object run() {
    return DONE;
  }

  @Override
  protected boolean isSmall() {
    return true;
  }

  /** The write through the view is what counts as skipped. */
  @Override
  protected boolean isObserver() {
    return true;
  }

  @Override
  protected String name() {
    return "a write at indices";
  }
}
