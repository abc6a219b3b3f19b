package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.Shape;
import org.junit.jupiter.api.Test;

/** Eager operations return faults as values and throw them, typed, at each read (F1, F2, F3). */
class TensorTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final Context context = Context.open(memory, StandardOperations.catalog());

  @Test
  void operationsBroadcastAndPromote() {
    Tensor a = context.of(Shape.of(2, 2), 1f, 2f, 3f, 4f);
    Tensor b = context.of(Shape.of(2), 10L, 20L);
    assertArrayEquals(new float[] {11, 22, 13, 24}, a.add(b).floats());
  }

  @Test
  void aFaultIsThrownAtEachReadWithTheUsersLine() {
    Tensor bad = context.of(Shape.of(2), 1f, 2f).add(context.of(Shape.of(3), 1f, 2f, 3f));
    Tensor worse = bad.relu().mul(bad);
    assertNotNull(bad.fault());
    assertSame(bad.fault(), worse.fault());
    for (int i = 0; i < 2; i++) {
      StaunchException.ShapeException thrown =
          assertThrows(StaunchException.ShapeException.class, worse::floats);
      assertNotNull(thrown.fault().source());
      assertEquals("TensorTest.java", thrown.fault().source().file());
      assertEquals("aten::add.Tensor", thrown.fault().operation());
    }
  }

  @Test
  void printingAFaultIsReadingIt() {
    Tensor bad = context.ones(2).add(context.ones(3));
    assertTrue(bad.toString().contains("shape"), bad::toString);
    context.waitAll();
    context.ones(2).add(context.ones(3));
    assertThrows(StaunchException.ShapeException.class, context::waitAll);
  }

  @Test
  void printingAClosedTensorLeavesNoFaultToRead() {
    Tensor closed = context.ones(2);
    closed.close();
    assertEquals("Tensor(closed)", closed.toString());
    context.waitAll();
  }

  @Test
  void aViewThatFailedIsNotHealedForItHasNoMemory() {
    Tensor row = context.arange(3);
    Tensor view = row.get(7);
    view.copy_(context.tensor(5L));
    assertThrows(StaunchException.IndexException.class, view::longs);
    Tensor failed = context.normal(0, -1, 2);
    assertArrayEquals(new float[] {1, 1}, failed.copy_(context.ones(2)).floats());
  }

  @Test
  void theOuterProductPromotes() {
    Tensor product = context.arange(3).outer(context.ones(2));
    assertArrayEquals(new float[] {0, 0, 1, 1, 2, 2}, product.floats());
  }

  @Test
  void rootsByANumberAreRoots() {
    Tensor x = context.tensor(new double[] {Double.NEGATIVE_INFINITY, -0.0, 4});
    assertArrayEquals(
        new double[] {Double.NaN, Double.NEGATIVE_INFINITY, 0.5}, x.pow(-0.5).doubles());
    assertArrayEquals(new double[] {Double.NaN, -0.0, 2}, x.pow(0.5).doubles());
  }

  @Test
  void useAfterCloseIsATypedFaultThatNamesTheTensor() {
    Tensor a = context.of(Shape.of(1), 1f);
    a.close();
    StaunchException.ClosedException thrown =
        assertThrows(StaunchException.ClosedException.class, () -> a.add(a).floats());
    assertTrue(thrown.getMessage().contains("float32[1]"), thrown.getMessage());
  }

  @Test
  void closingTheContextGivesAllBack() {
    Tensor a = context.of(Shape.of(100), new float[100]);
    a.add(a).matmul(a);
    assertTrue(context.bytes() > 0);
    context.close();
    assertEquals(0, memory.account().bytes());
  }
}
