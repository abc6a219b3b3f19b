package dev.staunch.eager;

import dev.staunch.engine.Task;
import dev.staunch.engine.Uses;
import dev.staunch.fault.Fault;
import org.jspecify.annotations.Nullable;

/**
 * Comes after a write at indices of {@code target}, through a view that is still to be made: if it
 * cannot be, what that write left in the view alone is left in {@code target}, too (F1).
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

  /** The write through the view counts. */
  @Override
  protected boolean isObserver() {
    return true;
  }

  @Override
  protected String name() {
    return "a write at indices";
  }
}
