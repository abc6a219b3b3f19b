package dev.staunch.memory;

import dev.staunch.fault.Fault;
import org.jspecify.annotations.Nullable;

/** The caller that asks for memory, and may give up before the memory is ready. */
@FunctionalInterface
public interface Asker {
  /** The fault of the cancellation or deadline, or null; polled while memory is created. */
  @Nullable Fault cancelled();
}
