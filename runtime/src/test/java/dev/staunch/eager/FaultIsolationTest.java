package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Engine;
import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.Kernel;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requirements that no test of MXNet covers and that its engine gets wrong: one failure, and then a
 * look at everything else (F2, F3, F4, F10, E3, E4).
 */
class FaultIsolationTest {
  private static final String ENGINES = "dev.staunch.eager.EagerTrial#engines";

  @ParameterizedTest
  @MethodSource(ENGINES)
  void aSiblingOfWhatWasReadHasTheFaultToo(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Tensor x = trial.invalid();
      Tensor y = x.add(1.0);
      Tensor z = x.mul(2.0);
      Fault fault = assertThrows(StaunchException.class, y::value).fault();
      assertSame(fault, z.fault(), "F3");
      assertSame(fault, x.fault(), "F3");
      assertSame(fault, x.add(1.0).fault(), "F3: an operation that is called afterwards");
      assertEquals(3, fault.reach().skipped());
    }
  }

  /** F6: whatever the position of an operand, alone or in a list. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void ofTwoFaultedOperandsTheEarlierFaultLeadsAndTheOtherIsAttached(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Tensor first = trial.context.ones(2).reshape(3); // the tensor that it would view is healthy
      Tensor second = trial.context.ones(4).reshape(5);
      Fault one = Objects.requireNonNull(first.fault());
      Fault other = Objects.requireNonNull(second.fault());
      Tensor sum = second.add(first);
      Tensor joined = trial.context.cat(0, second, first);
      for (Tensor both : List.of(sum, joined)) {
        Fault fault = Objects.requireNonNull(both.fault());
        assertTrue(one.isSameAs(fault), "F6");
        assertEquals(1, fault.suppressed().size(), "F6");
        assertTrue(other.isSameAs(fault.suppressed().getFirst()), "F6");
      }
    }
  }

  /** F3: no read returns the content of memory that a failed operation was to write. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void theContentOfWhatFailedCannotBeSeen(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Tensor x = trial.context.ones(2, 2);
      Tensor row = x.get(0);
      x.normal_(0, -1);
      for (int i = 0; i < 3; i++) {
        assertThrows(StaunchException.ValueException.class, x::floats);
        assertThrows(StaunchException.ValueException.class, row::floats);
      }
    }
  }

  /** F4: overwriting the whole heals, whether or not the fault was read. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void anOverwriteHeals(EngineOptions engine) {
    for (boolean read : new boolean[] {false, true}) {
      try (EagerTrial trial = new EagerTrial(engine)) {
        Tensor x = trial.context.ones(3);
        x.normal_(0, -1);
        if (read) {
          assertThrows(StaunchException.class, x::floats);
        }
        x.fill_(7.0);
        assertArrayEquals(new float[] {7, 7, 7}, x.floats());
        Tensor never = trial.context.normal(0, -1, 3);
        never.copy_(x);
        assertArrayEquals(new float[] {7, 7, 7}, never.floats());
      }
    }
  }

  /** F5: results that were made serve others; operations that need the rest get its fault. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void whatAnOperationCouldMakeIsGoodThoughTheRestFailed(EngineOptions engine) {
    try (EagerTrial trial =
        new EagerTrial(
            engine,
            catalog ->
                catalog.define(
                    "test::parts(Tensor(a) x) -> (Tensor, Tensor, Tensor(a))",
                    (Kernel.Many)
                        call ->
                            new Object[] {
                              DenseTensor.allocate(
                                  call.environment().scope(), DType.FLOAT32, Shape.of(100)),
                              Fault.value("the second is missing"),
                              call.tensor(0)
                            }))) {
      Tensor x = trial.context.ones(4);
      Tensor[] parts = trial.context.applyMany("test::parts", 3, x);
      Tensor sum = parts[0].fill_(2.0).sum().add(parts[2].sum());
      Tensor lost = parts[2].add(parts[1]);
      assertEquals(204, sum.item());
      Fault fault = assertThrows(StaunchException.ValueException.class, lost::value).fault();
      assertEquals("test::parts", fault.operation());
      assertTrue(fault.isSameAs(Objects.requireNonNull(parts[1].fault())));
      assertEquals(1, fault.reach().skipped());
      trial.context.waitAll();
      Stream.of(parts).forEach(Tensor::close);
    }
  }

  /** F4, E6: whichever thread runs the overwrite, and whichever scope it happens to be in. */
  @ParameterizedTest
  @MethodSource("interleavings")
  void whatWasHealedBelongsToTheScopeOfTheOverwrite(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Context context = trial.context;
      Tensor outside = context.normal(0, -1, 3);
      outside.copy_(context.ones(3));
      Tensor inside = context.normal(0, -1, 3);
      context.using(
          "step",
          () -> {
            inside.copy_(context.ones(3));
            return context.ones(3).add(1).sum().item();
          });
      assertEquals(3, outside.sum().item(), "F4");
      assertThrows(StaunchException.ClosedException.class, inside::floats, "M3");
    }
  }

  static Stream<EngineOptions> interleavings() {
    Stream<EngineOptions> seeded =
        LongStream.range(0, 20).mapToObj(seed -> EngineOptions.seeded(seed, 2));
    return Stream.concat(EagerTrial.engines(), seeded);
  }

  /**
   * F2: neither the random source nor scratch memory carries anything from one operation to the
   * next.
   */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void randomAndIndexedOperationsBesideFailingOnesAreUntouched(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Tensor table = trial.context.arange(0.0, 4.0, 1.0);
      List<Tensor> good = new ArrayList<>();
      List<Tensor> bad = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        bad.add(trial.invalid());
        good.add(trial.context.normal(1, 0, 2, 2));
        bad.add(table.indexSelect(0, trial.context.tensor(new long[] {9})));
        good.add(table.indexSelect(0, trial.context.tensor(new long[] {1, 1, 1, 1})));
      }
      for (int i = 0; i < good.size(); i++) {
        assertEquals(4.0, good.get(i).sum().item(), "no. " + i);
        FaultType type = i % 2 == 0 ? FaultType.VALUE : FaultType.INDEX;
        assertEquals(type, bad.get(i).fault().type(), "no. " + i);
      }
    }
  }

  /** E4: two contexts that share an engine each take only their own. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void waitAllTakesNobodyElsesFaults(EngineOptions options) {
    OffHeap memory = OffHeap.withBudget(1 << 20);
    try (Engine engine = Engine.start(options.withUnreadFaults(fault -> {}));
        Context one = Context.open(memory, ContextOptions.standard(), engine);
        Context two = Context.open(memory, ContextOptions.standard(), engine)) {
      Tensor bad = one.normal(0, -1, 2);
      Tensor good = two.ones(2);
      two.waitAll();
      assertEquals(2, good.sum().item());
      assertThrows(StaunchException.ValueException.class, one::waitAll);
      assertThrows(StaunchException.ValueException.class, bad::value);
    }
    assertEquals(0, memory.account().bytes());
  }

  /** E4: the first in program order is thrown, and all others are attached, in their order. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void waitAllTellsOfAllFailures(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      for (int i = 1; i <= 30; i++) {
        trial.context.normal(0, -i, 2);
      }
      StaunchException thrown = assertThrows(StaunchException.class, trial.context::waitAll);
      assertEquals("`std` of normal must not be negative, but it is -1", thrown.getMessage());
      assertEquals(29, thrown.getSuppressed().length);
      assertEquals(
          "`std` of normal must not be negative, but it is -30",
          thrown.getSuppressed()[28].getMessage());
    }
  }

  /** F10: a fault that nobody reads is reported once, when the context closes at the latest. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void aFailureThatNobodyLooksAtIsReported(EngineOptions engine) {
    EagerTrial trial = new EagerTrial(engine);
    try (trial) {
      Tensor unread = trial.invalid();
      unread.add(1.0);
      assertThrows(StaunchException.class, trial.invalid()::value);
    }
    assertEquals(1, trial.unread.size());
    assertEquals(FaultType.VALUE, trial.unread.peek().type());
  }

  /**
   * M2: a failed tensor that is closed without a read gives its memory back: 1.6 GiB pass through.
   */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void failedTensorsThatAreClosedGiveTheirMemoryBack(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      for (int i = 0; i < 400; i++) {
        Tensor large = trial.context.zeros(1 << 20);
        large.normal_(0, -1);
        trial.context.normal(0, -1, 1 << 20).close();
        large.close();
        if (i % 8 == 7) {
          assertThrows(StaunchException.class, trial.context::waitAll);
          assertEquals(0, trial.memory.account().bytes());
        }
      }
    }
  }

  /** F12: the hundred-thousandth failure leaves as little behind as the first. */
  @Test
  void aHundredThousandFailuresLeaveNothingBehind() {
    try (EagerTrial trial = new EagerTrial(EngineOptions.serial())) {
      Tensor a = trial.context.ones(2);
      Tensor b = trial.context.ones(3);
      for (int i = 0; i < 100_000; i++) {
        try (Tensor bad = a.add(b)) {
          assertEquals(FaultType.SHAPE, bad.fault().type());
        }
      }
      assertEquals(100_000, trial.context.faults());
      trial.context.waitAll();
      assertEquals(20, trial.memory.account().bytes(), "the two operands");
      assertTrue(trial.unread.isEmpty());
    }
  }

  /** F1, E4: many workers fail at once; each failure is reported, and none kills a thread. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void failuresOnAllWorkersAtOnceAreAllTold(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 200; i++) {
          trial.invalid();
        }
        StaunchException thrown = assertThrows(StaunchException.class, trial.context::waitAll);
        assertEquals(199, thrown.getSuppressed().length, "round " + round);
      }
      trial.context.waitAll();
    }
  }

  /** E4: a read of a value that does not arrive can be interrupted, or ends at its deadline. */
  @Test
  void aReaderCanBeInterruptedAndHasADeadline() throws InterruptedException {
    CountDownLatch go = new CountDownLatch(1);
    try (EagerTrial trial = EagerTrial.withLater(EngineOptions.threaded(1), go)) {
      Tensor later = trial.context.apply("test::later", trial.context.ones(1));
      assertThrows(
          StaunchException.DeadlineException.class,
          () -> later.value(CancelScope.withDeadline(Duration.ofMillis(5))));
      assertThrows(
          StaunchException.DeadlineException.class,
          () -> trial.context.waitAll(CancelScope.withDeadline(Duration.ofMillis(5))));
      AtomicReference<StaunchException> seen = new AtomicReference<>();
      Thread reader =
          Thread.ofPlatform()
              .start(() -> seen.set(assertThrows(StaunchException.class, later::value)));
      reader.interrupt();
      reader.join();
      assertEquals(FaultType.CANCELLED, seen.get().fault().type());
      go.countDown();
      assertEquals(1.0, later.item(), "a wait that was given up takes nothing away");
    }
  }

  /** C3: readers of cancelled values return although every worker is stuck. */
  @Test
  void cancellingWakesReadersThoughTheOnlyWorkerIsStuck() {
    CountDownLatch go = new CountDownLatch(1);
    try (EagerTrial trial = EagerTrial.withLater(EngineOptions.threaded(1), go)) {
      CancelScope scope = CancelScope.open();
      Tensor stuck = trial.context.apply("test::later", trial.context.ones(1));
      Tensor inScope = trial.context.within(scope, () -> stuck.add(1.0));
      Tensor after = inScope.mul(2.0);
      assertFalse(after.isSettled());
      scope.cancel("the client went away");
      assertTrue(after.isSettled(), "without a worker, and without a reader");
      assertEquals("the client went away", after.fault().message());
      go.countDown();
      assertNull(stuck.fault(), "C4");
    }
  }

  /** M3: a scope with a member that failed releases all the others. */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void aScopeWithAFailedMemberReleasesAll(EngineOptions engine) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Tensor kept =
          trial.context.using(
              "step",
              () -> {
                Tensor good = trial.context.ones(100);
                trial.invalid().add(good);
                return good.add(good);
              });
      assertEquals(400, trial.memory.account().bytes(), "what was returned alone");
      assertEquals(200, kept.sum().item());
      try (ResourceScope scope = ResourceScope.open(trial.memory, "request")) {
        trial.context.within(
            scope,
            () -> {
              trial.context.ones(100);
              return trial.invalid().fault();
            });
      }
    }
  }
}
