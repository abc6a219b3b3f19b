package dev.staunch.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Pending;
import dev.staunch.engine.Workers;
import dev.staunch.inference.Answer;
import dev.staunch.inference.InferenceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * One model, 64 threads, one bad request in fifty (S6, P1). {@code -Drandom.requests} sets the
 * number of requests.
 */
class SharedModelTest {
  private static final int THREADS = 64;
  private static final int REQUESTS = Math.max(20_000, Integer.getInteger("random.requests", 0));

  @Test
  void requestsFromManyThreadsGetEachTheirOwn() throws Exception {
    try (DemoModel demo = new DemoModel();
        Workers workers = Workers.of(THREADS, "shared-model")) {
      long weights = demo.model.bytes();
      List<InferenceRequest> good = new ArrayList<>();
      for (int i = 0; i < demo.requests.size(); i++) {
        good.add(demo.request(i));
      }
      InferenceRequest bad =
          demo.parse(demo.requests.get(0).replace("\"shape\": [4, 8]", "\"shape\": [8, 4]"));
      AtomicInteger wrong = new AtomicInteger();
      AtomicInteger missed = new AtomicInteger();
      AtomicInteger falseErrors = new AtomicInteger();
      List<Pending> threads = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int first = thread;
        threads.add(
            workers.submit(() -> {
              for (int i = first; i < REQUESTS; i += THREADS) {
                boolean isBad = i % 50 == 17;
                int number = i % good.size();
                Answer answer = demo.model.predict(isBad ? bad : good.get(number), "forward");
                missed.addAndGet(isBad && !answer.failed() ? 1 : 0);
                falseErrors.addAndGet(!isBad && answer.failed() ? 1 : 0);
                boolean right = isBad || answer.failed() || demo.isRight(number, answer);
                wrong.addAndGet(right ? 0 : 1);
              }
              return "done";
            }));
      }
      for (Pending thread : threads) {
        assertEquals("done", thread.await(CancelScope.open()));
      }
      assertEquals(0, wrong.get(), "wrong answers");
      assertEquals(0, missed.get(), "bad requests that were answered");
      assertEquals(0, falseErrors.get(), "good requests that failed");
      assertEquals(weights, demo.model.bytes(), "bytes held after all requests");
    }
  }
}
