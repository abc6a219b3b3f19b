package dev.staunch.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.fault.jvm.StackRoom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A caller without room on the stack is told before anything has begun (F11). */
class StackRoomTest {
  @Test
  void whoeverAsksForMoreIsRefusedEarlierInterpretedOrCompiled() throws InterruptedException {
    StackRoom little = StackRoom.of(4 << 10);
    StackRoom much = StackRoom.of(96 << 10);
    AtomicInteger refused = new AtomicInteger();
    for (int round = 0; round < 50; round++) {
      SmallStack.overflow(depth -> {
        try {
          much.require();
        } catch (StackOverflowError e) {
          little.require();
          refused.incrementAndGet();
          throw e;
        }
      });
    }
    assertEquals(50, refused.get(), "where there was no room for much, there was for little");
  }

  @Test
  void roomIsAskedForUpToWhatAMethodCanDeclare() {
    StackRoom.of(0).require();
    StackRoom.of((1 << 19) - 16).require();
    assertThrows(IllegalArgumentException.class, () -> StackRoom.of(1 << 19));
    assertThrows(IllegalArgumentException.class, () -> StackRoom.of(-1));
  }
}
