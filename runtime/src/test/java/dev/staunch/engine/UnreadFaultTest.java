package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Even if nobody waits, somebody is told: faults that nobody reads are reported once (F10, E4). */
class UnreadFaultTest {
  private static final String ENGINES = "dev.staunch.engine.Engines#all";

  @ParameterizedTest
  @MethodSource(ENGINES)
  void closingTellsEachUnreadFaultOnceAndNoReadOne(EngineOptions options) {
    Trial trial = new Trial(options);
    try (trial) {
      Variable read = new Variable("read");
      trial.fail(read, "read");
      trial.fail(new Variable("lost"), "unread");
      trial.context.push(Step.large(Uses.updating(read), () -> {}));
      assertNotNull(trial.context.await(read, null));
      assertNull(trial.context.drain(null));
      assertEquals(2, trial.context.faults());
    }
    assertEquals(List.of("unread"), trial.unread.stream().map(Fault::message).toList(), "F10");
    assertEquals(1, trial.context.unreadFaults());
  }

  @Test
  void aFaultThatNobodyCanReadAnyMoreIsToldWhileTheContextIsOpen() throws InterruptedException {
    CountDownLatch told = new CountDownLatch(1);
    EngineOptions options = EngineOptions.serial().withUnreadFaults(fault -> told.countDown());
    try (Engine engine = Engine.start(options)) {
      EngineContext context = engine.open("program");
      pushFailure(context);
      while (told.getCount() > 0) {
        System.gc();
        Thread.onSpinWait();
      }
      told.await();
      assertEquals(1, context.unreadFaults());
      StaunchException late = assertThrows(StaunchException.class, context::waitAll);
      assertEquals("nobody reads this", late.getMessage(), "E4: waitAll takes it nevertheless");
      assertEquals(3, late.fault().reach().skipped(), "F7: its count goes with it");
    }
  }

