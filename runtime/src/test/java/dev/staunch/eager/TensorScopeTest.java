package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tensors in scopes: results live on, everything else is freed (M3); on workers or at once. */
@Timeout(60)
class TensorScopeTest {
  private static final long BYTES = 4000;
  private final OffHeap memory = OffHeap.withBudget(1 << 22);
  private Context context;

  private void open(long largeElements) {
    // A stuck task takes one worker; a machine with one processor has no other.
    EngineOptions engine = EngineOptions.threaded(2);
    ContextOptions options = ContextOptions.standard().withEngine(engine);
    context = Context.open(memory, options.withLargeElements(largeElements));
  }

  @AfterEach
  void everyByteGoesBack() {
    context.close();
    assertEquals(0, memory.account().bytes());
  }

  record Pair(Tensor left, List<Tensor> right) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 1 << 20})
  void aScopeWaitsForNobodyElsesWork(long largeElements) {
    open(largeElements);
    CountDownLatch done = new CountDownLatch(1);
    try (Tensor other = context.ones(1)) {
      context.engineContext().push(new StuckWrite(other, done));
      assertEquals(2, context.using("request", () -> context.ones(1).add(1)).item(), "E4");
      done.countDown();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 1 << 20})
  void aScopeWaitsNoLongerThanItsDeadline(long largeElements) {
    open(largeElements);
    CountDownLatch done = new CountDownLatch(1);
    try (Tensor other = context.ones(1)) {
      context.engineContext().push(new StuckWrite(other, done));
      Tensor late =
          context.within(deadline(), () -> context.using("request", () -> other.add(1).mul(2)));
      assertThrows(StaunchException.DeadlineException.class, late::item, "C5");
      done.countDown();
    }
  }

  /** C5: inherited by every wait in the scope, even for what was called outside of it. */
  @ParameterizedTest
  @ValueSource(longs = {1, 1 << 20})
  void aReadWaitsNoLongerThanTheDeadlineAround(long largeElements) {
    open(largeElements);
    CountDownLatch done = new CountDownLatch(1);
    try (Tensor other = context.ones(1)) {
      Tensor there = context.ones(1);
      assertEquals(1, there.item());
      context.engineContext().push(new StuckWrite(other, done));
      Stream<Executable> waits =
          Stream.of(
              other::value,
              other::item,
              other::shape,
              () -> other.read(dense -> dense),
              () -> context.applyValue("aten::item", other),
              context::waitAll);
      waits.forEach(wait ->
          assertThrows(
              StaunchException.DeadlineException.class, () -> within(deadline(), wait), "C5"));
      Fault late = context.within(deadline(), other::fault);
      assertEquals(CancelReason.DEADLINE, late.reason());
      CancelScope over = CancelScope.open();
      over.cancel("enough");
      assertEquals(1, context.within(over, there::item), "C4");
      done.countDown();
    }
  }

  private static CancelScope deadline() {
    return CancelScope.withDeadline(Duration.ofMillis(5));
  }

  private void within(CancelScope scope, Executable work) throws Throwable {
    Throwable thrown = context.within(scope, () -> assertThrows(Throwable.class, work));
    throw thrown;
  }

  /** E4: operations continue in the closed scope, and their bytes go back when they finish. */
  @ParameterizedTest
  @ValueSource(longs = {1, 1 << 20})
  void anInterruptEndsTheWaitOfAScope(long largeElements) throws InterruptedException {
    open(largeElements);
    CountDownLatch done = new CountDownLatch(1);
    AtomicReference<StaunchException> thrown = new AtomicReference<>();
    try (Tensor other = context.ones(1)) {
      context.engineContext().push(new StuckWrite(other, done));
      Thread waiter =
          Thread.ofVirtual()
              .start(() ->
                  thrown.set(
                      assertThrows(
                          StaunchException.CancelledException.class,
                          () -> context.using("request", () -> other.add(1)))));
      waiter.interrupt();
      waiter.join();
      assertEquals(CancelReason.USER, thrown.get().fault().reason());
      done.countDown();
      context.waitAll();
      assertEquals(4, context.bytes(), "the tensor around the scope alone");
    }
  }

  /** M3: a whole training run in one scope holds what can be reached, and no more. */
  @ParameterizedTest
  @ValueSource(longs = {1, 1 << 20})
  void aScopeThatStaysOpenDoesNotPinWhatBecameUnreachable(long largeElements) {
    open(largeElements);
    Tensor trained =
        context.using(
            "training",
            () -> {
              Tensor weights = context.ones(1000);
              for (int i = 0; i < 50; i++) {
                weights = weights.view(10, 100).add(1).reshape(1000);
                context.ones(1000).add(context.ones(999));
              }
              assertEquals(51, weights.floats()[0]);
              while (context.bytes() > BYTES) {
                System.gc();
                Thread.onSpinWait();
              }
              return weights;
            });
    assertEquals(51, trained.floats()[999]);
    assertThrows(StaunchException.ShapeException.class, context::waitAll);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 1 << 20})
  void theResultLivesOnAndTheRestIsReleased(long largeElements) {
    open(largeElements);
    Tensor sum =
        context.using(
            "step", () -> context.ones(1000).add(context.ones(1000)).mul(context.ones(1000)));
    assertEquals(BYTES, context.bytes());
    assertEquals(2000, sum.sum().item());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 1 << 20})
  void resultsInRecordsMapsListsAndArraysLiveOn(long largeElements) {
    open(largeElements);
    Map<String, Pair> made =
        context.using(
            "step",
            () -> {
              Tensor a = context.ones(1000);
              a.add(1);
              return new HashMap<>(Map.of("pair", new Pair(a.mul(2), List.of(a.mul(3)))));
            });
    Tensor[] more = context.using("step", () -> new Tensor[] {context.zeros(1000)});
    assertEquals(3 * BYTES, context.bytes());
    assertEquals(2, made.get("pair").left().floats()[0]);
    assertEquals(3, made.get("pair").right().get(0).floats()[0]);
    assertEquals(0, more[0].floats()[0]);
  }

  /** F10: the search for what to move out does not count as use of a closed tensor. */
  @ParameterizedTest
  @ValueSource(longs = {1, 1 << 20})
  void aClosedTensorInTheResultIsNobodysFault(long largeElements) {
    open(largeElements);
    Tensor made =
        context.using(
            "step",
            () -> {
              Tensor closed = context.ones(1000);
              closed.close();
              return closed;
            });
    assertTrue(made.isClosed());
    context.waitAll();
    assertThrows(StaunchException.ClosedException.class, made::floats);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 1 << 20})
  void scopesNest(long largeElements) {
    open(largeElements);
    Tensor result =
        context.using(
            "outer",
            () -> {
              Tensor inner = context.using("inner", () -> context.ones(1000).add(1));
              return inner.add(1);
            });
    assertEquals(BYTES, context.bytes());
    assertEquals(3, result.floats()[999]);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 1 << 20})
  void whatAClosedScopeOwnedIsATypedFault(long largeElements) {
    open(largeElements);
    Tensor kept;
    try (ResourceScope scope = context.scope().child("mine")) {
      kept = context.within(scope, () -> context.ones(1000));
      assertEquals(1, kept.floats()[0]);
    }
    assertThrows(StaunchException.ClosedException.class, kept::floats);
    Tensor result = kept.add(1);
    assertThrows(StaunchException.ClosedException.class, result::floats);
  }

  /** MXNet's {@code usingIfScopeExists}: inside b, new tensors join another tensor's scope. */
  @ParameterizedTest
  @ValueSource(longs = {1, 1 << 20})
  void specF3WorkInsideBMayAddToTheScopeOfATensorOfA(long largeElements) {
    open(largeElements);
    ResourceScope a = context.scope().child("a");
    ResourceScope b = context.scope().child("b");
    Tensor first = context.within(a, () -> context.ones(1));
    Tensor[] made =
        context.within(
            b,
            () -> {
              ResourceScope home = first.value().scope();
              return new Tensor[] {
                context.within(home, () -> context.ones(1).add(1)), context.ones(1).add(2)
              };
            });
    assertEquals(2, made[0].item());
    assertEquals(3, made[1].item());
    b.close();
    assertTrue(made[1].isClosed());
    assertThrows(StaunchException.ClosedException.class, made[1]::item);
    assertFalse(made[0].isClosed());
    assertEquals(2, made[0].item());
    a.close();
    assertTrue(made[0].isClosed());
    assertThrows(StaunchException.ClosedException.class, made[0]::item);
    assertEquals(0, context.bytes());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 1 << 20})
  void aFaultLeavesNothingBehind(long largeElements) {
    open(largeElements);
    Tensor bad =
        context.using(
            "step", () -> context.ones(1000).add(context.ones(999)).mul(context.ones(1000)));
    assertThrows(StaunchException.ShapeException.class, bad::floats);
    assertEquals(0, context.bytes());
  }

  /** M3, F4: a tensor that holds a fault may be healed where it goes. */
  @ParameterizedTest
  @ValueSource(longs = {1, 1 << 20})
  void aResultWhoseMemoryHoldsAFaultLivesOn(long largeElements) {
    open(largeElements);
    Tensor bad =
        context.using(
            "step",
            () -> {
              Tensor made = context.ones(1000);
              made.add(context.ones(1000));
              return made.add_(context.ones(999));
            });
    assertEquals(BYTES, context.bytes());
    assertThrows(StaunchException.ShapeException.class, bad::floats);
    assertEquals(2000, bad.fill_(2.0).sum().item());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 1 << 20})
  void closingAnOperandOfWhatIsStillToComeDoesNoHarm(long largeElements) {
    open(largeElements);
    for (int i = 0; i < 200; i++) {
      Tensor a = context.ones(1000);
      Tensor b = a.add(i);
      Tensor c = b.mul(2);
      a.close();
      b.close();
      assertTrue(a.isClosed());
      assertFalse(c.isClosed());
      assertEquals(2f * (i + 1), c.floats()[0]);
      c.close();
    }
    context.waitAll();
    assertEquals(0, context.bytes());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 1 << 20})
  void aProducerHandsTensorsToAConsumerThatMayOutliveIt(long largeElements)
      throws InterruptedException {
    open(largeElements);
    BlockingQueue<Tensor> queue = new LinkedBlockingQueue<>();
    ResourceScope consumed = context.scope().child("consumer");
    Thread producer =
        Thread.ofVirtual()
            .start(() -> {
              for (int i = 0; i < 100; i++) {
                int number = i;
                try (ResourceScope made = context.scope().child("producer")) {
                  Tensor tensor = context.within(made, () -> context.full(number, 1000));
                  ResourceScope.moveTo(consumed, tensor.value());
                  queue.add(tensor);
                }
              }
            });
    for (int i = 0; i < 100; i++) {
      Tensor tensor = queue.take();
      assertEquals(i, tensor.floats()[0]);
      tensor.close();
    }
    producer.join();
    consumed.close();
    assertEquals(0, context.bytes());
  }

  /** M3, C1: inside another context's scope is still inside the context's own scope. */
  @ParameterizedTest
  @ValueSource(longs = {1, 1 << 20})
  void scopesOfSeveralContextsNest(long largeElements) {
    open(largeElements);
    try (Context other = Context.open(memory)) {
      Tensor kept =
          context.using(
              "ours",
              () ->
                  other.using(
                      "theirs",
                      () -> {
                        context.ones(1000);
                        other.ones(1000);
                        return context.ones(10);
                      }));
      assertEquals(40, context.bytes(), "M3");
      assertEquals(40, memory.account().bytes(), "M3");
      assertEquals(10, kept.sum().item());
      CancelScope cancelled = CancelScope.open();
      cancelled.cancel("no longer wanted");
      Tensor late =
          context.within(cancelled, () -> other.within(CancelScope.open(), () -> context.ones(1)));
      assertThrows(StaunchException.CancelledException.class, late::item, "C1");
    }
  }
}
