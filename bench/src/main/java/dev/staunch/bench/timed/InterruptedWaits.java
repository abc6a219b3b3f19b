package dev.staunch.bench.timed;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.engine.CancelScope;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long a thread that waits for seconds of work takes to return after an interrupt. The first
 * wait loads the classes of faults and exceptions, so there is no warm-up.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 21)
public class InterruptedWaits {
  private static final int SIDE = 1_500;
  private static final int PRODUCTS = 20;

  private final Context context = Context.open(OffHeap.withDefaultBudget());
  private final CancelScope work = CancelScope.open();
  private final Tensor last = context.within(work, this::products);
  private Thread waiter = Thread.currentThread();

  private Tensor products() {
    Tensor factor = context.ones(SIDE, SIDE);
    Tensor product = factor;
    for (int i = 0; i < PRODUCTS; i++) {
      product = product.matmul(factor);
    }
    return product;
  }

  /** Starts a thread and lets it start to wait. */
  @Setup(Level.Invocation)
  @SuppressWarnings("ThreadPriorityCheck") // nothing tells that a thread has started to wait
  public void await() {
    waiter =
        Thread.ofPlatform()
            .start(() -> {
              try {
                last.value();
              } catch (StaunchException expected) {
                // The result of the interrupt.
              }
            });
    while (waiter.isAlive()
        && waiter.getState() != Thread.State.WAITING
        && waiter.getState() != Thread.State.TIMED_WAITING) {
      Thread.yield();
    }
  }

  /** From the interrupt until the waiter has its exception and has ended. */
  @Benchmark
  public void interrupt() throws InterruptedException {
    waiter.interrupt();
    waiter.join();
  }

  @TearDown
  public void close() {
    boolean pending = !last.isSettled();
    work.cancel("measured");
    settle();
    context.close();
    if (!pending) {
      throw new IllegalStateException("the work ended before the waits");
    }
  }

  private void settle() {
    try {
      context.waitAll();
    } catch (StaunchException expected) {
      // The work that was cancelled.
    }
  }
}
