package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.Generator;
import dev.staunch.memory.OffHeap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Random numbers follow the order of the calls, not that of the workers (E1), nor faults (F2). */
class RandomOrderTest {

  private static float[] draw(EngineOptions engine, boolean withFailures) {
    OffHeap memory = OffHeap.withBudget(1 << 22);
    float[] drawn = new float[64];
    ContextOptions options =
        ContextOptions.standard()
            .withEngine(engine.withUnreadFaults((Fault fault) -> {}))
            .withLargeElements(1);
    try (Context context = Context.open(memory, options)) {
      context.manualSeed(7);
      Tensor[] parts = new Tensor[64];
      for (int i = 0; i < parts.length; i++) {
        parts[i] = context.zeros(50).normal_(i, 1);
        if (withFailures) {
          context.zeros(5).normal_(0, -1);
          context.normal(0, -1, 3);
          context.zeros(2).add(context.zeros(3)).uniform_(0, 1);
        }
      }
      for (int i = 0; i < parts.length; i++) {
        drawn[i] = (float) parts[i].sum().item();
      }
    }
    assertEquals(0, memory.account().bytes());
    return drawn;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8})
  void theNumbersAreTheSameOnAnyNumberOfWorkers(int workers) {
    assertArrayEquals(
        draw(EngineOptions.serial(), false), draw(EngineOptions.threaded(workers), false));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void failedDrawsLeaveTheNumbersOfTheOthersAsTheyWere(int workers) {
    assertArrayEquals(
        draw(EngineOptions.serial(), false), draw(EngineOptions.threaded(workers), true));
    assertArrayEquals(
        draw(EngineOptions.serial(), false), draw(EngineOptions.seeded(workers, 4), true));
  }

  /**
   * Whether or not the draws before it have been made; the same holds for a read of the generator.
   */
  @ParameterizedTest
  @MethodSource("dev.staunch.eager.EagerTrial#engines")
  void aSeedCountsForTheDrawsThatAreCalledAfterIt(EngineOptions engine) {
    CountDownLatch done = new CountDownLatch(1);
    try (EagerTrial trial = new EagerTrial(engine)) {
      Context context = trial.context;
      float[] ofSeven = seeded(context, 7).floats();
      float[] ofEleven = seeded(context, 11).floats();
      Tensor busy = context.zeros(50);
      if (engine.mode() == EngineOptions.Mode.THREADED) {
        context.engineContext().push(new StuckWrite(busy, done));
      }
      context.manualSeed(7);
      Tensor pending = busy.normal_(0, 1);
      Tensor after = seeded(context, 11);
      done.countDown();
      assertEquals(new Generator.State(11, 1), context.generator().state());
      assertArrayEquals(ofSeven, pending.floats());
      assertArrayEquals(ofEleven, after.floats());
    }
  }

  private static Tensor seeded(Context context, long seed) {
    context.manualSeed(seed);
    return context.zeros(50).normal_(0, 1);
  }
}
