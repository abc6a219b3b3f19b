package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.SmallStack;
import dev.staunch.kernel.Sample;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One operation's work on several processors. */
class ProcessorsTest {
  private final Processors processors = new Processors(4, 0);

  @RepeatedTest(50)
  void everyElementBelongsToOnePiece() {
    AtomicIntegerArray seen = new AtomicIntegerArray(1003);
    assertNull(
        processors.run(
            1003,
            7,
            (first, end) -> {
              assertTrue(end - first == 7 || end == 1003);
              for (long i = first; i < end; i++) {
                seen.incrementAndGet((int) i);
              }
              return null;
            }));
    int[] once = new int[1003];
    Arrays.fill(once, 1);
    int[] found = new int[1003];
    Arrays.setAll(found, seen::get);
    assertArrayEquals(once, found);
  }

  /** The first fault ends the work: running all pieces would take minutes. */
  @Test
  void thereMayBeMorePiecesThanAnIntCounts() {
    long range = 5L << 32;
    Fault fault = Fault.value("the second piece");
    assertSame(fault, processors.run(range, 2, (first, end) -> first == 2 ? fault : null));
    Processors.Caller caller = processors.caller();
    assertSame(fault, caller.run(range, 2, (first, end) -> first == 2 ? fault : null));
    caller.leave();
  }

  @Test
  void othersHelpTheCaller() throws InterruptedException {
    CountDownLatch together = new CountDownLatch(4);
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    Fault fault =
        processors.run(
            4,
            1,
            (first, end) -> {
              threads.add(Thread.currentThread());
              return metBy(together);
            });
    assertNull(fault);
    assertEquals(4, threads.size());
    assertTrue(threads.contains(Thread.currentThread()));
  }

  private static Fault met(CountDownLatch latch) {
    try {
      return latch.await(60, TimeUnit.SECONDS) ? null : Fault.value("nobody came");
    } catch (InterruptedException e) {
      return Fault.value("interrupted");
    }
  }

  @Test
  void notMoreAreAtWorkThanThereAreProcessors() {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    assertNull(
        processors.run(
            200,
            1,
            (first, end) -> {
              most.accumulateAndGet(now.incrementAndGet(), Math::max);
              Thread.onSpinWait();
              now.decrementAndGet();
              return null;
            }));
    assertTrue(most.get() <= 4, () -> most + " at once");
  }

  @Test
  void smallWorkStaysWithTheCaller() {
    Thread caller = Thread.currentThread();
    assertNull(
        processors.run(
            5,
            5,
            (first, end) -> caller.equals(Thread.currentThread()) ? null : Fault.value("no")));
  }

  /** F6: whichever piece fails first in time. */
  @RepeatedTest(50)
  void theFirstPieceThatFailsInOrderTellsTheFault() {
    Fault fault =
        processors.run(100, 1, (first, end) -> first >= 10 ? Fault.value("piece " + first) : null);
    assertNotNull(fault);
    assertEquals("piece 10", fault.message());
  }

  @Test
  void whatAPieceThrowsIsAFaultAndNothingGoesOnAfterwards() {
    AtomicInteger running = new AtomicInteger();
    Fault fault =
        processors.run(
            64,
            1,
            (first, end) -> {
              running.incrementAndGet();
              try {
                Thread.onSpinWait();
                throw new IllegalStateException("broken");
              } finally {
                running.decrementAndGet();
              }
            });
    assertNotNull(fault);
    assertTrue(fault.toString().contains("broken"), fault.toString());
    assertEquals(0, running.get());
  }

  @Test
  void anInterruptOfTheCallerStaysAndEndsNoPiece() {
    Thread.currentThread().interrupt();
    AtomicInteger done = new AtomicInteger();
    Fault fault =
        processors.run(
            32,
            1,
            (first, end) -> {
              Thread.onSpinWait();
              done.incrementAndGet();
              return null;
            });
    assertTrue(Thread.interrupted());
    assertFalse(Thread.interrupted());
    assertNull(fault);
    assertEquals(32, done.get());
  }

  @Test
  void aCallerKeepsItsProcessorFromItsFirstWorkUntilItLeaves() {
    Processors two = new Processors(2, 0);
    Processors.Caller absent = two.caller();
    assertNull(absent.run(2, 1, (first, end) -> null));
    assertNull(ofCallingThread(two));
    absent.leave();
    absent.leave();
    CountDownLatch together = new CountDownLatch(2);
    assertNull(two.run(2, 1, (first, end) -> metBy(together)));
  }

  @Test
  void aCallerWithoutSharedWorkTakesNoProcessor() {
    Processors two = new Processors(2, 0);
    assertNull(two.caller().run(5, 5, (first, end) -> null));
    CountDownLatch together = new CountDownLatch(2);
    assertNull(two.run(2, 1, (first, end) -> metBy(together)));
  }

  @Test
  void aCallerThatSharedBeforeHasItsProcessorOnceItComes() {
    Processors two = new Processors(2, 0);
    Processors.Caller absent = two.caller();
    absent.come();
    CountDownLatch together = new CountDownLatch(2);
    assertNull(two.run(2, 1, (first, end) -> metBy(together)), "it had nothing to share yet");
    assertNull(absent.run(2, 1, (first, end) -> null));
    absent.leave();
    absent.come();
    assertNull(ofCallingThread(two));
    absent.leave();
    absent.come();
    CountDownLatch again = new CountDownLatch(2);
    assertNull(two.run(2, 1, (first, end) -> metBy(again)), "it had nothing to share last time");
  }

