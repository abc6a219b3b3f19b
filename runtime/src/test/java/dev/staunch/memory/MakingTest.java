package dev.staunch.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.FaultType;
import dev.staunch.memory.LifeTest.Counting;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What was made through a handle on a scope goes back at once if its maker fails (M4). */
class MakingTest {
  private final OffHeap memory = OffHeap.withBudget(64 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void nothingIsLeft() {
    scope.close();
    assertEquals(0, memory.account().bytes());
    memory.close();
    assertEquals(0, memory.reservedBytes());
  }

  private static DenseTensor tensor(ResourceScope home) {
    return assertInstanceOf(
        DenseTensor.class, DenseTensor.allocate(home, DType.FLOAT32, Shape.of(16)));
  }

  private int members() {
    return scope.account().members().snapshot().size();
  }

  @Test
  void m4WhatWasMadeIsGivenBackAndWhatWasThereBeforeStays() {
    DenseTensor before = tensor(scope);
    Making making = Making.in(scope);
    DenseTensor made = tensor(making.scope());
    made.view(making.scope(), Layout.contiguous(Shape.of(4, 4)));
    before.view(making.scope(), Layout.contiguous(Shape.of(4, 4)));
    tensor(making.scope()).close();
    DenseTensor meanwhile = tensor(scope);
    making.giveBack();
    assertTrue(made.isClosed());
    assertEquals(FaultType.CLOSED, made.closedFault().type());
    assertFalse(before.isClosed());
    assertFalse(meanwhile.isClosed());
    assertEquals(2, members());
    assertEquals(128, scope.account().bytes());
    making.giveBack();
    making.keep();
    assertEquals(2, members());
  }

  @Test
  void whatIsKeptIsNotGivenBackLaterNorWhatIsMadeThen() {
    Making making = Making.in(scope);
    tensor(making.scope());
    making.keep();
    tensor(making.scope());
    making.giveBack();
    assertEquals(2, members());
    assertEquals(128, scope.account().bytes());
  }

  @Test
  void m4WhatIsMadeAfterTheGivingBackIsClosedAtOnce() {
    Making making = Making.in(scope);
    making.giveBack();
    DenseTensor late = tensor(making.scope());
    assertTrue(late.isClosed());
    try (ResourceScope other = scope.child("other")) {
      DenseTensor moved = tensor(other);
      ResourceScope.moveTo(making.scope(), moved);
      assertTrue(moved.isClosed());
    }
    assertEquals(0, members());
    assertEquals(0, scope.account().bytes());
  }

  @Test
  void m3AMemberKnowsTheScopeItselfAsItsOwnAndMovesAsEver() {
    Making making = Making.in(scope);
    ResourceScope handle = making.scope();
    DenseTensor made = tensor(handle);
    assertNotSame(scope, handle);
    assertSame(scope, made.scope());
    assertSame(scope.account(), handle.account());
    assertEquals(scope.name(), handle.name());
    try (ResourceScope other = ResourceScope.open(memory, "other")) {
      ResourceScope.moveTo(handle, made);
      assertSame(scope, made.scope());
      handle.moveOut(List.of(made), other);
      assertSame(other, made.scope());
      assertEquals(0, scope.account().bytes());
      making.giveBack();
      assertFalse(made.isClosed(), "it was handed over elsewhere");
      assertEquals(64, other.account().bytes());
    }
    assertTrue(made.isClosed());
  }

  @Test
  void whatIsDetachedStays() {
    Making making = Making.in(scope);
    DenseTensor made = tensor(making.scope());
    ResourceScope.detach(made);
    making.giveBack();
    assertFalse(made.isClosed());
    assertNull(made.scope());
    made.close();
  }

  @Test
  void m4WhatIsHandedOverThroughTheHandleIsGivenBackWithTheRest() {
    Making making = Making.in(scope);
    DenseTensor moved =
        making.scope().using("steps", own -> assertInstanceOf(DenseTensor.class, tensor(own)));
    assertSame(scope, moved.scope());
    DenseTensor here = tensor(scope);
    ResourceScope.moveTo(making.scope(), here);
    making.giveBack();
    assertTrue(moved.isClosed());
    assertFalse(here.isClosed(), "it belonged to the scope before");
    assertEquals(64, scope.account().bytes());
  }

  @Test
  void m4AMakingInsideOfAnotherIsPartOfThat() {
    Making outer = Making.in(scope);
    Making good = Making.in(outer.scope());
    Making bad = Making.in(outer.scope());
    DenseTensor kept = tensor(good.scope());
    good.keep();
    DenseTensor returned = tensor(bad.scope());
    bad.giveBack();
    assertTrue(returned.isClosed());
    assertSame(scope, kept.scope());
    outer.giveBack();
    assertTrue(kept.isClosed());
    assertEquals(0, members());
  }

  @Test
  void eachIsReleasedThoughSomeThrow() {
    AtomicInteger releases = new AtomicInteger();
    Making making = Making.in(scope);
    for (int i = 0; i < 20; i++) {
      making.scope().own(new Counting(scope, releases, i % 3 == 0));
    }
    Throwable failure = assertThrows(IllegalStateException.class, making::giveBack);
    assertEquals(6, failure.getSuppressed().length);
    assertEquals(20, releases.get());
    assertEquals(0, members());
  }

  /** M3: a scope whose user drops what it makes does not grow, also while that is noted. */
  @Test
  void m3NothingThatBecameUnreachableIsPinned() {
    Making making = Making.in(scope);
    List<WeakReference<DenseTensor>> dropped = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      dropped.add(new WeakReference<>(tensor(making.scope())));
    }
    while (members() > 0) {
      System.gc();
      Thread.onSpinWait();
    }
    assertTrue(dropped.stream().allMatch(each -> each.get() == null));
    assertEquals(0, scope.account().bytes());
    making.giveBack();
  }

  @Test
  void whatIsOpenAmongManyThatWereClosedIsFound() {
    Making making = Making.in(scope);
    List<DenseTensor> open = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      DenseTensor made = tensor(making.scope());
      if (i % 10 == 0) {
        open.add(made);
      } else {
        made.close();
      }
    }
    assertEquals(1000, members());
    making.giveBack();
    assertTrue(open.stream().allMatch(DenseTensor::isClosed));
    assertEquals(0, members());
  }

  @Test
  void m4WhatSeveralThreadsMakeAsItIsGivenBackIsAllGivenBack() throws Exception {
    for (int round = 0; round < 200; round++) {
      Making making = Making.in(scope);
      CyclicBarrier start = new CyclicBarrier(3);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        threads.add(
            Thread.ofPlatform()
                .start(() -> {
                  await(start);
                  for (int n = 0; n < 20; n++) {
                    tensor(making.scope());
                  }
                }));
      }
      await(start);
      making.giveBack();
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(0, members());
      assertEquals(0, scope.account().bytes());
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aScopeThatClosesMeanwhileHasReleasedAllOnce() {
    AtomicInteger releases = new AtomicInteger();
    ResourceScope request = scope.child("request");
    Making making = Making.in(request);
    making.scope().own(new Counting(request, releases, false));
    request.close();
    Counting late = making.scope().own(new Counting(request, releases, false));
    assertTrue(late.isClosed());
    assertTrue(making.scope().isClosed());
    making.giveBack();
    assertEquals(2, releases.get());
  }
}
