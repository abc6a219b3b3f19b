package dev.staunch.memory;

import static dev.staunch.memory.TestBytes.MIB;
import static dev.staunch.memory.TestBytes.bytes;
import static dev.staunch.memory.TestBytes.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Accounts are exact, and at a limit one allocation fails and says why (M4, M5). */
class BudgetTest {
  private final TestBytes tensors = new TestBytes();

  @Test
  void m5TheFaultNamesTheBudgetThatWasMetAndWhoHoldsMost() {
    OffHeap memory = OffHeap.withBudget(10 * MIB);
    ResourceScope model = ResourceScope.open(memory, "model ranking");
    ResourceScope request = model.child("request 17");
    tensors.made(model, 6 * MIB);
    tensors.made(request, 3 * MIB / 2);
    Fault fault = refused(request, 4 * MIB);
    assertEquals(
        "an allocation of 4 MiB for 'request 17' does not fit the memory budget of the process, 10 MiB, of"
            + " which 7.5 MiB are held (model ranking: 6 MiB, request 17: 1.5 MiB); close what is no"
            + " longer used, or raise the budget",
        fault.message());
    assertEquals("at most 2621440 bytes", fault.expected());
    assertEquals("off-heap memory: 7.5 MiB of 10 MiB in use", memory.toString());
    request.close();
    tensors.made(model, 4 * MIB);
    model.close();
    assertEquals(0, memory.account().bytes());
    assertEquals(1, memory.metrics().refusals());
  }

  @Test
  void m4ARequestsOwnBudgetStopsItAloneAndExactly() {
    OffHeap memory = OffHeap.withBudget(10 * MIB);
    try (ResourceScope model = ResourceScope.open(memory, "model");
        ResourceScope greedy = model.child("request greedy", 1000);
        ResourceScope modest = model.child("request modest", 1000)) {
      for (int i = 0; i < 10; i++) {
        tensors.made(greedy, 100);
      }
      Fault fault = refused(greedy, 1);
      assertTrue(
          fault.message().contains("budget of 'request greedy', 1000 bytes"), fault.message());
      assertFalse(fault.message().contains("modest"), fault.message());
      tensors.made(modest, 1000);
      assertEquals(2000, memory.account().bytes());
      assertEquals(1000, greedy.account().bytes());
    }
    assertEquals(0, memory.account().bytes());
    assertThrows(
        IllegalArgumentException.class, () -> ResourceScope.open(memory, "none", 0).close());
  }

  @Test
  void m4ABudgetInTheMiddleBoundsAllScopesBelow() {
    OffHeap memory = OffHeap.withBudget(10 * MIB);
    try (ResourceScope tenant = ResourceScope.open(memory, "tenant", 5000)) {
      ResourceScope first = tenant.child("first");
      ResourceScope second = tenant.child("second");
      for (int i = 0; i < 20; i++) {
        tensors.made(first, 100).close(); // leaves credit behind, which must not count
      }
      tensors.made(first, 2000);
      tensors.made(second, 3000);
      Fault fault = refused(second, 1);
      assertTrue(
          fault.message().contains("of 'tenant', 4.9 KiB, of which 4.9 KiB are held"),
          fault.message());
      first.close();
      tensors.made(second, 2000);
      second.close();
    }
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void m4TheLastByteOfTheBudgetCanBeHad() {
    OffHeap memory = OffHeap.withBudget(MIB);
    ResourceScope churning = ResourceScope.open(memory, "churning");
    for (int i = 0; i < 100; i++) {
      tensors.made(churning, 3000).close();
    }
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      tensors.made(scope, MIB);
      refused(scope, 1);
    }
    assertEquals(0, memory.account().bytes());
    assertTrue(memory.account().peakBytes() >= MIB);
    churning.close();
  }

  @Test
  void m4APeakIsExactForAScopeThatOneThreadUses() {
    OffHeap memory = OffHeap.withBudget(MIB);
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      for (int i = 0; i < 50; i++) {
        tensors.made(scope, 700).close();
      }
      DenseTensor first = tensors.made(scope, 700);
      tensors.made(scope, 300);
      first.close();
      tensors.made(scope, 10);
      assertEquals(310, scope.account().bytes());
      assertEquals(1000, scope.account().peakBytes());
    }
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void m4AClosedScopesAccountGoesWhenItsLastBytesDo() {
    OffHeap memory = OffHeap.withBudget(MIB);
    ResourceScope request = ResourceScope.open(memory, "request");
    DenseTensor tensor = tensors.made(request, 100);
    ResourceScope model = ResourceScope.open(memory, "model");
    DenseTensor view = assertInstanceOf(DenseTensor.class, tensor.view(model, tensor.layout()));
    request.close();
    assertEquals(2, memory.account().children().size());
    Fault fault = refused(model, MIB);
    assertTrue(fault.message().contains("request (closed): 100 bytes"), fault.message());
    view.close();
    assertEquals(1, memory.account().children().size());
    model.close();
    assertEquals(0, memory.account().children().size());
  }

