package dev.staunch.bench.ours;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.engine.CancelScope;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** How long a thread that waits for seconds of work takes to come back once interrupted. */
final class InterruptedWaits {
  private static final int SIDE = 1_500;
  private static final int PRODUCTS = 20;

  private InterruptedWaits() {}

  static Map<String, Double> measure(Effort effort) {
    try (Context context = Context.open(OffHeap.withDefaultBudget())) {
      CancelScope work = CancelScope.open();
      Tensor last = context.within(work, () -> products(context));
      double[] millis = new double[effort.pick(7, 21)];
      for (int i = 0; i < millis.length; i++) {
        millis[i] = interruptMillis(last);
      }
      boolean pending = !last.isSettled();
      work.cancel("measured");
      if (!pending) {
        throw new IllegalStateException("the work ended before the waits");
      }
      double first = millis[0]; // loads the classes of faults and exceptions
      millis[0] = 0;
      Arrays.sort(millis);
      double worst = millis[millis.length - 1];
      return Map.of(
          "firstInterrupt", first,
          "interrupt", millis[millis.length / 2],
          "worstInterrupt", worst);
    }
  }

  private static Tensor products(Context context) {
    Tensor factor = context.ones(SIDE, SIDE);
    Tensor product = factor;
    for (int i = 0; i < PRODUCTS; i++) {
      product = product.matmul(factor);
    }
    return product;
  }

  @SuppressWarnings("ThreadPriorityCheck") // nothing tells that a thread has begun to wait
  private static double interruptMillis(Tensor pending) {
    AtomicLong returned = new AtomicLong();
    Thread waiter =
        Thread.ofPlatform()
            .start(() -> {
              try {
                pending.value();
              } catch (StaunchException expected) {
                returned.set(System.nanoTime());
              }
            });
    while (waiter.getState() != Thread.State.WAITING
        && waiter.getState() != Thread.State.TIMED_WAITING) {
      Thread.yield();
    }
    long started = System.nanoTime();
    waiter.interrupt();
    try {
      waiter.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return (returned.get() - started) / 1e6;
  }
}