  /** Two concurrent callers have one processor each, even while one is between two requests. */
  @Test
  void nobodyHelpsForAWhileOnceEachProcessorHadItsCaller() {
    Processors two = new Processors(2, TimeUnit.HOURS.toNanos(1));
    Processors.Caller other = two.caller();
    CountDownLatch alone = new CountDownLatch(2);
    assertNull(other.run(2, 1, (first, end) -> metBy(alone)), "nobody else was there yet");
    assertNull(two.run(2, 1, (first, end) -> null));
    other.leave();
    assertNull(ofCallingThread(two));
  }

  @Test
  void othersHelpAsSoonAsTheOtherCallerHasLeft() {
    Processors two = new Processors(2, 0);
    Processors.Caller other = two.caller();
    assertNull(other.run(2, 1, (first, end) -> null));
    AtomicIntegerArray seen = new AtomicIntegerArray(50);
    CountDownLatch together = new CountDownLatch(2);
    assertNull(
        two.run(
            50,
            7,
            (first, end) -> {
              for (long i = first; i < end; i++) {
                seen.incrementAndGet((int) i);
              }
              if (first == 14) {
                other.leave();
              }
              return first < 42 ? null : metBy(together);
            }));
    int[] once = new int[50];
    Arrays.fill(once, 1);
    int[] found = new int[50];
    Arrays.setAll(found, seen::get);
    assertArrayEquals(once, found);
  }

  /**
   * As if other programs kept the other processors busy: the helper runs on its caller's thread.
   */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aHelperThatRunsInItsCallersPlaceDoesNotLookOut() {
    long forever = TimeUnit.HOURS.toNanos(1);
    AtomicInteger invited = new AtomicInteger();
    Processors two =
        new Processors(
            2,
            0,
            forever,
            helper -> {
              invited.incrementAndGet();
              helper.run();
            });
    AtomicInteger done = new AtomicInteger();
    for (int i = 0; i < 3; i++) {
      assertNull(
          two.run(
              5,
              1,
              (first, end) -> {
                done.incrementAndGet();
                return null;
              }));
    }
    assertEquals(15, done.get());
    assertEquals(3, invited.get(), "a processor was not given back");
  }

  @Test
  void oneCallerAfterAnotherIsNoCrowd() {
    Processors two = new Processors(2, TimeUnit.HOURS.toNanos(1));
    for (int i = 0; i < 100; i++) {
      Processors.Caller caller = two.caller();
      CountDownLatch together = new CountDownLatch(2);
      assertNull(caller.run(2, 1, (first, end) -> metBy(together)));
      caller.leave();
    }
  }

  /** Null if nobody helped. */
  private static Fault ofCallingThread(Processors processors) {
    Thread caller = Thread.currentThread();
    return processors.run(
        200,
        1,
        (first, end) -> {
          LockSupport.parkNanos(20_000);
          return caller.equals(Thread.currentThread()) ? null : Fault.value("helped");
        });
  }

  /** Whether it still looks for work, is about to stop, sleeps, or was never there. */
  @Test
  void aHelperComesHoweverLongAgoTheLastWorkWas() {
    Processors two = new Processors(2, 0);
    Processors.Caller caller = two.caller();
    for (int i = 0; i < 2000; i++) {
      long start = System.nanoTime();
      while (System.nanoTime() - start < i % 100 * 1000L) {
        Thread.onSpinWait();
      }
      CountDownLatch together = new CountDownLatch(2);
      assertNull(caller.run(2, 1, (first, end) -> metBy(together)));
    }
    caller.leave();
  }

  @Test
  void severalCallersAtOnceEachGetTheirOwnWorkDone() throws InterruptedException {
    Processors three = new Processors(3, 0);
    AtomicInteger done = new AtomicInteger();
    Runnable calls =
        () -> {
          Processors.Caller caller = three.caller();
          for (int i = 0; i < 500; i++) {
            AtomicInteger own = new AtomicInteger();
            Fault fault =
                caller.run(
                    7,
                    1,
                    (first, end) -> {
                      own.incrementAndGet();
                      return null;
                    });
            done.addAndGet(fault == null ? own.get() : 0);
            if (i % 10 == 0) {
              caller.leave();
            }
          }
          caller.leave();
        };
    List<Thread> threads =
        IntStream.range(0, 5).mapToObj(i -> Thread.ofPlatform().start(calls)).toList();
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(5 * 500 * 7, done.get());
    CountDownLatch together = new CountDownLatch(3);
    assertNull(three.run(3, 1, (first, end) -> metBy(together)), "a processor was not given back");
  }

  @Test
  void f11AStackThatEndsTakesNoProcessorAlong() throws InterruptedException {
    Processors two = new Processors(2, 0);
    Runnable once = () -> two.run(2, 1, (first, end) -> null);
    Runnable request =
        () -> {
          Processors.Caller caller = two.caller();
          for (int i = 0; i < 2; i++) {
            caller.come();
            caller.run(2, 1, (first, end) -> null);
            caller.leave();
          }
        };
    for (Runnable ask : List.of(once, request)) {
      for (int i = 0; i < 20_000; i++) {
        ask.run(); // frames of compiled code are small
      }
      for (int k = 0; k < (Sample.whole() ? 20 : 6); k++) {
        SmallStack.atTheEnd(400_000 + 8 * k, 200, ask);
      }
    }
    CountDownLatch together = new CountDownLatch(2);
    assertNull(two.run(2, 1, (first, end) -> metBy(together)), "a processor was not given back");
  }

  private static Fault metBy(CountDownLatch latch) {
    latch.countDown();
    return met(latch);
  }
}
