package dev.staunch.testkit;

import dev.staunch.fault.Fault;
import dev.staunch.fault.SourceLocation;
import dev.staunch.kernel.Interceptor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Fails one kernel call, given by its number in the run, and remembers which operation it was. */
public final class FailNth implements Interceptor {
  private final int wanted;
  private final AtomicInteger calls = new AtomicInteger();
  private volatile @Nullable String operation;
  private volatile @Nullable SourceLocation source;

  /**
   * @param wanted the call to fail, counted from 0
   */
  public FailNth(int wanted) {
    this.wanted = wanted;
  }

  @Override
  public @Nullable Object before(String name, Object[] arguments, @Nullable SourceLocation asked) {
    if (calls.getAndIncrement() != wanted) {
      return null;
    }
    operation = name;
    source = asked;
    return Fault.internal("injected into call " + wanted);
  }

  /** The operation whose call failed, or null if the run was shorter. */
  public @Nullable String operation() {
    return operation;
  }

  public @Nullable SourceLocation source() {
    return source;
  }
}
