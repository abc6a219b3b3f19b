package dev.staunch.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * M1: what a holder may touch is closed at once, but its memory goes back only when the holder has
 * left.
 */
@Timeout(60)
class HoldTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "request 7");
  private final Holder kernel = () -> "aten::mm";

  private final Holder run = () -> "forward";

  @AfterEach
  void nothingIsLeft() {
    scope.close();
    assertEquals(0, memory.account().bytes());
    assertEquals(List.of(), scope.account().heldBy());
    memory.close();
    assertEquals(0, memory.reservedBytes());
  }

  private static DenseTensor tensor(ResourceScope home) {
    return assertInstanceOf(
        DenseTensor.class, DenseTensor.allocate(home, DType.FLOAT32, Shape.of(256)));
  }

  private static Hold hold(ResourceScope scope, Holder who) {
    return Objects.requireNonNull(scope.hold(who));
  }

  private static Hold holdMembers(ResourceScope scope, Holder who) {
    return Objects.requireNonNull(scope.holdMembers(who));
  }

  @Test
  void aScopeThatIsHeldClosesAtOnceAndGivesBackWhenTheLastHolderLeaves() {
    DenseTensor made = tensor(scope);
    Hold first = hold(scope, kernel);
    Hold second = hold(scope, kernel);
    MemorySegment bytes = made.segment();
    scope.close();
    assertTrue(made.isClosed());
    assertEquals(FaultType.CLOSED, made.closedFault().type());
    assertFalse(made.retain(), "nobody gets at it any more");
    first.end();
    bytes.fill((byte) 1);
    assertEquals(1024, memory.account().bytes());
    second.end();
    assertEquals(0, memory.account().bytes());
    assertThrows(StaunchException.ClosedException.class, made::segment);
  }

  @Test
  void nothingElseIsGivenTheBytesMeanwhile() {
    DenseTensor made = tensor(scope);
    Hold hold = hold(scope, kernel);
    scope.close();
    try (ResourceScope other = ResourceScope.open(memory, "other")) {
      for (int i = 0; i < 200; i++) {
        assertFalse(tensor(other).segment().asOverlappingSlice(made.segment()).isPresent());
      }
    }
    hold.end();
  }

  @Test
  void theAccountSaysWhichBytesWaitForWhom() {
    DenseTensor made = tensor(scope);
    assertEquals("request 7: 1 KiB", scope.account().toString());
    Hold mm = hold(scope, kernel);
    Hold again = hold(scope, kernel);
    Hold exp = hold(scope, () -> "aten::exp");
    assertEquals(List.of(), scope.account().heldBy(), "nothing waits");
    assertFalse(made.isClosed());
    scope.close();
    assertEquals(
        "request 7 (closed): 1 KiB, held by aten::exp and aten::mm", scope.account().toString());
    try (ResourceScope other = ResourceScope.open(memory, "other")) {
      Fault refused = assertInstanceOf(Fault.class, other.allocate(1 << 20));
      assertTrue(refused.message().contains("request 7 (closed): 1 KiB, held by aten::exp"));
    }
    mm.end();
    exp.end();
    assertEquals("request 7 (closed): 1 KiB, held by aten::mm", scope.account().toString());
    again.end();
  }

  @Test
  void whatIsMadeInAScopeThatWasClosedUnderItsMakerStaysUntilThatLeaves() {
    Hold hold = hold(scope, kernel);
    scope.close();
    DenseTensor made = tensor(scope);
    assertTrue(made.isClosed());
    made.segment().set(ValueLayout.JAVA_FLOAT, 0, 1f);
    assertEquals(1024, memory.account().bytes());
    hold.end();
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void aClosedScopeIsNotHeld() {
    scope.close();
    assertNull(scope.hold(kernel));
  }

  @Test
  void aMemberWhoseReleaseFailsKeepsNoneOfTheOthers() {
    AtomicInteger releases = new AtomicInteger();
    List<Resource> members = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      members.add(scope.own(new LifeTest.Counting(scope, releases, true)));
    }
    Hold hold = hold(scope, kernel);
    members.add(tensor(scope));
    scope.close();
    assertTrue(members.stream().allMatch(Resource::isClosed));
    assertEquals(0, releases.get());
    hold.end();
    assertEquals(3, releases.get());
  }

  /**
   * A server's scope always has holders; a closed member waits only for those that were there when
   * it closed.
   */
  @Test
  void whatWasClosedWaitsForThoseAloneWhoWereThere() {
    DenseTensor weight = tensor(scope);
    Hold first = holdMembers(scope, run);
    weight.close();
    Hold later = holdMembers(scope, run);
    first.end();
    assertEquals(0, memory.account().bytes());
    Hold third = holdMembers(scope, run);
    later.end();
    third.end();
  }

  @Test
  void aMemberThatIsClosedByItselfWaitsForThoseAloneWhoUseMembers() {
    Hold working = hold(scope, kernel);
    tensor(scope).close();
    assertEquals(0, memory.account().bytes());
    Hold using = holdMembers(scope, run);
    DenseTensor weight = tensor(scope);
    weight.close();
    assertTrue(weight.isClosed());
    assertEquals(1024, memory.account().bytes());
    tensor(scope).closeUnused();
    assertEquals(1024, memory.account().bytes(), "its only user closed it");
    working.end();
    assertEquals(1024, memory.account().bytes());
    using.end();
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void aMemberThatMovesOutStaysForThoseWhoUseMembers() {
    DenseTensor weight = tensor(scope);
    Hold using = holdMembers(scope, run);
    try (ResourceScope other = ResourceScope.open(memory, "other")) {
      ResourceScope.moveTo(other, weight);
    }
    assertTrue(weight.isClosed());
    weight.segment().fill((byte) 1);
    using.end();
    assertEquals(0, memory.account().bytes());
  }

  /** A holder that uses {@code tensor} alone, let into {@code scope}. */
  private static Hold using(ResourceScope scope, DenseTensor tensor) {
    Hold hold =
        new Hold(() -> "aten::add") {
          @Override
          protected boolean uses(Releasable part) {
            return part == tensor.storage();
          }
        };
    assertTrue(scope.admit(hold));
    assertTrue(scope.contains(tensor));
    return hold;
  }

  @Test
  void aMemberThatIsClosedByItselfWaitsForThoseWhoUseThatOne() {
    DenseTensor operand = tensor(scope);
    DenseTensor other = tensor(scope);
    Hold using = using(scope, operand);
    other.close();
    assertEquals(1024, memory.account().bytes(), "nobody uses it");
    operand.close();
    assertFalse(scope.contains(operand));
    assertEquals("request 7: 1 KiB, held by aten::add", scope.account().toString());
    operand.segment().fill((byte) 1);
    using.end();
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void aMemberThatMovesOutStaysForThoseWhoUseThatOne() {
    DenseTensor operand = tensor(scope);
    DenseTensor other = tensor(scope);
    Hold using = using(scope, operand);
    try (ResourceScope target = ResourceScope.open(memory, "target")) {
      ResourceScope.moveTo(target, operand);
      ResourceScope.moveTo(target, other);
      assertFalse(scope.contains(operand));
      assertEquals(1, other.storage().references());
    }
    assertEquals(1024, memory.account().bytes());
    operand.segment().fill((byte) 1);
    using.end();
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void aClosedScopeLetsNobodyIn() {
    Hold late = new Hold(kernel);
    scope.close();
    assertFalse(scope.admit(late));
    assertEquals(List.of(), scope.account().heldBy());
  }

  /** A kernel's loop keeps a segment, which does not keep the tensor reachable. */
  @Test
  void whatBecomesUnreachableStaysUntilItsMakerLeaves() {
    ResourceScope step = scope.child("step");
    Hold hold = hold(scope, kernel);
    MemorySegment ofStep = tensor(step).segment();
    MemorySegment bytes = tensor(scope).segment();
    while (memory.metrics().freedByReaper() < 2) {
      System.gc();
      Thread.onSpinWait();
    }
    assertEquals(2048, memory.account().bytes());
    bytes.fill((byte) 1);
    ofStep.fill((byte) 1);
    hold.end();
    while (memory.account().bytes() > 0) { // the reaper counts what it is about to release
      Thread.onSpinWait();
    }
    step.close();
  }

  /** The holder may be the one whose allocation waits for the bytes. */
  @Test
  void whatWasThereBeforeAndBecomesUnreachableDoesNotWaitForHoldersOfNewMembers() {
    tensor(scope);
    Hold hold = Objects.requireNonNull(scope.holdNewMembers(kernel));
    MemorySegment bytes = tensor(scope).segment();
    while (memory.metrics().freedByReaper() < 2 || memory.account().bytes() > 1024) {
      System.gc();
      Thread.onSpinWait();
    }
    assertEquals(1024, memory.account().bytes());
    bytes.fill((byte) 1);
    hold.end();
    while (memory.account().bytes() > 0) { // the reaper counts what it is about to release
      Thread.onSpinWait();
    }
  }

  @Test
  void whatMovesInDuringAStayWaitsForHoldersOfNewMembers() {
    try (ResourceScope other = ResourceScope.open(memory, "other")) {
      tensor(scope);
      Hold hold = Objects.requireNonNull(scope.holdNewMembers(kernel));
      MemorySegment bytes = movedFrom(other);
      while (memory.metrics().freedByReaper() < 2 || memory.account().bytes() > 1024) {
        System.gc();
        Thread.onSpinWait();
      }
      assertEquals(1024, memory.account().bytes());
      bytes.fill((byte) 1);
      hold.end();
    }
    while (memory.account().bytes() > 0) {
      Thread.onSpinWait();
    }
  }

  private MemorySegment movedFrom(ResourceScope other) {
    DenseTensor made = tensor(other);
    ResourceScope.moveTo(scope, made);
    return made.segment();
  }

  @Test
  void memoryThatIsClosedTakesNothingFromUnderAHolder() {
    DenseTensor made = tensor(scope);
    Hold hold = hold(scope, kernel);
    memory.close();
    assertTrue(made.isClosed());
    made.segment().fill((byte) 1);
    assertNotNull(scope.account().heldBy());
    hold.end();
    assertEquals(0, memory.account().bytes());
  }
}
