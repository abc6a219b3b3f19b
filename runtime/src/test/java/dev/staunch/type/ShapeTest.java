package dev.staunch.type;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import org.junit.jupiter.api.Test;

/** A shape is valid if a long can count its elements; anything else is a typed fault (F8). */
class ShapeTest {
  private static final long HALF = 1L << 32;

  private static String refused(long... sizes) {
    Fault fault = Shape.misfit(sizes);
    assertNotNull(fault);
    assertEquals(FaultType.SHAPE, fault.type());
    StaunchException thrown =
        assertThrows(StaunchException.ShapeException.class, () -> Shape.of(sizes));
    assertEquals(fault.message(), thrown.getMessage());
    assertFalse(thrown.fault().reach().isRead(), "F10: whoever catches it has to tell it");
    return fault.message();
  }

  @Test
  void theLargestShapesHaveAsManyElementsAsALongCounts() {
    for (long[] sizes : new long[][] {{Long.MAX_VALUE}, {1, Long.MAX_VALUE, 1}}) {
      assertNull(Shape.misfit(sizes));
      assertEquals(Long.MAX_VALUE, Shape.of(sizes).elements());
    }
    assertEquals(1L << 62, Shape.of(HALF, HALF / 4).elements());
    assertEquals(1, Shape.of().elements());
  }

  @Test
  void oneElementMoreIsRefused() {
    assertEquals(
        "the shape [4294967296, 2147483648] has more elements than a long can count",
        refused(HALF, HALF / 2));
    refused(HALF, HALF);
    refused(Long.MAX_VALUE, 2);
    refused(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
    refused(3, HALF, HALF, HALF, HALF);
  }

  @Test
  void aSizeOf0MakesNoDifferenceWhereverItStands() {
    assertEquals(0, Shape.of(0, HALF).elements());
    assertEquals(0, Shape.of(HALF, 0).elements());
    refused(0, HALF, HALF);
    refused(HALF, 0, HALF);
    refused(HALF, HALF, 0);
  }

  @Test
  void aNegativeSizeIsRefused() {
    assertEquals("the shape [2, -1] has a negative size", refused(2, -1));
    refused(0, -1);
    refused(Long.MIN_VALUE, Long.MIN_VALUE);
  }

  @Test
  void aSizeThatAnIntCannotCountIsRefusedWhereOneHasTo() {
    assertEquals(Integer.MAX_VALUE, Shape.asInt(Integer.MAX_VALUE));
    StaunchException thrown =
        assertThrows(StaunchException.ShapeException.class, () -> Shape.asInt(1L << 31));
    assertEquals(
        "a size of 2147483648 is beyond the 2147483647 that this operation can count",
        thrown.getMessage());
  }
}
