package dev.staunch.kernel;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.memory.ResourceScope;
import org.jspecify.annotations.Nullable;

/** Counts how often a kernel polls for cancellation, and reports one from a given poll on. */
public final class CountdownEnvironment extends KernelBench {
  public static final Fault STOP = Fault.cancelled(CancelReason.USER, "the count is over");

  private final long last;
  private long polls;

  /**
   * @param last the number of polls that report nothing
   */
  public CountdownEnvironment(ResourceScope scope, long last) {
    super(scope);
    this.last = last;
  }

  long polls() {
    return polls;
  }

  @Override
  public @Nullable Fault cancelled() {
    polls++;
    return polls > last ? STOP : null;
  }
}
