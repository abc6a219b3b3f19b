package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Parts of a segment are cancelled each for itself (C2, C3). */
@Timeout(60)
class SegmentCancelTest {
  private static final String THREADED = "dev.staunch.engine.Engines#threaded";

  @ParameterizedTest
  @MethodSource(THREADED)
  void partsOfAQueuedSegmentAreSettledToo(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CountDownLatch stuck = new CountDownLatch(1);
      CancelScope scope = CancelScope.open();
      AtomicInteger ran = new AtomicInteger();
      Variable blocked = new Variable("blocked");
      Variable cancelled = new Variable("cancelled");
      Variable kept = new Variable("kept");
      trial.context.push(Step.large(Uses.writing(blocked), () -> Trial.await(stuck)));
      Step first = Step.large(Uses.reading(blocked).andWriting(cancelled), ran::incrementAndGet);
      first.in(scope);
      Step second = Step.large(Uses.reading(blocked).andWriting(kept), ran::incrementAndGet);
      trial.context.pushSegment(List.of(first, second));
      scope.cancel("enough");
      CancelScope soon = CancelScope.withDeadline(Duration.ofMillis(20));
      trial.context.await(kept, soon);
      assertNotNull(first.outcome, "C3");
      stuck.countDown();
      assertNull(trial.context.await(kept, null));
      assertEquals(CancelReason.USER, trial.context.await(cancelled, null).reason());
      assertEquals(1, ran.get());
    }
  }

  /** E7: a segment lowers the overhead and changes nothing that can be seen. */
  @ParameterizedTest
  @MethodSource(THREADED)
  void eachPartThatIsGivenUpCountsAsAWriteOfItsOwn(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CountDownLatch stuck = new CountDownLatch(1);
      CancelScope scope = CancelScope.open();
      Variable variable = new Variable("x");
      trial.context.push(Step.large(Uses.writing(variable), () -> Trial.await(stuck)));
      trial.context.pushSegment(
          List.of(
              Step.large(Uses.writing(variable), () -> {}).in(scope),
              Step.large(Uses.reading(variable), () -> {}).in(scope),
              Step.large(Uses.updating(variable), () -> {}).in(scope)));
      scope.cancel("enough");
      stuck.countDown();
      assertNull(trial.context.awaitUses(variable, null));
      assertEquals(3, variable.version(), "E7");
    }
  }

  /** C3: a segment lets go of what only its cancelled parts would have written, and no more. */
  @ParameterizedTest
  @MethodSource(THREADED)
  void whatOnlyCancelledPartsUseDoesNotWaitForTheirSegment(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CountDownLatch stuck = new CountDownLatch(1);
      CancelScope scope = CancelScope.open();
      List<String> order = Collections.synchronizedList(new ArrayList<>());
      Variable blocked = new Variable("blocked");
      Variable lost = new Variable("lost");
      Variable both = new Variable("both");
      trial.context.push(Step.large(Uses.writing(blocked), () -> Trial.await(stuck)));
      trial.context.pushSegment(
          List.of(
              Step.large(Uses.updating(lost), () -> order.add("lost")).in(scope),
              Step.large(Uses.updating(both), () -> order.add("cancelled")).in(scope),
              Step.large(Uses.reading(blocked).andWriting(both), () -> order.add("kept"))));
      CancelScope reader = CancelScope.open();
      scope.cancel("enough");
      assertEquals("enough", trial.context.await(lost, reader).message());
      trial.context.push(Step.small(Uses.writing(lost), () -> order.add("healed")));
      assertNull(trial.context.await(lost, reader), "F4");
      CancelScope soon = CancelScope.withDeadline(Duration.ofMillis(20));
      assertEquals(CancelReason.DEADLINE, trial.context.await(both, soon).reason());
      stuck.countDown();
      assertNull(trial.context.await(both, null));
      assertNull(trial.context.await(lost, null), "what others wrote since stays");
      assertEquals(List.of("healed", "kept"), order);
    }
  }

  /** C2: by a variable from outside, and by a part before. */
  @ParameterizedTest
  @MethodSource(THREADED)
  void aPartsOwnFaultOutranksItsCancellation(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CountDownLatch stuck = new CountDownLatch(1);
      CancelScope scope = CancelScope.open();
      Variable blocked = new Variable("blocked");
      Variable bad = new Variable("bad");
      Variable near = new Variable("near");
      Variable far = new Variable("far");
      Variable healed = new Variable("healed");
      Fault own = trial.fail(bad, "bad");
      assertTrue(own.isSameAs(trial.context.await(bad, null)));
      trial.context.push(Step.large(Uses.writing(blocked), () -> Trial.await(stuck)));
      trial.context.pushSegment(
          List.of(
              Step.large(Uses.reading(bad).andWriting(near), () -> {}).in(scope),
              Step.large(Uses.reading(near).andWriting(far), () -> {}).in(scope),
              Step.large(Uses.writing(bad), () -> {}),
              Step.large(Uses.reading(bad).andWriting(healed), () -> {}).in(scope),
              Step.large(Uses.reading(blocked), () -> {})));
      scope.cancel("enough");
      assertTrue(own.isSameAs(trial.context.await(near, null)), "C2");
      assertTrue(own.isSameAs(trial.context.await(far, null)), "C2");
      assertEquals("enough", trial.context.await(healed, null).message());
      assertEquals(2, own.reach().skipped(), "F7");
      stuck.countDown();
      assertNull(trial.context.await(bad, null));
    }
  }

  /** Also if its turn comes only after the last part was cancelled, and with that the whole. */
  @ParameterizedTest
  @MethodSource(THREADED)
  void eachCancelledPartLeavesItsOwnFault(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      CountDownLatch stuck = new CountDownLatch(1);
      CancelScope one = CancelScope.open();
      CancelScope other = CancelScope.open();
      Variable x = new Variable("x");
      Variable y = new Variable("y");
      trial.context.push(Step.large(Uses.writing(x, y), () -> Trial.await(stuck)));
      trial.context.pushSegment(
          List.of(
              Step.large(Uses.updating(x), () -> {}).in(one),
              Step.large(Uses.updating(y), () -> {}).in(other)));
      one.cancel("one");
      other.cancel("other");
      stuck.countDown();
      assertEquals("one", trial.context.await(x, null).message());
      assertEquals("other", trial.context.await(y, null).message());
    }
  }
}
