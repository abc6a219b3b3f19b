package dev.staunch.fault;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Whoever has no room on the stack hears it before anything has begun (F11). */
class StackRoomTest {

  @Test
  void whoeverAsksForMoreIsRefusedEarlierInterpretedOrCompiled() throws InterruptedException {
    StackRoom little = StackRoom.of(4 << 10);
    StackRoom much = StackRoom.of(96 << 10);
    for (int round = 0; round < 50; round++) {
      int late = SmallStack.overflow(depth -> little.require());
      int early = SmallStack.overflow(depth -> much.require());
      assertTrue(early < late, early + " and " + late);
    }
  }
}
