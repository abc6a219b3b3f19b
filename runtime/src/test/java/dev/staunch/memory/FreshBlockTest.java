package dev.staunch.memory;

import static dev.staunch.memory.TestBytes.MIB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** C3, E4, M4: a caller that asks for a large block may give up while the system makes it. */
@Timeout(60)
class FreshBlockTest {
  private static final long LARGE = 64 * MIB;
  private final OffHeap memory =
      OffHeap.of(MemoryOptions.withBudget(100 * MIB).withCachedBytes(80 * MIB).withGuard(false));
  private final ResourceScope scope = ResourceScope.open(memory, "request 7");
  private final Fault late = Fault.cancelled(CancelReason.DEADLINE, "too late");

  @AfterEach
  void nothingIsLeft() {
    scope.close();
    assertEquals(0, memory.account().bytes());
    memory.close();
    awaitMade();
    assertEquals(0, memory.reservedBytes());
  }

  /** Waits until every block that nobody waits for any more has been made. */
  private void awaitMade() {
    while (memory.core.unwanted().get() > 0) {
      LockSupport.parkNanos(1000);
    }
  }

  /** Reports a cancellation on its second poll, which happens while it waits. */
  private Asker givingUp() {
    AtomicInteger looks = new AtomicInteger();
    return () -> looks.getAndIncrement() == 0 ? null : late;
  }

  @Test
  void whoStaysHasTheBlockAndIsChargedWithItAlone() {
    Storage made = assertInstanceOf(Storage.class, scope.allocate(LARGE, () -> null));
    made.segment().fill((byte) 1);
    assertEquals(LARGE, scope.account().bytes());
    assertEquals(LARGE, memory.account().bytes());
    made.release();
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void whoIsCancelledHasTheFaultAndIsChargedWithNothing() {
    assertSame(late, scope.allocate(LARGE, () -> late));
    assertEquals(0, scope.account().bytes());
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void whoIsInterruptedHasAFaultThatSaysSoAndTheFlagStays() {
    Thread.currentThread().interrupt();
    Fault fault = assertInstanceOf(Fault.class, scope.allocate(LARGE, () -> null));
    assertTrue(Thread.interrupted());
    assertEquals(FaultType.CANCELLED, fault.type());
    assertEquals("the wait for memory was interrupted", fault.message());
    assertEquals(0, scope.account().bytes());
  }

  @Test
  void whatNobodyWaitsForGoesToThePool() {
    assertSame(late, scope.allocate(LARGE, () -> late));
    awaitMade();
    assertEquals(LARGE, memory.reservedBytes());
    long hits = memory.metrics().poolHits();
    assertInstanceOf(Storage.class, scope.allocate(LARGE, givingUp())).release();
    assertEquals(hits + 1, memory.metrics().poolHits());
  }

  @Test
  void whoAsksBeforeItIsThereWaitsForThatOne() {
    FreshBlock fresh = new FreshBlock(memory.core, LARGE); // made when this test runs it
    fresh.giveUp();
    Object impatient = scope.allocate(LARGE, givingUp());
    int unwanted = memory.core.unwanted().get();
    long reserved = memory.reservedBytes();
    Asker patient =
        () -> {
          fresh.run();
          return null;
        };
    assertInstanceOf(Storage.class, scope.allocate(LARGE, patient)).release();
    assertSame(late, impatient, "waited");
    assertEquals(1, unwanted, "and began none meanwhile");
    assertEquals(0, reserved);
    assertEquals(LARGE, memory.reservedBytes());
    assertEquals(0, memory.account().bytes());
  }

  /** Otherwise a block that nobody wants would take the process beyond its budget. */
  @Test
  void whatDoesNotFitTheBudgetBesideOthersGoesBackToTheSystem() {
    FreshBlock fresh = new FreshBlock(memory.core, LARGE);
    fresh.giveUp();
    Storage other = assertInstanceOf(Storage.class, scope.allocate(LARGE));
    fresh.run();
    assertEquals(LARGE, memory.reservedBytes());
    other.release();
  }

  @Test
  void aBlockThatTheSystemDoesNotHaveIsAFaultForWhoWaitsAndNothingElse() {
    OffHeap endless = OffHeap.withBudget(Long.MAX_VALUE);
    try (ResourceScope greedy = ResourceScope.open(endless, "greedy")) {
      Fault fault = assertInstanceOf(Fault.class, greedy.allocate(1L << 50, () -> null));
      assertEquals(FaultType.OUT_OF_MEMORY, fault.type());
      assertTrue(fault.message().startsWith("the system has no"), fault.message());
      assertEquals(0, endless.account().bytes());
    }
    endless.close();
  }

  @Test
  void whoWaitsForACollectionAtTheLimitMayGiveUpToo() {
    OffHeap small = OffHeap.of(MemoryOptions.withBudget(MIB).withReclaimWait(Duration.ofDays(1)));
    try (ResourceScope full = ResourceScope.open(small, "full")) {
      Storage held = assertInstanceOf(Storage.class, full.allocate(MIB));
      assertSame(late, full.allocate(MIB, givingUp()));
      assertEquals(0, small.metrics().refusals());
      held.release();
    }
    small.close();
  }
}
