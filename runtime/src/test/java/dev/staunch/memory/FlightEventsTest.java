package dev.staunch.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory events can be recorded, and are counted (M6). */
class FlightEventsTest {
  private static final String RECORDED = "recorded request 17";

  @TempDir Path folder;

  private static DenseTensor made(ResourceScope scope, long bytes) {
    return assertInstanceOf(
        DenseTensor.class, DenseTensor.allocate(scope, DType.UINT8, Shape.of(bytes)));
  }

  private static OffHeap watched() {
    return OffHeap.of(
        MemoryOptions.withBudget(1 << 20)
            .withStrategy(new ReclaimStrategy.Threshold(1 << 30, Duration.ofNanos(1)))
            .withReclaimWait(Duration.ofSeconds(30))
            .withLeakDetection(LeakDetection.FULL)
            .withLeakListener(leak -> {}));
  }

  @Test
  void eachKindOfEventIsRecordedWithItsFigures() throws Exception {
    OffHeap memory = watched();
    Map<String, List<RecordedEvent>> events;
    try (Recording recording = new Recording()) {
      recording.start();
      try (ResourceScope scope = ResourceScope.open(memory, RECORDED)) {
        assertNotNull(made(scope, 1 << 20));
        DenseTensor kept = made(scope, 1 << 19); // requests a collection, which finds the leak
        assertInstanceOf(Fault.class, DenseTensor.allocate(scope, DType.UINT8, Shape.of(1 << 20)));
        assertFalse(kept.isClosed());
      }
      recording.stop();
      Path file = folder.resolve("memory.jfr");
      recording.dump(file);
      events =
          RecordingFile.readAllEvents(file).stream()
              .filter(event -> event.getEventType().getName().startsWith("dev.staunch."))
              .filter(FlightEventsTest::isOfThisTest)
              .collect(Collectors.groupingBy(event -> event.getEventType().getName()));
    }
    RecordedEvent refused = events.get("dev.staunch.AllocationRefused").getFirst();
    assertEquals(1 << 20, refused.getLong("bytes"));
    assertEquals("process", refused.getString("refusedBy"));
    assertEquals(RECORDED, refused.getString("account"));
    assertEquals(1 << 19, refused.getLong("held"));
    RecordedEvent leak = events.get("dev.staunch.Leak").getFirst();
    assertEquals("uint8[1048576]", leak.getString("what"));
    RecordedEvent collection = events.get("dev.staunch.CollectionAsked").getFirst();
    assertEquals("limit met", collection.getString("reason"));
    assertTrue(events.get("dev.staunch.PoolTrim").getFirst().getLong("reserved") >= 0);
    RecordedEvent closed = events.get("dev.staunch.ScopeClosed").getFirst();
    assertEquals(1, closed.getInt("released"));
    assertEquals(1 << 20, closed.getLong("peak"));
    assertEquals(0, closed.getLong("stillHeld"));
    assertEquals(0, memory.account().bytes());
  }

  /** Memory of other tests may be collected meanwhile. */
  private static boolean isOfThisTest(RecordedEvent event) {
    return !event.hasField("scope") || RECORDED.equals(event.getString("scope"));
  }

  @Test
  void aRecordingHasTheFiguresAgainAndAgain() throws Exception {
    long budget = (1 << 20) + 17; // identifies this memory's events
    OffHeap memory = OffHeap.of(MemoryOptions.withBudget(budget).withGuard(false));
    AtomicInteger before = new AtomicInteger(); // the first event may have been taken in between
    CompletableFuture<RecordedEvent> seen = new CompletableFuture<>();
    try (RecordingStream stream = new RecordingStream()) {
      stream.setReuse(false);
      stream.enable("dev.staunch.Memory").withPeriod(Duration.ofMillis(20));
      stream.onEvent(
          "dev.staunch.Memory",
          event -> {
            boolean whole = event.getLong("held") == 3000 && event.getLong("poolMisses") == 2;
            if (event.getLong("budget") == budget && whole && before.getAndIncrement() > 0) {
              seen.complete(event);
            }
          });
      stream.startAsync();
      try (ResourceScope scope = ResourceScope.open(memory, "request 17")) {
        made(scope, 1000).close();
        DenseTensor kept = made(scope, 1000);
        assertNotNull(made(scope, 2000));
        RecordedEvent event = seen.get();
        assertEquals(1, event.getLong("poolHits"));
        assertEquals(memory.reservedBytes(), event.getLong("reserved"));
        assertEquals(0, event.getLong("mapped"));
        assertEquals(0, event.getLong("freedByReaper"));
        assertFalse(kept.isClosed());
      }
    }
    assertEquals(0, memory.account().bytes());
    memory.close();
  }

  @Test
  void theMetricsTellHowResourcesCameAndWent() {
    OffHeap memory = OffHeap.of(MemoryOptions.withBudget(1 << 20).withGuard(false));
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      made(scope, 1000).close();
      made(scope, 1000).close();
      DenseTensor kept = made(scope, 1000);
      MemoryMetrics now = memory.metrics();
      assertEquals(1000, now.heldBytes());
      assertEquals(1 << 20, now.budgetBytes());
      assertTrue(now.peakBytes() >= 1000);
      assertTrue(now.reservedBytes() >= now.heldBytes() + now.pooledBytesTotal());
      assertTrue(now.pooledBytes().containsKey(1024L), now.pooledBytes().toString());
      assertEquals(2, now.poolHits());
      assertEquals(1, now.poolMisses());
      assertFalse(kept.isClosed());
    }
    MemoryMetrics after = memory.metrics();
    assertEquals(3, after.creations());
    assertEquals(2, after.freedExplicitly());
    assertEquals(1, after.freedByScope());
    assertEquals(0, after.freedByReaper());
    assertEquals(0, after.leaks());
    assertEquals(0, after.heldBytes());
  }
}
