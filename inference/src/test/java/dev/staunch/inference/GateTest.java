package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.CancelScope;
import dev.staunch.execute.StateJournal;
import dev.staunch.fault.Fault;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** If the heap has no room to record a visit, the gate locks nobody out (F11). */
@Timeout(60)
class GateTest {
  private static final int VISITS = 30;

  private int visits;
  private int overflows;
  private volatile boolean inside;
  private volatile boolean queued;
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "request");
  private final AtomicInteger ends = new AtomicInteger();
  private final Gate gate = new Gate("model", ends::incrementAndGet);

  @AfterEach
  void itEndsOnce() {
    assertTrue(gate.close(Duration.ZERO));
    assertEquals(1, ends.get());
    scope.close();
  }

  /**
   * A thread whose hash code fails once with an OutOfMemoryError, as if a visit could not be
   * recorded.
   */
  private static final class Unnoted extends Thread {
    private volatile boolean fails;

    Unnoted(Runnable work) {
      super(work);
    }

    @Override
    public int hashCode() {
      if (fails) {
        fails = false;
        throw new OutOfMemoryError("of a test");
      }
      return System.identityHashCode(this);
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }
  }

  private Gate.Visit reading() {
    return new Gate.Visit(CancelScope.open(), null);
  }

  private Gate.Visit writing() {
    CancelScope cancel = CancelScope.open();
    return new Gate.Visit(cancel, new StateJournal(Set::of, scope, cancel));
  }

  private void waitsInVain(Gate.Visit refused) throws InterruptedException {
    Gate.Visit here = writing();
    assertNull(gate.enter(here));
    AtomicReference<Fault> told = new AtomicReference<>();
    Unnoted other = new Unnoted(() -> told.set(gate.enter(refused)));
    other.start();
    while (other.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    other.fails = true;
    gate.leave(here);
    other.join();
    assertNotNull(told.get());
    Gate.Visit next = writing();
    assertNull(gate.enter(next));
    gate.leave(next);
  }

  @Test
  void f11WhoWaitsToWriteIsRefusedAndOthersGoOn() throws InterruptedException {
    waitsInVain(writing());
  }

  @Test
  void f11WhoWaitsToReadIsRefusedAndOthersGoOn() throws InterruptedException {
    waitsInVain(reading());
  }

  /** F11: whoever got in has the stack to leave, and to let the next one in. */
  @Test
  void whoLeavesWithLittleStackLetsTheNextOneIn() throws InterruptedException {
    Gate.Visit first = writing();
    assertNull(gate.enter(first));
    gate.leave(first);
    Thread deep = new Thread(null, this::visitAsDeepAsPossible, "deep", 512 << 10);
    deep.start();
    for (int i = 0; i < VISITS; i++) {
      await(() -> inside);
      inside = false;
      Gate.Visit visit = writing();
      Thread writer =
          Thread.ofPlatform()
              .start(() -> {
                assertNull(gate.enter(visit));
                gate.leave(visit);
              });
      await(() -> writer.getState() == Thread.State.TIMED_WAITING);
      queued = true;
      writer.join();
    }
    deep.join();
    assertTrue(overflows > 0);
  }

  /** Visits the gate at the deepest {@link #VISITS} places where it lets this thread in. */
  @SuppressWarnings("InfiniteRecursion") // the end of the stack ends it
  private void visitAsDeepAsPossible() {
    try {
      visitAsDeepAsPossible();
    } catch (StackOverflowError e) {
      overflows++; // there is more room here
    }
    if (visits < VISITS) {
      Gate.Visit visit = reading();
      assertNull(gate.enter(visit));
      visits++;
      inside = true;
      while (!queued) { // a lambda would need more stack
        Thread.onSpinWait();
      }
      queued = false;
      gate.leave(visit);
    }
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }
}
