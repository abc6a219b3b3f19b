package dev.staunch.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.ref.ReferenceQueue;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A resource that nobody closed is reported with where it was created, its age and its scope (M7).
 * This includes MXNet's {@code WarnIfNotDisposedSuite}: a trace only if it was requested, a report
 * only of what was not closed.
 */
class LeakReportTest {
  private final List<Leak> leaks = new CopyOnWriteArrayList<>();

  private OffHeap memory(LeakDetection detection) {
    return OffHeap.of(
        MemoryOptions.withBudget(1 << 20)
            .withLeakDetection(detection)
            .withLeakListener(leaks::add));
  }

  private static DenseTensor forgotten(ResourceScope scope) {
    return assertInstanceOf(
        DenseTensor.class, DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(2, 3)));
  }

  @Test
  void m7ADroppedTensorIsReportedWithPlaceAgeAndScope() throws Exception {
    OffHeap memory = memory(LeakDetection.FULL);
    try (ResourceScope scope = ResourceScope.open(memory, "request 17")) {
      assertNotNull(forgotten(scope));
      assertTrue(Dropped.collectUntil(() -> leaks.size() == 1));
    }
    Leak leak = leaks.getFirst();
    assertEquals("float32[2, 3]", leak.what());
    assertEquals(24, leak.bytes());
    assertEquals("request 17", leak.scope());
    assertTrue(leak.unreachable());
    assertFalse(leak.age().isNegative());
    StackTraceElement place = leak.madeAt().getFirst();
    assertEquals("forgotten", place.getMethodName());
    assertEquals("LeakReportTest.java", place.getFileName());
    assertTrue(
        leak.report()
            .matches(
                "(?s)float32\\[2, 3] of 24 bytes became unreachable after \\d+ ms and was never"
                    + " closed; scope request 17 should have freed it\n"
                    + "    at .*forgotten.*"),
        leak.report());
    assertEquals(1, memory.metrics().leaks());
    assertEquals(0, memory.account().bytes());
  }

  /** A leak that was once counted stays counted: what its owner closes meanwhile is not a leak. */
  @Test
  void m7ACountOfLeaksNeverFalls() throws Exception {
    LeakWatch watch = new LeakWatch(MemoryOptions.withBudget(1 << 20));
    Members members = new Members(0, null);
    Life life = new Life(new Object(), () -> {}, new ReferenceQueue<>());
    assertTrue(members.enter(0, life, true));
    members.lock(); // the reaper has to take this lock
    Thread reaper = Thread.ofPlatform().start(() -> watch.reap(life));
    while (Stream.of(reaper.getStackTrace()).noneMatch(at -> at.getMethodName().equals("spin"))) {
      Thread.onSpinWait();
    }
    assertEquals(0, watch.count());
    assertTrue(life.markOver());
    members.unlock();
    members.remove(life);
    reaper.join();
    assertEquals(0, watch.count());
  }

  /** MXNet's: the finalizer warns only of what was not disposed of. */
  @Test
  void m7WhatItsScopeOrItsOwnerClosesIsNoLeak() {
    OffHeap memory = memory(LeakDetection.FULL);
    try (ResourceScope scope = ResourceScope.open(memory, "request")) {
      assertNotNull(forgotten(scope));
      forgotten(scope).close();
    }
    memory.close();
    assertEquals(List.of(), leaks);
    assertEquals(0, memory.metrics().leaks());
  }

  @Test
  void m7WhatIsOpenWhenItsMemoryClosesIsReportedAndReleased() {
    OffHeap memory = memory(LeakDetection.FULL);
    ResourceScope scope = ResourceScope.open(memory, "model");
    DenseTensor kept = forgotten(scope);
    DenseTensor loose = forgotten(scope);
    ResourceScope.detach(loose);
    assertEquals(2, memory.openResources().size());
    memory.close();
    assertTrue(kept.isClosed() && loose.isClosed());
    assertEquals(2, leaks.size());
    assertFalse(leaks.getFirst().unreachable());
    assertEquals("model", leaks.get(0).scope());
    assertEquals("model", leaks.get(1).scope(), "the scope it was made in");
    assertEquals(List.of(), memory.openResources());
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void m7TheScopeThatGotATensorByHandOverShouldHaveFreedIt() {
    OffHeap memory = memory(LeakDetection.FULL);
    try (ResourceScope request = ResourceScope.open(memory, "request")) {
      ResourceScope model = ResourceScope.open(memory, "model");
      DenseTensor kept = forgotten(request);
      ResourceScope.moveTo(model, kept);
      memory.close();
      assertTrue(kept.isClosed());
    }
    assertEquals("model", leaks.getFirst().scope());
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void m7SampledDetectionReportsOneInSoMany() {
    OffHeap memory = memory(LeakDetection.sampled(10));
    ResourceScope scope = ResourceScope.open(memory, "model");
    DenseTensor[] kept = new DenseTensor[100];
    for (int i = 0; i < kept.length; i++) {
      kept[i] = forgotten(scope);
    }
    memory.close();
    assertTrue(kept[99].isClosed());
    assertEquals(10, leaks.size());
    for (Leak leak : leaks) {
      StackTraceElement place = leak.madeAt().getFirst();
      assertEquals("forgotten", place.getMethodName());
      assertEquals("LeakReportTest.java", place.getFileName());
    }
    assertEquals(100, memory.metrics().leaks(), "all are counted");
    assertThrows(IllegalArgumentException.class, () -> LeakDetection.sampled(0));
  }

  /** MXNet's: a trace is taken only if tracing is on. */
  @Test
  void m7ByDefaultNothingIsReportedButLeaksAreCounted() {
    OffHeap memory = memory(LeakDetection.OFF);
    DenseTensor kept = forgotten(ResourceScope.open(memory, "model"));
    memory.close();
    assertTrue(kept.isClosed());
    assertEquals(List.of(), leaks);
    assertEquals(1, memory.metrics().leaks());
  }

  @Test
  void m7AListenerThatFailsDoesNotEndTheReaper() throws Exception {
    OffHeap memory =
        OffHeap.of(
            MemoryOptions.withBudget(1 << 20)
                .withLeakDetection(LeakDetection.FULL)
                .withLeakListener(leak -> {
                  leaks.add(leak);
                  throw new StackOverflowError("of the listener");
                }));
    try (ResourceScope scope = ResourceScope.open(memory, "request")) {
      for (int i = 0; i < 3; i++) {
        assertNotNull(forgotten(scope));
      }
      assertTrue(Dropped.collectUntil(() -> leaks.size() == 3));
    }
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void m7TheDefaultListenerLogsOneWarningAndHoldsTheNextOnesBack() {
    List<LogRecord> records = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            records.add(record);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(LeakLog.class.getName());
    logger.setUseParentHandlers(false);
    logger.addHandler(handler);
    try {
      MemoryOptions options = MemoryOptions.withBudget(1 << 20);
      OffHeap memory = OffHeap.of(options.withLeakDetection(LeakDetection.FULL));
      ResourceScope scope = ResourceScope.open(memory, "request 17");
      List<DenseTensor> open = List.of(forgotten(scope), forgotten(scope));
      memory.close();
      assertTrue(open.stream().allMatch(DenseTensor::isClosed));
      assertEquals(1, records.size());
      assertEquals(Level.WARNING, records.getFirst().getLevel());
      String line = records.getFirst().getMessage();
      assertTrue(
          line.matches(
              "(?s)leak: float32\\[2, 3] of 24 bytes was still open after \\d+ ms and was never"
                  + " closed; scope request 17 should have freed it\n    at .*forgotten.*"),
          line);
    } finally {
      logger.removeHandler(handler);
      logger.setUseParentHandlers(true);
    }
  }
}
