package dev.staunch.vector;

import dev.staunch.fault.Fault;
import org.jspecify.annotations.Nullable;

/** Asked between pieces of work whether to go on. */
interface Probe {
  /** The fault of the cancellation, if it came. */
  @Nullable Fault cancelled();
}
