package dev.staunch.memory;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A large block taken from the system for an asker that may give up before the block is ready (C3).
 * The JDK zeroes it in one go, a third of a second for each GB. So a separate thread does that
 * while the asker checks for cancellation. A block that is no longer wanted goes to the pool when
 * it is ready. The next caller that asks for a large block waits until then, and may get that one.
 */
final class FreshBlock extends FutureTask<Object> {
  /** Smaller blocks are ready before a delay could be noticed. */
  static final long LEAST = 8L << 20;

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final MemoryCore core;
  private final Thread waiter = Thread.currentThread();

  /**
   * Set by the first of two events: the block is ready, or the asker gives up. The second cleans
   * up.
   */
  private final AtomicBoolean over = new AtomicBoolean();

  private volatile boolean unwanted;

  FreshBlock(MemoryCore core, long bytes) {
    super(() -> core.newBlock(bytes));
    this.core = core;
  }

  /**
   * A block of {@code bytes}; or what the system threw instead; or the fault for which the asker
   * gave up.
   */
  static Object take(MemoryCore core, long bytes, Asker asker) {
    if (core.unwanted().get() > 0) {
      Fault stop = await(() -> core.unwanted().get() == 0, asker);
      if (stop != null) {
        return stop;
      }
      Block kept = core.pool.takeFree(bytes);
      if (kept != null) {
        return kept;
      }
    }
    return new FreshBlock(core, bytes).made(asker);
  }

  private Object made(Asker asker) {
    boolean wanted = false;
    try {
      start();
      Fault stop = await(this::isDone, asker);
      wanted = stop == null;
      return stop == null ? outcome() : stop;
    } finally {
      if (!wanted) {
        giveUp();
      }
    }
  }

  private void start() {
    try {
      Thread.ofPlatform()
          .daemon()
          .name("staunch-allocator")
          .inheritInheritableThreadLocals(false)
          .start(this);
    } catch (OutOfMemoryError e) { // no room for a thread
      run();
    }
  }

  /** Null once {@code what} holds; or why the asker stopped waiting. */
  private static @Nullable Fault await(BooleanSupplier what, Asker asker) {
    Fault stop = stop(asker);
    while (stop == null && !what.getAsBoolean()) {
      LockSupport.parkNanos(what, POLL_NANOS);
      stop = stop(asker);
    }
    return stop;
  }

  private static @Nullable Fault stop(Asker asker) {
    return Thread.currentThread().isInterrupted()
        ? Fault.cancelled(CancelReason.USER, "the wait for memory was interrupted")
        : asker.cancelled();
  }

  private Object outcome() {
    return state() == State.SUCCESS ? resultNow() : exceptionNow();
  }

  /** Abandons the block. */
  void giveUp() {
    core.unwanted().incrementAndGet();
    unwanted = true;
    end();
  }

  @Override
  protected void done() {
    end();
    LockSupport.unpark(waiter);
  }

  private void end() {
    if (over.getAndSet(true) && unwanted) {
      if (outcome() instanceof Block block) {
        core.takeBack(block);
      }
      core.unwanted().decrementAndGet();
    }
  }
}
