package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Phaser;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What several threads push at once is as if one thread had pushed it all, in an order that keeps
 * each thread's own order (E1, E2). The test derives that order from the turns that the tasks had;
 * a loop then follows it and must arrive at the same numbers.
 */
class SeveralPushersTest {
  private static final int VARIABLES = 100;
  private static final int PUSHERS = 4;
  private static final int EACH = 2_500;

  /**
   * A task, and what it recorded in its turns: how many writes to each cell came before it, and its
   * sum. No two tasks that write one cell commute.
   */
  private static final class Mix {
    final int number;
    final int[] reads;
    final int[] writes;
    final int[] placesOfReads;
    final int[] placesOfWrites;
    long sum;

    Mix(int number, int[] reads, int[] writes) {
      this.number = number;
      this.reads = reads;
      this.writes = writes;
      this.placesOfReads = new int[reads.length];
      this.placesOfWrites = new int[writes.length];
    }

    /** Odd pushers name their cells, and with them their turns, in descending order. */
    static Mix random(int number, boolean falling, Random random) {
      int[] cells = random.ints(0, VARIABLES).distinct().limit(21).sorted().toArray();
      if (falling) {
        cells = IntStream.of(cells).map(cell -> VARIABLES - 1 - cell).toArray();
      }
      int writes = 1 + random.nextInt(2);
      int reads = 2 + random.nextInt(18);
      return new Mix(
          number,
          IntStream.of(cells).skip(writes).limit(reads).toArray(),
          IntStream.of(cells).limit(writes).toArray());
    }

    void run(long[] cells, int[] written) {
      for (int i = 0; i < reads.length; i++) {
        placesOfReads[i] = written[reads[i]];
      }
      sum = sum(cells);
      for (int i = 0; i < writes.length; i++) {
        placesOfWrites[i] = written[writes[i]]++;
      }
      write(cells);
    }

    void runAgain(long[] cells) {
      assertEquals(sum(cells), sum, "task " + number);
      write(cells);
    }

    private long sum(long[] cells) {
      long total = number;
      for (int read : reads) {
        total = 31 * total + cells[read];
      }
      return total;
    }

    private void write(long[] cells) {
      for (int write : writes) {
        cells[write] = 31 * cells[write] + sum;
      }
    }
  }

  /** What came before what, by the recorded turns and by the pushers' own orders. */
  private static final class Order {
    private final List<Mix> tasks;
    private final List<List<Mix>> later = new ArrayList<>();
    private final int[] waitsFor;

    Order(List<List<Mix>> programs) {
      tasks = programs.stream().flatMap(List::stream).toList();
      waitsFor = new int[tasks.size()];
      tasks.forEach(task -> later.add(new ArrayList<>()));
      for (List<Mix> program : programs) {
        for (int i = 1; i < program.size(); i++) {
          add(program.get(i - 1), program.get(i));
        }
      }
      Mix[][] writers = writers();
      for (Mix task : tasks) {
        for (int i = 0; i < task.writes.length; i++) {
          after(writers[task.writes[i]], task.placesOfWrites[i], task);
        }
        for (int i = 0; i < task.reads.length; i++) {
          Mix[] ofCell = writers[task.reads[i]];
          int place = task.placesOfReads[i];
          after(ofCell, place, task);
          if (place < ofCell.length) {
            add(task, ofCell[place]);
          }
        }
      }
    }

    /** The tasks that wrote each cell, in the order of their turns, each at its own position. */
    private Mix[][] writers() {
      int[] counts = new int[VARIABLES];
      tasks.forEach(task -> IntStream.of(task.writes).forEach(cell -> counts[cell]++));
      Mix[][] writers =
          IntStream.of(counts).mapToObj(count -> new Mix[count]).toArray(Mix[][]::new);
      for (Mix task : tasks) {
        for (int i = 0; i < task.writes.length; i++) {
          writers[task.writes[i]][task.placesOfWrites[i]] = task;
        }
      }
      assertFalse(
          Arrays.stream(writers).flatMap(Arrays::stream).anyMatch(Objects::isNull),
          "two writers had one turn");
      return writers;
    }

