package dev.staunch.data;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.engine.CancelScope;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random programs of next, reset, cancelled next and close run over sources that fail at random
 * places. They give the same results as a plain loop over the same source (D1, D3). With several
 * threads, only the promises that hold for all schedules are checked.
 */
@Timeout(120)
class RandomUseTest {
  private final Trial trial = new Trial();

  @AfterEach
  void nothingLeaks() {
    trial.close();
  }

  /** The behaviour of a source, drawn from a seed: the place of each failure and how it fails. */
  private record Script(int count, int[] failures, boolean[] failingResets) {
    static Script of(Random random) {
      int count = random.nextInt(12);
      int[] failures = new int[count];
      for (int i = 0; i < count; i++) {
        failures[i] = random.nextInt(5) == 0 ? 1 + random.nextInt(3) : 0;
      }
      boolean[] resets = new boolean[40];
      for (int i = 0; i < resets.length; i++) {
        resets[i] = random.nextInt(4) == 0;
      }
      return new Script(count, failures, resets);
    }

    ScriptedSource source(Trial trial) {
      var source = new ScriptedSource(trial, count);
      for (int i = 0; i < count; i++) {
        switch (failures[i]) {
          case 1 -> source.faultAt(i);
          case 2 -> source.at(i, RandomUseTest::fail);
          case 3 -> source.at(i, RandomUseTest::overflow);
          default -> {}
        }
      }
      for (boolean failing : failingResets) {
        source.atReset(() -> failing ? Fault.data("disk", "the reset failed") : null);
      }
      return source;
    }
  }

  private static Item<NumberBatch> fail() {
    throw new IllegalStateException("thrown");
  }

  private static Item<NumberBatch> overflow() {
    throw new StackOverflowError();
  }

  /** The plain model: a place in the script, and the outcome of a next and of a reset there. */
  private static final class Model {
    private final Script script;
    private final long most;
    private int place;
    private int resets;
    private long passed;
    private boolean lost;

    Model(Script script, long most) {
      this.script = script;
      this.most = most;
    }

    Object next() {
      if (lost) {
        return FaultType.DATA_FORMAT;
      }
      while (place < script.count() && script.failures()[place] != 0) {
        if (passed == most) {
          return script.failures()[place] == 1 ? FaultType.DATA_FORMAT : FaultType.INTERNAL;
        }
        passed++;
        place++;
      }
      return place == script.count() ? "end" : Long.valueOf(place++);
    }

    boolean reset() {
      place = 0;
      passed = 0;
      lost = script.failingResets()[resets++];
      return !lost;
    }
  }

  private static Object seen(Item<NumberBatch> item) {
    return switch (item) {
      case Item.Good<NumberBatch>(NumberBatch batch) -> {
        batch.close();
        yield batch.number();
      }
      case Item.Bad<NumberBatch>(Fault fault) -> fault.type();
      case Item.End<NumberBatch> _ -> "end";
    };
  }

  private static boolean reset(Prefetcher<NumberBatch> numbers) {
    try {
      numbers.reset();
      return true;
    } catch (StaunchException e) {
      return false;
    }
  }

  private static void play(Prefetcher<NumberBatch> numbers, Model model, Random random) {
    CancelScope gone = CancelScope.open();
    gone.cancel("gone");
    for (int step = random.nextInt(60), resets = 0; step > 0; step--) {
      switch (random.nextInt(10)) {
        case 0 -> {
          if (resets++ < 40) {
            assertEquals(model.reset(), reset(numbers), "reset " + resets);
          }
        }
        case 1 -> assertEquals(FaultType.CANCELLED, seen(numbers.next(gone)));
        case 2 -> numbers.waitingItems();
        default -> {
          assertEquals(model.next(), seen(numbers.next()));
          assertEquals(model.passed, numbers.skippedFaults());
        }
      }
    }
  }

  @Test
  void randomProgramsDoWhatAPlainLoopDoes() {
    for (long seed = 0; seed < (Boolean.getBoolean("tests.whole") ? 3_000 : 1_000); seed++) {
      Random random = new Random(seed);
      Script script = Script.of(random);
      long most = random.nextInt(3);
      PrefetchOptions options =
          trial.options.withBatches(1 + random.nextInt(4)).withBytes(1 + random.nextInt(300));
      FaultPolicy<NumberBatch> policy =
          most == 0 && random.nextBoolean() ? FaultPolicy.stop() : FaultPolicy.skip(most);
      var numbers = trial.open(script.source(trial), options, policy);
      try {
        play(numbers, new Model(script, most), random);
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
      numbers.close();
      Trial.joinOf(numbers.thread());
    }
    assertEquals(0, trial.memory.account().bytes());
  }

  @Test
  void takersResettersAndACloserOnManyThreadsLoseNothingAndHangNowhere() throws Exception {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      Script script = Script.of(random);
      Prefetcher<NumberBatch> numbers =
          Prefetcher.open(script.source(trial), trial.options.withBatches(2), FaultPolicy.skip(1));
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        int takes = random.nextInt(30);
        threads.add(
            Thread.ofVirtual()
                .start(() -> {
                  for (int take = 0; take < takes; take++) {
                    seen(numbers.next());
                  }
                }));
      }
      int resets = random.nextInt(10);
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                for (int round = 0; round < resets; round++) {
                  reset(numbers);
                }
              }));
      if (random.nextBoolean()) {
        threads.getLast().join();
      }
      numbers.close();
      for (Thread thread : threads) {
        thread.join();
      }
      numbers.thread().join();
      assertEquals(0, trial.memory.account().bytes(), "seed " + seed);
    }
  }
}
