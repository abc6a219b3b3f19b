package dev.staunch.kernel;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.ResourceScope;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts how often a kernel asks whether it is cancelled, and says so from one time on. */
public final class CountdownEnvironment implements Environment {
  public static final Fault STOP = Fault.cancelled(CancelReason.USER, "the count is over");

  private final ResourceScope scope;
  private final long last;
  private long polls;

  /**
   * @param last how many polls find nothing
   */
  public CountdownEnvironment(ResourceScope scope, long last) {
    this.scope = scope;
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

  @Override
  public ResourceScope scope() {
    return scope;
  }

  @Override
  public Catalog catalog() {
    return StandardOperations.catalog();
  }

  @Override
  public boolean gradEnabled() {
    return false;
  }

  @Override
  public void setGradEnabled(boolean enabled) {
    throw new UnsupportedOperationException("gradients are off");
  }

  @Override
  public RandomStream random() {
    return new RandomStream(0, 0);
  }

  @Override
  public void cancel(String reason) {
    throw new UnsupportedOperationException("cancelled by counting only");
  }

  @Override
  public Object later(Supplier<Object> work) {
    return work.get();
  }

  @Override
  public void print(String line) {}
}
