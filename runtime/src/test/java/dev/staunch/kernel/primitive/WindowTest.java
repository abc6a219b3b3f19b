package dev.staunch.kernel.primitive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.fault.StaunchException;
import org.junit.jupiter.api.Test;

class WindowTest {
  private static final int MOST = Integer.MAX_VALUE;

  @Test
  void gapsThatAnIntCannotCountFitNowhere() {
    Window wide = new Window(5, 1, 0, 0, 1 << 30); // 2^32 + 1 elements
    assertEquals(MOST, wide.extent());
    assertEquals(0, wide.outputs(10, false));
    assertEquals(0, wide.outputs(MOST, true));
  }

  @Test
  void paddingThatAnIntCannotCountIsTold() {
    Window padded = new Window(3, 1 << 30, MOST, MOST, 1);
    assertThrows(StaunchException.class, () -> padded.outputs(10, false));
    Window little = new Window(3, 1 << 28, 1, 1, 1);
    assertThrows(StaunchException.class, () -> little.outputs(MOST, false));
    assertEquals(8, little.outputs(MOST - 2, false));
  }

  @Test
  void aStepThatIsAsLargeAsCanBeIsTaken() {
    assertEquals(1, new Window(2, MOST, 0, 0, 1).outputs(10, true));
    assertEquals(1, new Window(2, MOST, 0, 0, 1).outputs(10, false));
  }
}
