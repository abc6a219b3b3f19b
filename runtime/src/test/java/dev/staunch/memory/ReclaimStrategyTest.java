package dev.staunch.memory;

import static dev.staunch.memory.TestBytes.MIB;
import static dev.staunch.memory.TestBytes.bytes;
import static dev.staunch.memory.TestBytes.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.ref.ReferenceQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Collections are requested as the strategy says, and once before a budget refuses (M5). */
class ReclaimStrategyTest {
  private final TestBytes tensors = new TestBytes();

  @Test
  void m5LeftToTheJvmNoCollectionIsAskedForBelowTheLimit() {
    OffHeap memory = OffHeap.withBudget(MIB);
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      tensors.made(scope, MIB);
      tensors.made(scope, 0);
      refused(scope, 2 * MIB); // more than could ever fit
    }
    assertEquals(0, memory.metrics().collectionsRequested());
    assertEquals(0, memory.account().bytes());
  }

  private static void drop(ResourceScope scope, int count, long each) {
    for (int i = 0; i < count; i++) {
      assertInstanceOf(DenseTensor.class, bytes(scope, each));
    }
  }

  private static OffHeap eager(ReclaimStrategy strategy) {
    return OffHeap.of(
        MemoryOptions.withBudget(4 * MIB)
            .withStrategy(strategy)
            .withReclaimWait(Duration.ofSeconds(30)));
  }

  @Test
  void m5AtTheLimitAThresholdStrategyReclaimsWhatIsUnreachable() {
    OffHeap memory = eager(new ReclaimStrategy.Threshold(100 * MIB, Duration.ofNanos(1)));
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      drop(scope, 4, MIB);
      tensors.made(scope, 4 * MIB); // without waiting
    }
    assertTrue(memory.metrics().collectionsRequested() >= 1);
    assertEquals(4, memory.metrics().freedByReaper());
    assertEquals(0, memory.account().bytes());
  }

  /** However long the interval: at the limit, a collection that has helped is requested again. */
  @Test
  void m5AProgramThatClosesNothingGoesOnUnderEveryStrategy() {
    for (ReclaimStrategy strategy :
        List.of(
            ReclaimStrategy.LEAVE_TO_JVM,
            ReclaimStrategy.threshold(100 * MIB),
            ReclaimStrategy.periodic(Duration.ofDays(1)))) {
      OffHeap memory = eager(strategy);
      try (ResourceScope scope = ResourceScope.open(memory, "test")) {
        for (int i = 0; i < 12 || memory.metrics().collectionsRequested() < 2; i++) {
          drop(scope, 1, MIB); // more of them if the JVM also collects by itself
        }
      }
      assertEquals(0, memory.account().bytes());
    }
  }

  @Test
  void m5AtTheLimitWithEverythingReachableTheAllocationFailsAfterOneCollection() {
    assertOneCollection(ReclaimStrategy.periodic(Duration.ofDays(1)));
    assertOneCollection(ReclaimStrategy.LEAVE_TO_JVM);
  }

  private void assertOneCollection(ReclaimStrategy strategy) {
    OffHeap memory = eager(strategy);
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      DenseTensor kept = tensors.made(scope, 4 * MIB);
      refused(scope, 1);
      assertFalse(kept.isClosed());
      assertEquals(1, memory.metrics().collectionsRequested());
    }
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void m5AFruitlessCollectionIsNotRepeatedWithinASecond() {
    AtomicLong millis = new AtomicLong();
    for (ReclaimStrategy strategy :
        List.of(ReclaimStrategy.LEAVE_TO_JVM, ReclaimStrategy.periodic(Duration.ofDays(1)))) {
      CollectionRequests requests = atLimit(options -> options.withStrategy(strategy), millis);
      assertTrue(requests.askAtLimit());
      millis.addAndGet(999);
      assertFalse(requests.askAtLimit());
      millis.addAndGet(1);
      assertTrue(requests.askAtLimit());
    }
  }

  @Test
  void m5CrossingTheThresholdAsksForACollectionByItself() throws Exception {
    OffHeap memory = eager(new ReclaimStrategy.Threshold(2 * MIB, Duration.ofNanos(1)));
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      drop(scope, 3, MIB);
      Object monitor = new Object();
      for (int i = 0; i < 2000 && memory.account().bytes() > MIB; i++) {
        if (i % 200 == 199) {
          drop(scope, 2, MIB); // the collection came while a tensor was being made: cross it again
        }
        synchronized (monitor) {
          monitor.wait(5);
        }
      }
      assertTrue(memory.account().bytes() <= MIB, "at most what came after the collection");
      assertTrue(memory.metrics().collectionsRequested() >= 1);
    }
  }

  /** A past peak does not count for ever. */
  @Test
  void m5AfterAPeakTheThresholdIsCrossedAgainWhereItIs() {
    OffHeap memory = OffHeap.withBudget(64 * MIB);
    CollectionRequests requests =
        new CollectionRequests(
            memory
                .options()
                .withStrategy(new ReclaimStrategy.Threshold(2 * MIB, Duration.ofNanos(1))),
            memory.account(),
            new ReferenceQueue<>());
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      List<DenseTensor> peak = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        peak.add((DenseTensor) DenseTensor.allocate(scope, DType.INT8, Shape.of(MIB)));
      }
      requests.tick();
      requests.tick();
      assertEquals(1, requests.asked(), "once for the same bytes");
      peak.subList(2, 10).forEach(DenseTensor::close);
      requests.tick();
      assertEquals(1, requests.asked());
      assertInstanceOf(DenseTensor.class, DenseTensor.allocate(scope, DType.INT8, Shape.of(MIB)));
      requests.tick();
      assertEquals(2, requests.asked());
    }
    assertEquals(0, memory.account().bytes());
  }

  /** Tensors made after a fruitless collection may be what the next one frees. */
  @Test
  void m5AtTheLimitAFruitlessCollectionIsRepeatedAtOnceWhenMuchCameSince() {
    OffHeap memory = OffHeap.withBudget(8 * MIB);
    CollectionRequests requests =
        new CollectionRequests(
            memory.options().withStrategy(ReclaimStrategy.periodic(Duration.ofDays(1))),
            memory.account(),
            new ReferenceQueue<>());
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      tensors.made(scope, 4 * MIB);
      for (int asked = 1; asked <= 3; asked++) {
        assertTrue(requests.askAtLimit());
        assertFalse(requests.askAtLimit());
        assertEquals(asked, requests.asked(), "not twice for the same bytes");
        tensors.made(scope, MIB / 2);
        assertFalse(requests.askAtLimit(), "nor for little more");
        tensors.made(scope, MIB / 2);
      }
    }
    assertEquals(0, memory.account().bytes());
  }

  /** A thread that drops tensors waits, and leaves others nine tenths of the time. */
  @Test
  void m5AfterACollectionThatHelpedTheNextWaitsNineTimesAsLong() {
    AtomicLong millis = new AtomicLong();
    CollectionRequests requests =
        atLimit(options -> options.withReclaimWait(Duration.ofSeconds(1)), millis);
    for (int asked = 1; asked <= 3; asked++) {
      assertTrue(requests.askAtLimit());
      requests.found();
      millis.addAndGet(179);
      assertTrue(requests.isRecovering());
      assertFalse(requests.askAtLimit());
      millis.addAndGet(1);
      assertFalse(requests.isRecovering());
    }
    assertEquals(3, requests.asked());
  }

  @Test
  void m5AfterACollectionThatHelpedTheNextWaitsNoLongerThanAnAllocationMay() {
    AtomicLong millis = new AtomicLong();
    CollectionRequests requests =
        atLimit(options -> options.withReclaimWait(Duration.ofMillis(50)), millis);
    assertTrue(requests.askAtLimit());
    requests.found();
    millis.addAndGet(49);
    assertTrue(requests.isRecovering());
    millis.addAndGet(1);
    assertTrue(requests.askAtLimit());
  }

  /** With a clock that each collection advances by 20 milliseconds. */
  private static CollectionRequests atLimit(
      UnaryOperator<MemoryOptions> chosen, AtomicLong millis) {
    OffHeap memory = OffHeap.withBudget(MIB);
    return new CollectionRequests(
        chosen.apply(memory.options()),
        memory.account(),
        new ReferenceQueue<>(),
        () -> millis.addAndGet(20),
        () -> millis.get() * 1_000_000);
  }

  /**
   * However long it took to notice that others had taken it, for example while the whole process
   * was stopped.
   */
  @Test
  void m5WhoGetsNothingOfWhatACollectionFoundAsksOnceMore() {
    OffHeap memory = OffHeap.withBudget(MIB);
    AtomicLong seconds = new AtomicLong();
    ReferenceQueue<Object> queue = new ReferenceQueue<>();
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      DenseTensor held = tensors.made(scope, MIB);
      AtomicReference<CollectionRequests> own = new AtomicReference<>();
      Runnable collector =
          () -> {
            seconds.incrementAndGet();
            CollectionRequests requests = own.get();
            requests.found();
            assertTrue(requests.latest().enqueue());
            if (requests.asked() == 2) {
              held.close();
            }
          };
      MemoryOptions options = memory.options().withReclaimWait(Duration.ofHours(1));
      CollectionRequests requests =
          new CollectionRequests(
              options, memory.account(), queue, collector, () -> seconds.get() * 1_000_000_000);
      own.set(requests);
      Reaper reaper = new Reaper(memory.core, requests, new LeakWatch(options), queue);
      Account account = scope.account();
      Limit limit = new Limit(memory.account(), () -> {}, requests, reaper, options.reclaimWait());
      Account refused = Objects.requireNonNull(account.take(MIB));
      Asker slow =
          () -> {
            seconds.addAndGet(3600);
            return null;
          };
      assertNull(limit.makeRoom(MIB, account, refused, slow));
      assertEquals(2, requests.asked());
      account.give(MIB);
    }
    assertEquals(0, memory.account().bytes());
  }

  /**
   * Other threads may take all that one collection found: a thread that gets nothing asks again.
   */
  @Test
  void m5SeveralThatCloseNothingGoOnBesideEachOther() throws Exception {
    OffHeap memory = eager(ReclaimStrategy.LEAVE_TO_JVM);
    try (ResourceScope scope = ResourceScope.open(memory, "test");
        ExecutorService threads = Executors.newFixedThreadPool(3)) {
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        done.add(threads.submit(() -> drop(scope, 5, MIB)));
      }
      for (Future<?> each : done) {
        each.get();
      }
    }
    assertEquals(0, memory.metrics().refusals());
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void m5APeriodicStrategyAsksWithoutAnyAllocation() throws Exception {
    OffHeap memory = eager(ReclaimStrategy.periodic(Duration.ofMillis(20)));
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      drop(scope, 3, MIB);
      Object monitor = new Object();
      for (int i = 0; i < 2000 && memory.account().bytes() > 0; i++) {
        synchronized (monitor) {
          monitor.wait(5);
        }
      }
      assertEquals(0, memory.account().bytes());
    }
  }

  @Test
  void m5AStrategyWithoutAPositiveMeasureIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> ReclaimStrategy.threshold(0));
    assertThrows(IllegalArgumentException.class, () -> ReclaimStrategy.periodic(Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> MemoryOptions.withBudget(-1));
  }

  @Test
  void m5TimesBeyondWhatNanosecondsCountAreForEver() {
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
    for (ReclaimStrategy strategy :
        List.of(ReclaimStrategy.periodic(longest), new ReclaimStrategy.Threshold(MIB, longest))) {
      MemoryOptions options = MemoryOptions.withBudget(4 * MIB).withStrategy(strategy);
      OffHeap memory = OffHeap.of(options.withReclaimWait(longest));
      try (ResourceScope scope = ResourceScope.open(memory, "test")) {
        tensors.made(scope, 4 * MIB);
        refused(scope, 1);
      }
      assertEquals(1, memory.metrics().collectionsRequested(), strategy::toString);
      assertEquals(0, memory.account().bytes());
    }
  }
}
