package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.ResourceScope;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * MXNet's {@code thread_local_test.cc}, in which ten threads have stores of their own, and {@code
 * omp_threading_count_scope} of {@code threaded_engine_test.cc}, in which a thread count is set for
 * one thread and not for others. There is no such count to set here: an engine has the workers of
 * its options from the start. What a thread can have of its own is its surroundings, such as the
 * scope that owns the tensors it makes.
 */
class MxnetThreadLocalTest {
  private static final int THREADS = 10;
  private static final long BYTES = 4 * Float.BYTES;

  /** What one thread made, in its own scope. */
  private record Made(ResourceScope scope, Tensor value, Tensor next) {
    static Made by(Context context, int number, CyclicBarrier all) throws Exception {
      ResourceScope own = context.scope().child("thread " + number);
      return context.within(
          own,
          () -> {
            await(all);
            Tensor value = context.full((double) number, 4);
            await(all);
            return new Made(own, value, value.add(1.0));
          });
    }

    private static void await(CyclicBarrier all) {
      try {
        all.await();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    void assertHolds(int number) {
      assertArrayEquals(new float[] {number, number, number, number}, value.floats());
      assertEquals(4.0 * (number + 1), next.sum().item());
      assertEquals(2 * BYTES, scope.account().bytes());
    }
  }

  @ParameterizedTest
  @MethodSource("dev.staunch.eager.EagerTrial#engines")
  void whatTenThreadsMakeAtOnceIsOfEachOnesOwnScope(EngineOptions engine) throws Exception {
    try (EagerTrial trial = new EagerTrial(engine)) {
      List<Made> made = madeByThreads(trial.context);
      for (int number = 0; number < THREADS; number++) {
        made.get(number).assertHolds(number);
      }
      for (int number = 0; number < THREADS; number += 2) {
        made.get(number).scope().close();
      }
      for (int number = 0; number < THREADS; number++) {
        Made one = made.get(number);
        if (number % 2 == 0) {
          assertTrue(one.value().isClosed());
          assertThrows(StaunchException.ClosedException.class, one.next()::floats);
          assertEquals(0, one.scope().account().bytes());
        } else {
          assertFalse(one.value().isClosed());
          one.assertHolds(number);
          one.scope().close();
        }
      }
    }
  }

  private static List<Made> madeByThreads(Context context) throws Exception {
    CyclicBarrier all = new CyclicBarrier(THREADS);
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<Made>> futures = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int number = i;
        futures.add(threads.submit(() -> Made.by(context, number, all)));
      }
      List<Made> made = new ArrayList<>();
      for (Future<Made> future : futures) {
        made.add(future.get());
      }
      return made;
    }
  }
}