  /** However deep: no walk over accounts recurses. */
  @Test
  void m4ScopesMayBeNestedAHundredThousandDeep() {
    OffHeap memory = OffHeap.withBudget(MIB);
    try (ResourceScope outermost = ResourceScope.open(memory, "outermost")) {
      List<ResourceScope> nested = new ArrayList<>(List.of(outermost));
      for (int i = 0; i < 100_000; i++) {
        nested.add(nested.getLast().child("nested"));
      }
      tensors.made(nested.getLast(), 100);
      assertEquals(100, outermost.account().bytes());
      assertEquals(1, memory.metrics().creations());
      assertEquals(100, memory.metrics().heldBytes());
      tensors.made(nested.get(50_000), 300);
      assertTrue(
          refused(nested.getLast(), MIB)
              .message()
              .contains("(nested: 300 bytes, nested: 100 bytes)"));
      nested.reversed().forEach(ResourceScope::close);
      assertEquals(0, memory.account().bytes());
      assertEquals(List.of(), List.copyOf(memory.account().children()));
    }
  }

  @Test
  void m5ThousandsOfScopesLeaveNoAccountBehind() throws Exception {
    OffHeap memory = OffHeap.withBudget(64 * MIB);
    LifeTest.atOnce(
        4,
        thread -> {
          for (int i = 0; i < 3000; i++) {
            try (ResourceScope scope = ResourceScope.open(memory, "request")) {
              assertInstanceOf(DenseTensor.class, bytes(scope, 100 + i % 50));
              assertInstanceOf(DenseTensor.class, bytes(scope.child("call"), 10));
            }
          }
        });
    assertTrue(
        Dropped.collectUntil(() -> memory.account().children().isEmpty()),
        () -> Holders.largest(memory.account(), 5));
    MemoryMetrics metrics = memory.metrics();
    assertEquals(24_000, metrics.creations());
    assertEquals(24_000, metrics.freedByScope() + metrics.freedByReaper());
    assertTrue(metrics.freedByReaper() >= 12_000, "the calls' scopes were never closed");
  }

  /** The thread that finds an abandoned scope is running before there is any resource. */
  @Test
  void anAbandonedScopeThatNeverHadAResourceLeavesTheReports() throws InterruptedException {
    try (OffHeap memory = OffHeap.withBudget(1000)) {
      assertNotNull(ResourceScope.open(memory, "dropped"));
      assertTrue(Dropped.collectUntil(() -> memory.account().children().isEmpty()));
    }
  }

  /** What a scope has counted stays counted while it closes, at every moment. */
  @Test
  void m6CountsOfResourcesNeverFall() throws Exception {
    OffHeap memory = OffHeap.withBudget(MIB);
    AtomicBoolean over = new AtomicBoolean();
    LifeTest.atOnce(
        2,
        thread -> {
          if (thread == 0) {
            assertNeverFall(memory.account(), over);
            return;
          }
          try {
            for (int i = 0; i < 500; i++) {
              ResourceScope request = ResourceScope.open(memory, "request");
              for (int k = 0; k < 50; k++) {
                tensors.made(request, 0);
              }
              request.close();
            }
          } finally {
            over.set(true);
          }
        });
    assertEquals(25_000, memory.metrics().creations());
    assertEquals(25_000, memory.metrics().freedByScope());
  }

  private static void assertNeverFall(Account account, AtomicBoolean over) {
    Members.Counts before = account.counts();
    while (!over.get()) {
      Members.Counts now = account.counts();
      assertTrue(now.made() >= before.made(), now + " after " + before);
      assertTrue(now.byScope() >= before.byScope(), now + " after " + before);
      before = now;
    }
  }

  /** Including the credit that a scope still has when it closes. */
  @Test
  void m4WhoFindsNoAccountOfAClosedScopeFindsItsBytesGivenBack() throws Exception {
    OffHeap memory = OffHeap.withBudget(MIB);
    AtomicInteger looking = new AtomicInteger();
    AtomicInteger seen = new AtomicInteger();
    AtomicLong most = new AtomicLong();
    LifeTest.atOnce(
        2,
        thread -> {
          for (int round = 1; round <= 200; round++) {
            if (thread == 0) {
              ResourceScope request = ResourceScope.open(memory, "request");
              tensors.made(request, 100).close();
              awaitRound(looking, round);
              request.close();
              awaitRound(seen, round);
            } else {
              awaitRound(seen, round - 1);
              while (memory.account().children().isEmpty()) {
                Thread.onSpinWait();
              }
              looking.set(round);
              while (!memory.account().children().isEmpty()) {
                Thread.onSpinWait();
              }
              most.accumulateAndGet(memory.account().bytes(), Math::max);
              seen.set(round);
            }
          }
        });
    assertEquals(0, most.get());
  }

