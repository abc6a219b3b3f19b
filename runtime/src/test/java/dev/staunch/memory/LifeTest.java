package dev.staunch.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The four ways to free are safe together, from any thread (M1, M2, M3). */
class LifeTest {
  private final OffHeap memory = OffHeap.withBudget(64 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void nothingIsLeft() {
    scope.close();
    assertEquals(0, memory.account().bytes());
    memory.close();
    assertEquals(0, memory.reservedBytes());
  }

  private DenseTensor tensor(ResourceScope home, int elements) {
    return assertInstanceOf(
        DenseTensor.class, DenseTensor.allocate(home, DType.FLOAT32, Shape.of(elements)));
  }

  /** A resource that counts its releases, and fails at them if asked to. */
  static final class Counting extends Resource {
    Counting(ResourceScope home, AtomicInteger releases, boolean fails) {
      super(
          home,
          () -> {
            releases.incrementAndGet();
            if (fails) {
              throw new IllegalStateException("release " + releases.get() + " failed");
            }
          });
    }

    @Override
    public String describe() {
      return "a counting resource";
    }
  }

  /** A resource whose release waits for a signal. */
  private static final class Held extends Resource {
    Held(ResourceScope home, CountDownLatch begun, CountDownLatch word, List<String> events) {
      super(
          home,
          () -> {
            begun.countDown();
            awaited(word);
            events.add("released");
          });
    }

    private static void awaited(CountDownLatch word) {
      try {
        word.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public String describe() {
      return "a held resource";
    }
  }

  /**
   * M4: the bytes of a closed scope are back, including those that the reaper was about to release.
   */
  @Test
  void m4AScopeThatClosesWaitsForTheReaperToReleaseWhatItTook() throws Exception {
    for (int round = 0; round < 20; round++) {
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch word = new CountDownLatch(1);
      List<String> events = Collections.synchronizedList(new ArrayList<>());
      ResourceScope request = scope.child("request");
      Held held = request.own(new Held(request, begun, word, events));
      Thread reaper = Thread.ofPlatform().start(() -> held.life.end(Life.Way.REAPED, null));
      begun.await();
      Thread closer =
          Thread.ofPlatform()
              .start(() -> {
                request.close();
                events.add("closed");
              });
      while (closer.isAlive() && closer.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      word.countDown();
      closer.join();
      reaper.join();
      assertEquals(List.of("released", "closed"), events);
    }
  }

  @Test
  void m2EachOfManyThreadsMayCloseTheSameTensorAndOneDoes() throws Exception {
    for (int round = 0; round < 200; round++) {
      AtomicInteger releases = new AtomicInteger();
      Counting shared = scope.own(new Counting(scope, releases, false));
      DenseTensor tensor = tensor(scope, 16);
      atOnce(
          8,
          i -> {
            tensor.close();
            shared.close();
          });
      assertEquals(1, releases.get());
      assertTrue(tensor.isClosed());
      assertEquals(0, memory.account().bytes());
    }
  }

  @Test
  void m2ScopeTensorAndMoversMayMeetInAnyOrder() throws Exception {
    for (int round = 0; round < 300; round++) {
      AtomicInteger releases = new AtomicInteger();
      ResourceScope source = scope.child("source");
      ResourceScope target = scope.child("target");
      Counting shared = source.own(new Counting(source, releases, false));
      DenseTensor tensor = tensor(source, 16);
      atOnce(
          4,
          i -> {
            switch (i) {
              case 0 -> source.close();
              case 1 -> {
                ResourceScope.moveTo(target, shared);
                ResourceScope.moveTo(target, tensor);
              }
              case 2 -> {
                ResourceScope.detach(shared);
                ResourceScope.moveTo(target, tensor);
              }
              default -> tensor.close();
            }
          });
      assertTrue(tensor.isClosed());
      target.close();
      shared.close();
      assertEquals(1, releases.get());
      assertEquals(0, memory.account().bytes());
    }
  }

  @Test
  void m1WhatIsHeldStaysAfterItsTensorIsClosed() {
    DenseTensor tensor = tensor(scope, 4);
    HostTensors.toFloats(tensor);
    assertTrue(tensor.retain());
    tensor.close();
    assertEquals(16, memory.account().bytes());
    assertTrue(tensor.storage().isAlive());
    assertFalse(tensor.retain(), "a closed tensor is not held again, although its bytes are there");
    tensor.release();
    assertEquals(0, memory.account().bytes());
    assertFalse(tensor.retain());
  }

  @Test
  void m1HoldingAndClosingAtOnceNeverShowsAnothersBytes() throws Exception {
    for (int round = 0; round < 300; round++) {
      DenseTensor tensor = tensor(scope, 64);
      tensor.segment().fill((byte) 7);
      atOnce(
          4,
          i -> {
            if (i == 0) {
              tensor.close();
              tensor(scope, 64).segment().fill((byte) 9);
            } else if (tensor.retain()) {
              assertEquals(7, tensor.segment().get(ValueLayout.JAVA_BYTE, 5));
              tensor.release();
            }
          });
    }
  }

  @Test
  void m1AStorageCannotBeReleasedMoreOftenThanRetained() {
    Storage storage = assertInstanceOf(Storage.class, scope.allocate(100));
    assertTrue(storage.retain());
    storage.release();
    storage.release();
    assertThrows(IllegalStateException.class, storage::release);
    assertFalse(storage.retain());
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void m2UseAfterCloseNamesTheTensor() {
    DenseTensor tensor = tensor(scope, 4).named("weight");
    tensor.close();
    assertEquals(
        "the tensor weight float32[4] was closed before this use", tensor.closedFault().message());
    assertThrows(StaunchException.ClosedException.class, tensor::segment);
  }

  @Test
  void m2AClosedTensorCannotBeViewedAlthoughAnotherKeepsItsBytes() {
    DenseTensor tensor = tensor(scope, 4);
    DenseTensor other = assertInstanceOf(DenseTensor.class, tensor.view(scope, tensor.layout()));
    tensor.close();
    Fault fault = assertInstanceOf(Fault.class, tensor.view(scope, tensor.layout()));
    assertEquals("the tensor float32[4] was closed before this use", fault.message());
    other.close();
  }

  @Test
  void m3AnOpenScopeDoesNotPinWhatBecameUnreachable() throws Exception {
    DenseTensor kept = tensor(scope, 10);
    for (int i = 0; i < 50; i++) {
      assertNotNull(tensor(scope, 1000));
    }
    assertTrue(Dropped.collectUntil(() -> memory.account().bytes() == 40));
    assertFalse(kept.isClosed());
    assertEquals(50, memory.metrics().freedByReaper());
  }

  @Test
  void m2OneCollectionIsEnough() throws Exception {
    for (int i = 0; i < 100; i++) {
      assertNotNull(tensor(scope, 1000));
    }
    System.gc();
    Object monitor = new Object();
    for (int i = 0; i < 2000 && memory.account().bytes() > 0; i++) {
      synchronized (monitor) {
        monitor.wait(5);
      }
    }
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void m2ADetachedTensorIsReclaimedWhenUnreachable() throws Exception {
    ResourceScope.detach(tensor(scope, 1000));
    scope.close();
    assertTrue(Dropped.collectUntil(() -> memory.account().bytes() == 0));
  }

  @Test
  void m2AScopeThatIsDroppedWithItsTensorsIsReclaimedWhole() throws Exception {
    for (int i = 0; i < 10; i++) {
      ResourceScope dropped = scope.child("dropped " + i);
      assertNotNull(tensor(dropped, 1000));
    }
    assertTrue(Dropped.collectUntil(() -> scope.account().children().isEmpty()));
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void m2AMemoryThatIsDroppedGivesEverythingBack() throws Exception {
    MemoryCore[] core = new MemoryCore[1];
    useAndDrop(core);
    assertTrue(Dropped.collectUntil(() -> core[0].pool.reservedBytes() == 0));
  }

  private void useAndDrop(MemoryCore[] core) {
    OffHeap other = OffHeap.withBudget(1 << 20);
    core[0] = other.core;
    assertNotNull(tensor(ResourceScope.open(other, "open still"), 1000));
    assertTrue(other.reservedBytes() > 0);
  }

  @Test
  void m2AFailingReleaseEndsNeitherTheReaperNorTheScope() throws Exception {
    AtomicInteger releases = new AtomicInteger();
    for (int i = 0; i < 5; i++) {
      assertNotNull(scope.own(new Counting(scope, releases, true)));
    }
    assertNotNull(tensor(scope, 1000));
    assertTrue(Dropped.collectUntil(() -> releases.get() == 5));
    assertTrue(Dropped.collectUntil(() -> memory.account().bytes() == 0));
  }

  @Test
  void m3ClosingReleasesEveryMemberEvenIfSomeFail() {
    AtomicInteger releases = new AtomicInteger();
    ResourceScope failing = scope.child("failing");
    List<Resource> members = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      members.add(failing.own(new Counting(failing, releases, i % 2 == 0)));
      members.add(tensor(failing, 10));
    }
    IllegalStateException failure = assertThrows(IllegalStateException.class, failing::close);
    assertEquals(2, failure.getSuppressed().length);
    assertEquals(6, releases.get());
    assertTrue(members.stream().allMatch(Resource::isClosed));
    assertEquals(0, memory.account().bytes());
    failing.close();
  }

  /** Runs {@code work} on {@code threads} threads, as simultaneously as possible. */
  static void atOnce(int threads, Part work) throws Exception {
    CyclicBarrier start = new CyclicBarrier(threads);
    List<Throwable> failures = new ArrayList<>();
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int number = i;
      running.add(
          Thread.ofPlatform()
              .daemon()
              .name("test-" + i)
              .start(() -> {
                try {
                  start.await();
                  work.run(number);
                } catch (Exception | Error e) {
                  synchronized (failures) {
                    failures.add(e);
                  }
                }
              }));
    }
    for (Thread thread : running) {
      thread.join();
    }
    assertEquals(List.of(), failures);
  }

  /** What one of several threads does. */
  @FunctionalInterface
  interface Part {
    void run(int number) throws Exception;
  }
}
