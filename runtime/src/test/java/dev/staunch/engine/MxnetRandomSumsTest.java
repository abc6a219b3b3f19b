package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.kernel.Sample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code RandSumExpr} of MXNet's {@code tests/cpp/engine/threaded_engine_test.cc}, from four
 * threads: 5 times 10,000 random sums over 100 cells, each of 2 to 19 reads, one write and 1 to 9
 * microseconds of work. All threads write some of the cells, so that the result depends on the
 * order in which tasks of different threads ran. {@link SerialEquivalenceTest} has more writes, and
 * faults.
 */
class MxnetRandomSumsTest {
  private static final int CELLS = 100;
  private static final int SHARED = 20;
  private static final int THREADS = 4;
  private static final int EACH = (Sample.whole() ? 10_000 : 2_000) / THREADS;

  /** cells[write] = a sum of cells[reads], which reveals order and arguments. */
  private static final class Sum {
    final int thread;
    final int[] reads;
    final int write;
    final int micros;

    /** The position at which this actually ran, taken during its turn at its cells. */
    int place;

    Sum(int thread, Random random) {
      this.thread = thread;
      this.reads =
          random
              .ints(0, SHARED * 2)
              .distinct()
              .limit(2 + random.nextInt(18))
              .map(this::cell)
              .toArray();
      this.write = cell(random.nextInt(SHARED * 2));
      this.micros = 1 + random.nextInt(9);
    }

    /** The first cells belong to everybody, the others to one thread. */
    private int cell(int number) {
      return number < SHARED ? number : SHARED + thread * SHARED + number - SHARED;
    }

    void run(long[] cells) {
      long sum = cells[write] + 1;
      for (int read : reads) {
        sum = sum * 31 + cells[read];
      }
      cells[write] = sum;
    }

    /**
     * As {@link #run}, with the work in between: a task that runs without its turn spoils the sum.
     */
    void runSlowly(long[] cells, AtomicInteger places) {
      place = places.getAndIncrement();
      long[] seen = IntStream.of(reads).mapToLong(read -> cells[read]).toArray();
      long sum = cells[write] + 1;
      long start = System.nanoTime();
      while (System.nanoTime() - start < micros * 1000L) {
        Thread.onSpinWait();
      }
      for (long value : seen) {
        sum = sum * 31 + value;
      }
      cells[write] = sum;
    }

    Step step(Variable[] variables, long[] cells, AtomicInteger places) {
      Variable[] read = IntStream.of(reads).mapToObj(i -> variables[i]).toArray(Variable[]::new);
      Uses uses = Uses.reading(read).andUpdating(variables[write]);
      Runnable work = () -> runSlowly(cells, places);
      return micros % 2 == 0 ? Step.large(uses, work) : Step.small(uses, work);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.staunch.engine.SerialEquivalenceTest#engines")
  void randSumExpr(EngineOptions options) {
    for (int seed = 0; seed < 5; seed++) {
      List<List<Sum>> programs = programs(seed);
      long[] cells = new long[CELLS];
      try (Trial trial = new Trial(options)) {
        run(trial.context, programs, cells);
      }
      List<Sum> asRun =
          programs.stream()
              .flatMap(List::stream)
              .sorted(Comparator.comparingInt(sum -> sum.place))
              .toList();
      long[] expected = new long[CELLS];
      asRun.forEach(sum -> sum.run(expected));
      assertArrayEquals(expected, cells, "E1: one after the other, seed " + seed);
      programs.forEach(MxnetRandomSumsTest::assertInOrder);
    }
  }

  private static List<List<Sum>> programs(int seed) {
    return IntStream.range(0, THREADS)
        .mapToObj(thread -> {
          Random random = new Random(seed * 10L + thread);
          return Stream.generate(() -> new Sum(thread, random)).limit(EACH).toList();
        })
        .toList();
  }

  private static void run(EngineContext context, List<List<Sum>> programs, long[] cells) {
    Variable[] variables =
        IntStream.range(0, CELLS).mapToObj(i -> new Variable()).toArray(Variable[]::new);
    AtomicInteger places = new AtomicInteger();
    List<Thread> pushers = new ArrayList<>();
    for (List<Sum> program : programs) {
      pushers.add(
          Thread.ofPlatform()
              .start(
                  () -> program.forEach(sum -> context.push(sum.step(variables, cells, places)))));
    }
    pushers.forEach(Trial::join);
    context.waitAll();
  }

  /** Each of one thread's sums ran after those earlier ones that could affect it. */
  private static void assertInOrder(List<Sum> program) {
    int[] written = new int[CELLS];
    int[] used = new int[CELLS];
    Arrays.fill(written, -1);
    Arrays.fill(used, -1);
    for (Sum sum : program) {
      for (int read : sum.reads) {
        assertTrue(sum.place > written[read], "E1: a read before the write that it follows");
        used[read] = Math.max(used[read], sum.place);
      }
      assertTrue(sum.place >= used[sum.write], "E1: a write before a use that it follows");
      written[sum.write] = sum.place;
      used[sum.write] = sum.place;
    }
  }
}
