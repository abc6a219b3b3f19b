package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * The millionth fault costs as much as the first: nothing is kept of the faults before it (F12).
 */
class FaultCostTest {
  private static final int FAULTS = 1_000_000;

  @Test
  void aMillionFaultsLeaveNothingBehind() {
    AtomicLong told = new AtomicLong();
    EngineOptions options =
        EngineOptions.threaded(2)
            .withNoteSources(false)
            .withUnreadFaults(fault -> told.incrementAndGet());
    List<WeakReference<Fault>> samples = new ArrayList<>();
    EngineContext context;
    try (Engine engine = Engine.start(options)) {
      context = engine.open("program");
      Variable variable = new Variable("x");
      for (int i = 0; i < FAULTS; i++) {
        Fault fault = Fault.value("again");
        context.push(new Step(Uses.writing(variable), true, () -> fault));
        if (i % 1_000 == 0) {
          samples.add(new WeakReference<>(fault));
        }
        if (i % 2 == 0) {
          context.await(variable, null);
        }
      }
      context.push(Step.small(Uses.writing(variable), () -> {}));
      while (samples.stream().anyMatch(sample -> sample.get() != null)) {
        System.gc();
      }
      assertEquals(FAULTS, context.faults());
    }
    assertEquals(FAULTS / 2, context.unreadFaults());
    while (told.get() < FAULTS / 2) {
      Thread.onSpinWait(); // a close waits at most a second for the handler
    }
    assertEquals(FAULTS / 2, told.get());
    assertTrue(samples.stream().allMatch(sample -> sample.refersTo(null)));
  }
}
