package dev.staunch.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.staunch.execute.RunOptions;
import dev.staunch.inference.InferenceRequest;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * The garbage that a request of a small model creates. The bounds also hold without the optimising
 * compiler, which removes some of the allocations.
 */
class SmallModelGarbageTest {
  private static final int ROUNDS = 5;
  private static final int REQUESTS = 2_000;
  private static final long MOST_PER_OPERATION = 700;
  private static final long MOST_FOR_A_BAD_REQUEST = 40_000;

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  /** The bytes that one request allocates, in the best of several rounds. */
  private static long bytes(DemoModel demo, InferenceRequest request, boolean good) {
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long before = allocated();
      for (int i = 0; i < REQUESTS; i++) {
        assertEquals(good, !demo.model.predict(request, "forward").failed());
      }
      least = Math.min(least, (allocated() - before) / REQUESTS);
    }
    return least;
  }

  private static int operations(DemoModel demo, InferenceRequest request) {
    AtomicInteger calls = new AtomicInteger();
    demo.model.predict(
        request,
        "forward",
        scope ->
            RunOptions.in(scope)
                .withInterceptor((operation, arguments, source) -> {
                  calls.incrementAndGet();
                  return null;
                }));
    return calls.get();
  }

  @Test
  void anOperationLeavesLittleMoreThanItsResult() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      long weights = demo.model.bytes();
      InferenceRequest request = demo.request(0);
      int operations = operations(demo, request);
      assertTrue(operations >= 20, "operations of a request: " + operations);
      long bytes = bytes(demo, request, true);
      assertTrue(
          bytes <= operations * MOST_PER_OPERATION,
          bytes + " bytes of garbage for " + operations + " operations");
      assertEquals(weights, demo.model.bytes());
    }
  }

  @Test
  void aRequestThatFailsLeavesItsFaultAndNoMore() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      long weights = demo.model.bytes();
      InferenceRequest bad =
          demo.parse(demo.requests.get(0).replace("\"shape\": [4, 8]", "\"shape\": [8, 4]"));
      long bytes = bytes(demo, bad, false);
      assertTrue(bytes <= MOST_FOR_A_BAD_REQUEST, bytes + " bytes of garbage for a bad request");
      assertFalse(demo.model.predict(demo.request(0), "forward").failed());
      assertEquals(weights, demo.model.bytes());
    }
  }
}
