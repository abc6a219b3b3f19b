package dev.staunch.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Memory is given back in every way in which it can be, once (M1, M2, M3, M4). */
class ResourceScopeTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  private DenseTensor tensor(float... values) {
    return assertInstanceOf(
        DenseTensor.class, HostTensors.floats(scope, Shape.of(values.length), values));
  }

  @Test
  void bytesAreCountedExactlyAndGoBackWithTheScope() {
    DenseTensor tensor = tensor(1, 2, 3);
    assertEquals(12, scope.account().bytes());
    assertEquals(12, memory.account().bytes());
    assertEquals(0, tensor.segment().address() % 64, "alignment");
    scope.close();
    assertEquals(0, memory.account().bytes());
    assertTrue(tensor.isClosed());
  }

  @Test
  void bytesThatAreBorrowedAreReadWhereTheyLieAndWrittenInACopyOnly() {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_INT, 7, 8);
      Storage storage = scope.borrow(bytes);
      assertEquals(0, scope.account().bytes());
      assertEquals(bytes.address(), storage.segment().address());
      assertTrue(storage.isReadOnly());
      assertNull(storage.makeWritable());
      storage.segment().setAtIndex(ValueLayout.JAVA_INT, 0, 9);
      assertEquals(7, bytes.getAtIndex(ValueLayout.JAVA_INT, 0));
      assertEquals(8, storage.segment().getAtIndex(ValueLayout.JAVA_INT, 1));
      assertEquals(8, scope.account().bytes());
      storage.release();
      assertEquals(0, scope.account().bytes());
    }
    scope.close();
  }

  @Test
  void bytesThatWereTakenBackAreNotCopiedAndNothingStays() {
    Arena arena = Arena.ofShared();
    Storage storage = scope.borrow(arena.allocate(64));
    arena.close();
    assertInstanceOf(Fault.class, storage.makeWritable());
    storage.release();
    assertEquals(0, scope.account().bytes());
    scope.close();
  }

  /** F9: messages could not name it. */
  @Test
  void aScopeWithoutANameIsRefused() {
    assertThrows(NullPointerException.class, () -> ResourceScope.open(memory, null).close());
    assertThrows(NullPointerException.class, () -> scope.child(null).close());
    scope.close();
    assertEquals(List.of(), List.copyOf(memory.account().children()));
  }

  @Test
  void closingIsIdempotentFromAnyWay() {
    DenseTensor tensor = tensor(1);
    tensor.close();
    tensor.close();
    scope.close();
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  /** M3: refused when it is created, not thrown when its scope ends. */
  @Test
  void aResourceWithNothingToReleaseIsRefused() {
    assertThrows(NullPointerException.class, () -> new Bare(scope, null));
    scope.close();
  }

  private static final class Bare extends Resource {
    Bare(ResourceScope home, Releasable part) {
      super(home, part);
    }

    @Override
    public String describe() {
      return "bare";
    }
  }

  /** M3: a closed resource joins no list, in which it would stay until the scope ends. */
  @Test
  void aClosedTensorBecomesNobodysMember() {
    DenseTensor tensor = tensor(1);
    tensor.close();
    assertSame(tensor, scope.own(tensor));
    assertEquals(List.of(), memory.openResources());
    assertEquals(1, memory.metrics().creations());
  }

  @Test
  void aViewKeepsTheStorageAliveAfterTheOriginalIsClosed() {
    DenseTensor tensor = tensor(1, 2, 3, 4);
    DenseTensor view =
        assertInstanceOf(
            DenseTensor.class, tensor.view(scope, new Layout(Shape.of(2), new long[] {2}, 1)));
    tensor.close();
    assertEquals(16, memory.account().bytes());
    assertEquals(4, HostTensors.toFloats(view)[1]);
    view.close();
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void viewingAClosedTensorIsATypedFaultAndNeverAnothersData() {
    DenseTensor tensor = tensor(1);
    tensor.close();
    Fault fault = assertInstanceOf(Fault.class, tensor.view(scope, tensor.layout()));
    assertEquals(FaultType.CLOSED, fault.type());
  }

  @Test
  void aLayoutThatReachesOutsideItsStorageIsAFault() {
    DenseTensor tensor = tensor(1, 2, 3);
    Layout outside = new Layout(Shape.of(2, 2), new long[] {2, 1}, 0);
    assertInstanceOf(Fault.class, tensor.view(scope, outside));
    Layout far = new Layout(Shape.of(2), new long[] {Long.MAX_VALUE / 8}, 0);
    assertInstanceOf(Fault.class, tensor.view(scope, far));
    assertEquals(12, memory.account().bytes());
  }

  @Test
  void whatDoesNotFitTheBudgetIsAFaultThatSaysSo() {
    Object made = DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(1 << 20));
    Fault fault = assertInstanceOf(Fault.class, made);
    assertEquals(FaultType.OUT_OF_MEMORY, fault.type());
    assertTrue(fault.message().contains("of the process, 1 MiB, "), fault.message());
    assertEquals(0, memory.account().bytes());
    Object absurd = DenseTensor.allocate(scope, DType.FLOAT64, Shape.of(1L << 61));
    assertEquals(FaultType.OUT_OF_MEMORY, assertInstanceOf(Fault.class, absurd).type());
  }

  @Test
  void aPartReachesNeverPastItsStorage() {
    Storage whole = assertInstanceOf(Storage.class, scope.allocate(100));
    for (long[] bad : new long[][] {{1, Long.MAX_VALUE}, {101, 0}, {-1, 1}, {0, -1}, {60, 41}}) {
      Fault fault = assertInstanceOf(Fault.class, scope.part(whole, bad[0], bad[1]));
      assertTrue(fault.message().contains("100 bytes"), fault::message);
    }
    Storage part = assertInstanceOf(Storage.class, scope.part(whole, 60, 40));
    whole.release();
    assertTrue(whole.isAlive(), "the part keeps the whole");
    part.release();
    assertFalse(whole.isAlive());
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void aTensorMayMoveToAnotherScopeAndOutliveItsOwn() {
    ResourceScope other = ResourceScope.open(memory, "other");
    DenseTensor tensor = tensor(5);
    ResourceScope.moveTo(other, tensor);
    scope.close();
    assertFalse(tensor.isClosed());
    assertEquals(5, HostTensors.toFloats(tensor)[0]);
    other.close();
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void whatIsMadeInAClosedScopeIsClosedAtOnce() {
    scope.close();
    Object made = DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(2));
    assertTrue(assertInstanceOf(DenseTensor.class, made).isClosed());
    assertEquals(0, memory.account().bytes());
  }

  /** M6: the metrics miss nothing. */
  @Test
  void whatIsHandedToAClosedScopeIsClosedAndCountsAsThatScopes() {
    ResourceScope closed = scope.child("closed");
    closed.close();
    DenseTensor tensor = tensor(1);
    ResourceScope.moveTo(closed, tensor);
    assertTrue(tensor.isClosed());
    assertEquals(0, memory.account().bytes());
    assertEquals(1, memory.metrics().creations());
    assertEquals(1, memory.metrics().freedByScope());
    scope.close();
  }

  /** M6: a closed scope returns to the reports with each child, but counts once. */
  @Test
  void aChildOfAClosedScopeCountsNothingTwice() {
    ResourceScope parent = scope.child("parent");
    DenseTensor made =
        assertInstanceOf(DenseTensor.class, DenseTensor.allocate(parent, DType.INT8, Shape.of(1)));
    for (int i = 0; i < 3; i++) {
      parent.close();
      assertTrue(made.isClosed());
      parent.child("late").close();
      assertEquals(1, memory.metrics().creations());
      assertEquals(1, memory.metrics().freedByScope());
    }
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void randomMakingViewingMovingAndClosingEndsAtNothing() {
    long seed = 11;
    Random random = new Random(seed);
    ResourceScope other = ResourceScope.open(memory, "other");
    List<DenseTensor> live = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      ResourceScope target = random.nextBoolean() ? scope : other;
      int what = random.nextInt(4);
      if (what == 0 || live.isEmpty()) {
        live.add(tensor(new float[1 + random.nextInt(64)]));
      } else {
        DenseTensor chosen = live.get(random.nextInt(live.size()));
        if (what == 1 && live.size() < 200) {
          live.add(assertInstanceOf(DenseTensor.class, chosen.view(target, chosen.layout())));
        } else if (what == 2) {
          ResourceScope.moveTo(target, chosen);
        } else {
          chosen.close();
          live.remove(chosen);
        }
      }
    }
    scope.close();
    other.close();
    assertEquals(0, memory.account().bytes(), "seed " + seed);
  }

  @Test
  void anUnreachableTensorOfNoScopeIsCleanedUp() throws Exception {
    for (int i = 0; i < 10; i++) {
      ResourceScope.detach(tensor(new float[1000]));
    }
    assertNotNull(scope);
    for (int i = 0; i < 200 && memory.account().bytes() > 0; i++) {
      byte[][] pressure = new byte[64][];
      for (int j = 0; j < pressure.length; j++) {
        pressure[j] = new byte[1 << 20];
      }
      System.gc();
      Thread.onSpinWait();
      synchronized (this) {
        wait(5);
      }
    }
    assertEquals(0, memory.account().bytes());
  }
}
