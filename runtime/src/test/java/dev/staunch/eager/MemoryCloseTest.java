package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;

/** M2: when memory is closed under load, each use succeeds or is a fault of type closed. */
@Timeout(60)
class MemoryCloseTest {
  private static final int CLIENTS = 4;
  private static final int LARGEST = 3000;

  private final OffHeap memory = OffHeap.withBudget(8 << 20);
  private final CountDownLatch busy = new CountDownLatch(CLIENTS);
  private final Queue<Object> wrong = new ConcurrentLinkedQueue<>();

  @RepeatedTest(20)
  void eachUseIsRightOrClosed() throws InterruptedException {
    EngineOptions engine = EngineOptions.threaded(2).withUnreadFaults(fault -> {});
    ContextOptions options = ContextOptions.standard().withLargeElements(500).withEngine(engine);
    try (Context context = Context.open(memory, options)) {
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int first = i;
        clients.add(Thread.ofPlatform().start(() -> useUntilClosed(context, first)));
      }
      busy.await();
      memory.close();
      for (Thread client : clients) {
        client.join();
      }
    }
    assertEquals(List.of(), List.copyOf(wrong));
    assertEquals(0, memory.account().bytes());
    memory.trim();
    assertEquals(0, memory.reservedBytes());
  }

  private void useUntilClosed(Context context, int first) {
    try {
      for (int i = first; true; i++) {
        use(context, 1 + i * 997 % LARGEST);
        if (i == first + 10) {
          busy.countDown();
        }
      }
    } catch (StaunchException e) {
      if (e.fault().type() != FaultType.CLOSED) {
        wrong.add(e.fault());
      }
    } catch (RuntimeException | Error e) {
      wrong.add(e);
    } finally {
      busy.countDown();
    }
  }

  private void use(Context context, int elements) {
    try (Tensor twos = context.full(2.0, elements);
        Tensor threes = twos.add(1.0)) {
      for (float value : threes.floats()) {
        if (value != 3f) {
          wrong.add(value);
        }
      }
    }
  }
}