  private static void pushFailure(EngineContext context) {
    Variable variable = new Variable("x");
    context.push(Step.failing(Uses.writing(variable), Fault.value("nobody reads this")));
    for (int i = 0; i < 3; i++) {
      context.push(Step.large(Uses.updating(variable), () -> {}));
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void aHandlerThatThrowsDoesNoHarm(EngineOptions options) {
    AtomicInteger told = new AtomicInteger();
    Engine engine =
        Engine.start(
            options.withUnreadFaults(fault -> {
              told.incrementAndGet();
              throw new AssertionError("from the handler");
            }));
    try (engine) {
      EngineContext context = engine.open("program");
      for (int i = 0; i < 5; i++) {
        context.push(Step.failing(Uses.writing(new Variable("x")), Fault.value("fault " + i)));
      }
      context.drain(null);
      context.close();
      assertEquals(5, told.get());
      assertEquals(5, context.unreadFaults());
    }
  }

  /** E8: an engine whose handler never returns closes nevertheless. */
  @ParameterizedTest
  @MethodSource("dev.staunch.engine.Engines#ofEachMode")
  void aHandlerThatBlocksKeepsNoCloseForEver(EngineOptions options) {
    CountDownLatch told = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    EngineOptions blocking =
        options.withUnreadFaults(fault -> {
          told.countDown();
          Trial.await(never);
        });
    Engine engine = Engine.start(blocking);
    EngineContext context = engine.open("program");
    context.push(Step.failing(Uses.NONE, Fault.value("unread")));
    Thread closer =
        Thread.ofPlatform()
            .start(() -> {
              context.close();
              engine.close();
            });
    Trial.await(told);
    Trial.join(closer);
    assertFalse(closer.isAlive());
    never.countDown();
  }

  /** A caller that closes and then ends the process has reported everything. */
  @Test
  void aCloseWaitsForWhoIsJustBeingTold() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Queue<String> events = new ConcurrentLinkedQueue<>();
    Consumer<Fault> handler =
        fault -> {
          begun.countDown();
          Trial.await(go);
          events.add("told");
        };
    try (Engine engine = Engine.start(EngineOptions.serial().withUnreadFaults(handler))) {
      EngineContext context = engine.open("program");
      pushFailure(context);
      while (begun.getCount() > 0) {
        System.gc();
        Thread.onSpinWait();
      }
      Thread closer =
          Thread.ofPlatform()
              .start(() -> {
                context.tellUnread(Duration.ofMinutes(1));
                events.add("closed");
              });
      while (closer.isAlive() && closer.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      go.countDown();
      closer.join();
    }
    assertEquals(List.of("told", "closed"), List.copyOf(events), "F10");
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void waitAllThrowsTheFirstWithTheRestSuppressedAndIsSilentThen(EngineOptions options) {
    Trial trial = new Trial(options);
    List<Variable> readable = new ArrayList<>(); // otherwise each fault is reported when it is lost
    try (trial) {
      for (int i = 0; i < 30; i++) {
        readable.add(new Variable("x"));
        trial.fail(readable.get(i), "fault " + i);
      }
      StaunchException thrown = assertThrows(StaunchException.class, trial.context::waitAll);
      assertEquals("fault 0", thrown.getMessage(), "E4");
      assertEquals(29, thrown.getSuppressed().length);
      for (int i = 1; i < 30; i++) {
        assertEquals("fault " + i, thrown.getSuppressed()[i - 1].getMessage());
      }
      trial.context.waitAll();
    }
    assertTrue(trial.unread.isEmpty());
    readable.forEach(each -> assertNotNull(each.fault(), "F3"));
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void waitAllTakesNoOtherContextsFaults(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      EngineContext other = trial.engine.open("other");
      trial.fail(new Variable("x"), "mine");
      other.push(Step.failing(Uses.writing(new Variable("y")), Fault.value("theirs")));
      StaunchException theirs = assertThrows(StaunchException.class, other::waitAll);
      assertEquals("theirs", theirs.getMessage(), "E4");
      assertEquals(0, theirs.getSuppressed().length);
      StaunchException mine = assertThrows(StaunchException.class, trial.context::waitAll);
      assertEquals("mine", mine.getMessage());
    }
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void waitAllLeavesOutWhatWasRead(EngineOptions options) {
    try (Trial trial = new Trial(options)) {
      Variable variable = new Variable("x");
      trial.fail(variable, "read");
      trial.fail(new Variable("y"), "unread");
      trial.context.await(variable, null);
      StaunchException thrown = assertThrows(StaunchException.class, trial.context::waitAll);
      assertEquals("unread", thrown.getMessage());
      assertEquals(0, thrown.getSuppressed().length);
      assertThrows(StaunchException.class, () -> trial.context.waitFor(variable), "F3: sticky");
    }
  }

  @Test
  void aFaultThatArrivesTwiceIsOneOfThoseThatWaitAllThrows() {
    try (Trial trial = new Trial(EngineOptions.threaded(1))) {
      CancelScope scope = CancelScope.open().failFast();
      Variable x = new Variable("x");
      trial.context.push(Step.failing(Uses.writing(x), Fault.value("root")).in(scope));
      trial.context.push(Step.large(Uses.writing(x), () -> {}).in(scope));
      StaunchException thrown = assertThrows(StaunchException.class, trial.context::waitAll);
      assertEquals("root", thrown.getMessage());
      assertEquals(1, thrown.getSuppressed().length);
      assertEquals(0, thrown.getSuppressed()[0].getSuppressed().length);
    }
  }

  /**
   * F10: reading an input's fault does not mean that anyone reads the fault that results from it.
   */
  @ParameterizedTest
  @MethodSource(ENGINES)
  void aFaultThatATaskReadsAndThrowsOutIsToldIfNobodyReadsItThere(EngineOptions options) {
    assertAgain(
        options,
        (context, x) -> {
          context.waitFor(x);
          return Task.DONE;
        });
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void aFaultThatATaskReadsAndReturnsIsToldIfNobodyReadsItThere(EngineOptions options) {
    assertAgain(options, (context, x) -> Objects.requireNonNull(context.await(x, null)));
  }

  private static void assertAgain(
      EngineOptions options, BiFunction<EngineContext, Variable, Object> reading) {
    Trial trial = new Trial(options);
    Variable x = new Variable("x");
    Variable lost = new Variable("lost");
    Variable seen = new Variable("seen");
    try (trial) {
      EngineContext context = trial.context;
      context.push(Step.failing(Uses.writing(x), Fault.value("root")));
      context.push(Step.large(Uses.updating(x), () -> {}));
      Supplier<Object> work = () -> reading.apply(context, x);
      context.push(new Step(Uses.writing(lost), false, work));
      context.push(new Step(Uses.writing(seen), false, work));
      Fault again = Objects.requireNonNull(context.await(seen, null));
      Fault root = Objects.requireNonNull(context.await(x, null));
      assertEquals("root", again.message());
      assertFalse(again.isSameAs(root));
      assertNotEquals(root.origin(), again.origin(), "F6: it arose anew, where it was handed on");
      assertEquals(1, again.reach().skipped());
      assertNull(context.drain(null));
      assertEquals(3, context.faults());
      assertSame(again, context.await(seen, null), "F3");
    }
    assertEquals(List.of("root"), trial.unread.stream().map(Fault::message).toList(), "F10");
  }

  @ParameterizedTest
  @MethodSource(ENGINES)
  void oneReadFaultInThePlaceOfTwoResultsStaysOne(EngineOptions options) {
    Trial trial = new Trial(options);
    try (trial) {
      Variable x = new Variable("x");
      Variable first = new Variable("first");
      Variable second = new Variable("second");
      EngineContext context = trial.context;
      trial.fail(x, "root");
      context.push(
          new Step(
              Uses.writing(first, second),
              false,
              () -> {
                Fault read = Objects.requireNonNull(context.await(x, null));
                return new Object[] {read, read};
              }));
      Fault left = Objects.requireNonNull(context.await(first, null));
      assertSame(left, context.await(second, null));
      assertEquals(2, context.faults());
    }
    assertTrue(trial.unread.isEmpty(), "F10");
  }

  /** F10, F12: each is reported, but only so many faults that nobody can read any more are kept. */
  @Test
  void ofLostFaultsWaitAllTakesAThousandAndAllCountAsReadThen() {
    FaultWatch watch = new FaultWatch("watch");
    AtomicInteger told = new AtomicInteger();
    UnreadFaults unread = new UnreadFaults(watch, fault -> told.incrementAndGet());
    for (int i = 0; i < 1100; i++) {
      unread.add(Fault.value("lost"));
    }
    while (told.get() < 1100) {
      System.gc();
      Thread.onSpinWait();
    }
    watch.close();
    List<Fault> taken = unread.takeAll();
    assertEquals(1024, taken.size());
    assertTrue(taken.stream().allMatch(fault -> fault.reach().isRead()));
    assertEquals(List.of(), unread.takeAll());
  }
}
