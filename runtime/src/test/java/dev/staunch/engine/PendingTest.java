package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A value that arrives later arrives once, and a wait for it always ends (F3, E4, C3). */
@Timeout(60)
class PendingTest {
  private final Pending pending = new Pending();

  @Test
  void theFirstValueStays() {
    assertNull(pending.peek());
    assertTrue(pending.settle("first"));
    assertFalse(pending.settle("second"));
    assertEquals("first", pending.peek(), "F3");
    assertEquals("first", pending.await(CancelScope.open()));
  }

  @Test
  void aFaultIsAValueLikeAnother() {
    Fault fault = Fault.value("bad");
    pending.settle(fault);
    assertSame(fault, pending.await(CancelScope.open()), "F1, F3");
  }

  /** F11: in their order, and none keeps another from being called. */
  @Test
  void continuationsHearOnceAlthoughSomeThrow() {
    List<Integer> heard = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int number = i;
      pending.whenSettled(() -> {
        heard.add(number);
        if (number % 2 == 0) {
          throw new AssertionError("from a continuation");
        }
      });
    }
    assertTrue(pending.settle("there"));
    pending.whenSettled(() -> heard.add(4));
    assertEquals(List.of(0, 1, 2, 3, 4), heard, "F11");
  }

  /** F11: refused when it is registered, not thrown at the thread that settles. */
  @Test
  void noContinuationIsRefusedAndTheOthersHear() {
    List<String> heard = new ArrayList<>();
    assertThrows(NullPointerException.class, () -> pending.whenSettled(null));
    pending.whenSettled(() -> heard.add("before"));
    assertTrue(pending.settle("there"));
    assertThrows(NullPointerException.class, () -> pending.whenSettled(null));
    assertEquals(List.of("before"), heard, "F11");
  }

  /** C3: a long chain from one value to the next leaves none unsettled. */
  @Test
  void aChainOfAnyLengthIsSettled() {
    Pending last = pending;
    for (int i = 0; i < 1_000_000; i++) {
      Pending before = last;
      Pending after = new Pending();
      before.whenSettled(() -> after.settle(Objects.requireNonNull(before.peek())));
      last = after;
    }
    pending.settle("through");
    assertEquals("through", last.peek(), "C3");
  }

  /** C3: also in a continuation of what the other value depends on. */
  @Test
  void aContinuationMayWaitForWhatDependsOnWhatItSettles() {
    Pending settled = new Pending();
    Pending depends = new Pending();
    List<Object> heard = new ArrayList<>();
    pending.whenSettled(() -> {
      settled.settle("there");
      heard.add(depends.await(CancelScope.withDeadline(Duration.ofSeconds(10))));
    });
    settled.whenSettled(() -> depends.settle("there too"));
    pending.settle("first");
    assertEquals(List.of("there too"), heard, "C3");
  }

  @Test
  void aCancelledScopeEndsTheWait() {
    CancelScope scope = CancelScope.open();
    Thread canceller =
        Thread.ofPlatform().start(() -> scope.cancel(CancelReason.CLIENT_GONE, "gone"));
    Fault fault = assertInstanceOf(Fault.class, pending.await(scope.child()));
    assertEquals(CancelReason.CLIENT_GONE, fault.reason(), "C3");
    Trial.join(canceller);
    assertTrue(pending.settle("late"), "the value itself was not cancelled");
    assertEquals("late", pending.await(scope), "C4");
  }

  @Test
  void aDeadlineEndsTheWait() {
    CancelScope scope = CancelScope.withDeadline(Duration.ofMillis(1));
    Fault fault = assertInstanceOf(Fault.class, pending.await(scope));
    assertEquals(FaultType.DEADLINE_EXCEEDED, fault.type(), "E4");
  }

  @Test
  void anInterruptEndsTheWaitAndStaysSet() {
    Thread.currentThread().interrupt();
    Fault fault = assertInstanceOf(Fault.class, pending.await(CancelScope.open()));
    assertTrue(Thread.interrupted());
    assertEquals(CancelReason.USER, fault.reason(), "E4");
  }

  @Test
  void nothingSettlesIt() {
    assertThrows(NullPointerException.class, () -> pending.settle(null));
    assertTrue(pending.settle("there"));
    assertEquals("there", pending.peek(), "F3");
  }
}
