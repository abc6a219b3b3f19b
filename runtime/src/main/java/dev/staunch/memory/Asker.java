package dev.staunch.memory;

import dev.staunch.fault.Fault;
import org.jspecify.annotations.Nullable;

/** Who asks for memory, and may not want it any more before it is there. */
@FunctionalInterface
public interface Asker {
  /** The fault of the cancellation or deadline, if it came; looked for while memory is made. */
  @Nullable Fault cancelled();
}