  private static void awaitRound(AtomicInteger reached, int round) {
    while (reached.get() < round) {
      Thread.onSpinWait();
    }
  }

  @Test
  void m5OneRequestMeetsItsBudgetAndTheOthersGoOn() throws Exception {
    OffHeap memory = OffHeap.withBudget(8 * MIB);
    AtomicInteger refusals = new AtomicInteger();
    LifeTest.atOnce(
        6,
        thread -> {
          for (int i = 0; i < 500; i++) {
            try (ResourceScope request = ResourceScope.open(memory, "request " + thread, MIB)) {
              if (thread == 0) {
                while (bytes(request, 100_000) instanceof DenseTensor tensor) {
                  tensors.keep(tensor);
                  assertTrue(request.account().bytes() <= MIB);
                }
                refusals.incrementAndGet();
              } else {
                for (int j = 0; j < 10; j++) {
                  tensors.made(request, 100_000);
                }
              }
            }
          }
        });
    assertEquals(500, refusals.get());
    assertEquals(500, memory.metrics().refusals());
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void m5TheBudgetIsNeverExceededUnderContentionAndWhatFitsIsGranted() throws Exception {
    OffHeap memory = OffHeap.withBudget(MIB);
    for (int round = 0; round < 30; round++) {
      AtomicInteger granted = new AtomicInteger();
      Queue<DenseTensor> all = new ConcurrentLinkedQueue<>(); // keeps them reachable
      ResourceScope[] scopes = new ResourceScope[4];
      for (int i = 0; i < scopes.length; i++) {
        scopes[i] = ResourceScope.open(memory, "thread " + i);
      }
      LifeTest.atOnce(
          4,
          thread -> {
            for (int i = 0; i < 16; i++) { // 32 of 64 are refused, each after a short wait
              if (bytes(scopes[thread], 1 << 15) instanceof DenseTensor tensor) {
                all.add(tensor);
                granted.incrementAndGet();
              }
              assertTrue(memory.account().granted() <= MIB);
            }
          });
      assertEquals(32, granted.get(), "32 pieces of 32 KiB fit in 1 MiB");
      assertEquals(32, all.size());
      for (ResourceScope scope : scopes) {
        scope.close();
      }
      assertEquals(0, memory.account().bytes());
    }
  }

  @Test
  void m2AllocatingInClosedMemoryIsAClosedFault() {
    OffHeap memory = OffHeap.withBudget(MIB);
    ResourceScope scope = ResourceScope.open(memory, "test");
    DenseTensor tensor = tensors.made(scope, 100);
    memory.close();
    assertTrue(tensor.isClosed());
    Fault fault = assertInstanceOf(Fault.class, bytes(scope, 1));
    assertEquals(FaultType.CLOSED, fault.type());
    assertEquals(0, memory.reservedBytes());
    memory.close();
  }

  /** The account asks its parent for more than it needs; the amount must not overflow. */
  @Test
  void m5AnAbsurdAmountAfterManyAllocationsLeavesTheBudgetAsItWas() {
    OffHeap memory = OffHeap.withBudget(MIB);
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      for (int i = 0; i < 50; i++) {
        tensors.made(scope, 5000);
      }
      Fault fault = assertInstanceOf(Fault.class, scope.allocate(Long.MAX_VALUE));
      assertEquals(FaultType.OUT_OF_MEMORY, fault.type());
      assertEquals(250_000, scope.account().bytes());
      assertInstanceOf(Fault.class, scope.allocate(MIB - 249_999));
      tensors.made(scope, MIB - 250_000);
      assertEquals(MIB, memory.account().bytes());
    }
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void m5AnAbsurdAmountIsAFaultAndHarmsNothing() {
    OffHeap memory = OffHeap.withBudget(Long.MAX_VALUE);
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      Fault fault = assertInstanceOf(Fault.class, scope.allocate(1L << 55));
      assertEquals(FaultType.OUT_OF_MEMORY, fault.type());
      assertInstanceOf(Fault.class, scope.allocate(Long.MAX_VALUE));
      assertInstanceOf(Fault.class, scope.allocate(-1));
      tensors.made(scope, 1000);
    }
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void m5AtTheProcessesLimitThePoolGivesBackWhatItKeepsAndAtARequestsOwnItDoesNot() {
    OffHeap memory = OffHeap.of(MemoryOptions.withBudget(64 * MIB).withGuard(false));
    try (ResourceScope model = ResourceScope.open(memory, "model");
        ResourceScope request = model.child("request", MIB)) {
      tensors.made(model, 16 * MIB).close();
      long kept = memory.reservedBytes();
      assertTrue(kept >= 16 * MIB, kept + " bytes");
      refused(request, 2 * MIB);
      assertEquals(kept, memory.reservedBytes());
      refused(model, 65 * MIB);
      assertEquals(0, memory.reservedBytes());
      assertEquals(1, memory.metrics().trims());
    }
    assertEquals(0, memory.account().bytes());
  }
}