    private void after(Mix[] writers, int place, Mix task) {
      if (place > 0) {
        add(writers[place - 1], task);
      }
    }

    private void add(Mix first, Mix then) {
      later.get(first.number).add(then);
      waitsFor[then.number]++;
    }

    /** All tasks, each after those that came before it; fewer if there is a cycle. */
    List<Mix> serial() {
      List<Mix> serial = new ArrayList<>();
      ArrayDeque<Mix> ready = new ArrayDeque<>();
      tasks.stream().filter(task -> waitsFor[task.number] == 0).forEach(ready::add);
      while (!ready.isEmpty()) {
        Mix task = ready.remove();
        serial.add(task);
        for (Mix next : later.get(task.number)) {
          if (--waitsFor[next.number] == 0) {
            ready.add(next);
          }
        }
      }
      return serial;
    }
  }

  static Stream<EngineOptions> engines() {
    return SerialEquivalenceTest.engines();
  }

  @ParameterizedTest
  @MethodSource("engines")
  void whatFourThreadsPushIsWhatOneCouldHavePushed(EngineOptions options) throws Exception {
    List<List<Mix>> programs = programs(options.workers());
    long[] cells = new long[VARIABLES];
    int[] written = new int[VARIABLES];
    Variable[] variables =
        IntStream.range(0, VARIABLES)
            .mapToObj(i -> new Variable("cell " + i))
            .toArray(Variable[]::new);
    try (Engine engine = Engine.start(options)) {
      EngineContext context = engine.open("program");
      Phaser start = new Phaser(PUSHERS);
      List<Thread> pushers = new ArrayList<>();
      for (List<Mix> program : programs) {
        pushers.add(
            Thread.ofPlatform()
                .start(() -> {
                  start.arriveAndAwaitAdvance();
                  program.forEach(task -> push(context, task, variables, cells, written));
                }));
      }
      for (Thread pusher : pushers) {
        pusher.join();
      }
      context.waitAll();
    }
    List<Mix> serial = new Order(programs).serial();
    assertEquals(PUSHERS * EACH, serial.size(), "tasks that came before themselves");
    long[] expected = new long[VARIABLES];
    serial.forEach(task -> task.runAgain(expected));
    assertArrayEquals(expected, cells);
    for (int i = 0; i < VARIABLES; i++) {
      assertEquals(written[i], variables[i].version(), "cell " + i);
    }
  }

  private static List<List<Mix>> programs(int seed) {
    Random random = new Random(seed);
    return IntStream.range(0, PUSHERS)
        .mapToObj(pusher ->
            IntStream.range(pusher * EACH, (pusher + 1) * EACH)
                .mapToObj(number -> Mix.random(number, pusher % 2 == 1, random))
                .toList())
        .toList();
  }

  private static void push(
      EngineContext context, Mix task, Variable[] variables, long[] cells, int[] written) {
    Uses uses = Uses.reading(pick(task.reads, variables)).andWriting(pick(task.writes, variables));
    Runnable work = () -> task.run(cells, written);
    context.push(task.number % 3 == 0 ? Step.small(uses, work) : Step.large(uses, work));
  }

  private static Variable[] pick(int[] from, Variable[] variables) {
    return IntStream.of(from).mapToObj(i -> variables[i]).toArray(Variable[]::new);
  }

  @Test
  void turnsThatContradictEachOtherAreFound() {
    Mix one = new Mix(0, new int[] {0}, new int[] {1});
    Mix other = new Mix(1, new int[] {1}, new int[] {0});
    List<List<Mix>> programs = List.of(List.of(one), List.of(other));
    one.placesOfReads[0] = 1;
    assertEquals(List.of(other, one), new Order(programs).serial());

    other.placesOfReads[0] = 1; // each has read what the other wrote
    assertEquals(List.of(), new Order(programs).serial());
  }

  @Test
  void turnsAgainstTheOrderOfAPusherAreFound() {
    Mix first = new Mix(0, new int[0], new int[] {0});
    Mix second = new Mix(1, new int[0], new int[] {0});
    first.placesOfWrites[0] = 1;
    assertEquals(List.of(), new Order(List.of(List.of(first, second))).serial());
  }
}
