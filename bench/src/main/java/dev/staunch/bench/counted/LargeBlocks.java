package dev.staunch.bench.counted;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.engine.CancelScope;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.OffHeap;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How late a thread returns that waits for a tensor of 1 GB, while its memory is allocated and
 * zeroed, once the wait is cancelled, interrupted or out of time. No block is cached for the next
 * tensor.
 */
public final class LargeBlocks {
  private static final int FLOATS = 250_000_000;
  private static final int WAITS = 20;
  private static final int LONGEST_MILLIS = 200;

  private final OffHeap memory = OffHeap.of(MemoryOptions.withBudget(3L << 30).withCachedBytes(0));
  private final Random random = new Random(1);
  private final AtomicLong due = new AtomicLong();

  private LargeBlocks() {}

  /** Prints {@code name=value} lines, in milliseconds. */
  public static void main(String[] arguments) throws InterruptedException {
    new LargeBlocks().measure().forEach((name, value) -> System.out.println(name + "=" + value));
  }

  private Map<String, Double> measure() throws InterruptedException {
    Map<String, Double> figures = new LinkedHashMap<>();
    try (Context context = Context.open(memory)) {
      for (String how : new String[] {"Cancelled", "Interrupted", "OutOfTime"}) {
        late(context, how); // loads the classes that a fault needs
        double[] late = new double[WAITS];
        for (int i = 0; i < WAITS; i++) {
          late[i] = late(context, how) / 1e6;
        }
        Arrays.sort(late);
        figures.put("median" + how, late[WAITS / 2]);
        figures.put("worst" + how, late[WAITS - 1]);
      }
    }
    return figures;
  }

  private long late(Context context, String how) throws InterruptedException {
    Duration soon = Duration.ofMillis(1 + random.nextInt(LONGEST_MILLIS));
    CancelScope scope =
        how.equals("OutOfTime") ? CancelScope.withDeadline(soon) : CancelScope.open();
    due.set(System.nanoTime() + soon.toNanos());
    Thread waiter = Thread.currentThread();
    Thread other = Thread.ofPlatform().start(() -> end(how, scope, waiter, soon));
    long late = ended(context, scope) - due.get();
    boolean interrupted = Thread.interrupted();
    other.join();
    settle(context);
    if (interrupted != how.equals("Interrupted")) {
      throw new IllegalStateException(how + " but the thread's flag is " + interrupted);
    }
    return late;
  }

  /** The time at which a wait for 1 GB returns; the wait must end before the tensor is there. */
  private static long ended(Context context, CancelScope scope) {
    try {
      Tensor made = context.within(scope, () -> context.zeros(FLOATS));
      made.value();
    } catch (StaunchException expected) {
      return System.nanoTime();
    }
    throw new IllegalStateException("1 GB was there before the wait was ended");
  }

  private static void settle(Context context) {
    try {
      context.waitAll();
    } catch (StaunchException expected) {
      // The fault of the wait that was ended.
    }
  }

  private void end(String how, CancelScope scope, Thread waiter, Duration soon) {
    if (how.equals("OutOfTime")) {
      return;
    }
    try {
      Thread.sleep(soon);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    due.set(System.nanoTime());
    if (how.equals("Cancelled")) {
      scope.cancel("the client wants it");
    } else {
      waiter.interrupt();
    }
  }
}
