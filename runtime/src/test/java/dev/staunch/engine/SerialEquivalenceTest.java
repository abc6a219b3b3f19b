package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.fault.Fault;
import dev.staunch.fault.ProgramPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random programs give on every engine what they give one step at a time, bit for bit (E1, E2, E9):
 * MXNet's RandSumExpr with more writes, several pushing threads and faults.
 */
class SerialEquivalenceTest {
  private static final int VARIABLES = 100;
  private static final int TASKS = 10_000;

  /** One step: cells[writes] = mix(cells[reads]), or a fault. */
  record Operation(int[] reads, int[] writes, boolean fails) {
    static Operation random(Random random) {
      int[] cells = random.ints(0, VARIABLES).distinct().limit(21).toArray();
      int reads = 2 + random.nextInt(18);
      int writes = 1 + random.nextInt(2);
      return new Operation(
          IntStream.of(cells).limit(reads).toArray(),
          IntStream.of(cells).skip(random.nextInt(reads + 1)).limit(writes).toArray(),
          random.nextInt(500) == 0);
    }

    Object apply(long[] cells, int number) {
      long sum = number;
      for (int read : reads) {
        sum = sum * 31 + cells[read];
      }
      if (fails) {
        return Fault.value("operation " + number + " fails");
      }
      for (int write : writes) {
        cells[write] = sum++;
      }
      return Task.DONE;
    }
  }

  static Stream<EngineOptions> engines() {
    return Stream.concat(
        Stream.of(EngineOptions.serial(), EngineOptions.seeded(1, 4), EngineOptions.seeded(2, 8)),
        IntStream.rangeClosed(1, 8).mapToObj(EngineOptions::threaded));
  }

  @ParameterizedTest
  @MethodSource("engines")
  void aRandomProgramGivesWhatItGivesSerially(EngineOptions options) {
    for (int seed = 0; seed < 3; seed++) {
      List<Operation> program = program(seed);
      long[] expected = new long[VARIABLES];
      String[] expectedFaults = runSerially(program, expected);
      long[] cells = new long[VARIABLES];
      try (Engine engine = Engine.start(options.withUnreadFaults(fault -> {}))) {
        EngineContext context = engine.open("program");
        Variable[] variables = variables();
        Random small = new Random(seed);
        for (int i = 0; i < program.size(); i++) {
          int number = i;
          Operation operation = program.get(i);
          context.push(
              new Step(
                  uses(operation, variables),
                  small.nextBoolean(),
                  () -> operation.apply(cells, number)));
        }
        String[] faults = new String[VARIABLES];
        for (int i = 0; i < VARIABLES; i++) {
          var fault = context.await(variables[i], null);
          faults[i] = fault == null ? null : fault.message() + fault.suppressed();
        }
        assertArrayEquals(expectedFaults, faults, "seed " + seed);
        for (int i = 0; i < VARIABLES; i++) {
          if (faults[i] == null) {
            assertEquals(expected[i], cells[i], "cell " + i + ", seed " + seed);
          }
        }
      }
    }
  }

  private static List<Operation> program(int seed) {
    Random random = new Random(seed);
    return Stream.generate(() -> Operation.random(random)).limit(TASKS).toList();
  }

  private static Variable[] variables() {
    return IntStream.range(0, VARIABLES)
        .mapToObj(i -> new Variable("cell " + i))
        .toArray(Variable[]::new);
  }

  private static Uses uses(Operation operation, Variable[] variables) {
    return Uses.reading(pick(operation.reads(), variables))
        .andWriting(pick(operation.writes(), variables));
  }

  private static Variable[] pick(int[] from, Variable[] variables) {
    return IntStream.of(from).mapToObj(i -> variables[i]).toArray(Variable[]::new);
  }

  /** The model: a loop, an array of cells and an array of faults. */
  private static String[] runSerially(List<Operation> program, long[] cells) {
    Fault[] faults = new Fault[VARIABLES];
    for (int i = 0; i < program.size(); i++) {
      Operation operation = program.get(i);
      Fault incoming = null;
      for (int read : operation.reads()) {
        if (faults[read] != null) {
          incoming = incoming == null ? faults[read] : incoming.merge(faults[read]);
        }
      }
      Object outcome = incoming == null ? operation.apply(cells, i) : incoming;
      for (int write : operation.writes()) {
        faults[write] =
            outcome instanceof Fault fault
                ? fault.origin() == null ? fault.withOrigin(ProgramPoint.of(1, i)) : fault
                : null;
      }
    }
    return Stream.of(faults)
        .map(fault -> fault == null ? null : fault.message() + fault.suppressed())
        .toArray(String[]::new);
  }

  @ParameterizedTest
  @MethodSource("engines")
  void threadsThatPushInOppositeOrdersNeitherDeadlockNorLoseAWrite(EngineOptions options)
      throws InterruptedException {
    int threads = 4;
    int each = 2_000;
    long[] cells = new long[VARIABLES];
    try (Engine engine = Engine.start(options)) {
      EngineContext context = engine.open("program");
      Variable[] variables = variables();
      List<Thread> pushers = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int number = t;
        pushers.add(
            Thread.ofPlatform()
                .start(() -> pushBackAndForth(context, variables, cells, number, each)));
      }
      for (Thread pusher : pushers) {
        pusher.join();
      }
      context.waitAll();
      for (int i = 0; i < VARIABLES; i++) {
        assertEquals((long) threads * each * 4 / VARIABLES, cells[i], "cell " + i);
        assertEquals((long) threads * each * 4 / VARIABLES, variables[i].version());
      }
    }
  }

  private static void pushBackAndForth(
      EngineContext context, Variable[] variables, long[] cells, int thread, int count) {
    for (int i = 0; i < count; i++) {
      int[] own = new int[4];
      for (int k = 0; k < 4; k++) {
        int at = (i * 4 + k) % VARIABLES;
        own[thread % 2 == 0 ? k : 3 - k] = thread % 2 == 0 ? at : VARIABLES - 1 - at;
      }
      Runnable work = () -> IntStream.of(own).forEach(cell -> cells[cell]++);
      Uses uses = Uses.updating(pick(own, variables));
      context.push(i % 3 == 0 ? Step.small(uses, work) : Step.large(uses, work));
    }
  }
}
