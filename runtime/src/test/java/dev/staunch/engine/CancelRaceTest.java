package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Threads push, cancel, wait and fail over the same variables at once: each task is settled exactly
 * once, runs alone with the variables that it writes, and every write counts, whatever became of it
 * (C2, C3, C4, E1).
 */
class CancelRaceTest {
  private static final int VARIABLES = 6;
  private static final int PUSHERS = 3;
  private static final int TASKS = 400;
  private static final int ROUNDS = 6;
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  static Stream<EngineOptions> engines() {
    return Stream.concat(Engines.all(), Stream.of(EngineOptions.threaded(8)));
  }

  /** A task that records how often it is settled, and whether it is alone. */
  private static final class Witness extends Task {
    final AtomicInteger settled = new AtomicInteger();
    private final int number = NUMBERS.incrementAndGet();
    private final AtomicInteger[] users;
    private final int[] written;
    private final boolean small;
    private final boolean fails;
    volatile boolean ran;
    volatile boolean alone = true;
    volatile Object outcome = "not yet";

    Witness(Uses uses, AtomicInteger[] users, int[] written, boolean small, boolean fails) {
      super(uses);
      this.users = users;
      this.written = written;
      this.small = small;
      this.fails = fails;
    }

    @Override
    protected Object run() {
      ran = true;
      for (int cell : written) {
        alone &= users[cell].incrementAndGet() == 1;
      }
      for (int cell : written) {
        users[cell].decrementAndGet();
      }
      return fails ? Fault.value(planned()) : DONE;
    }

    String planned() {
      return "planned in " + this;
    }

    @Override
    protected String name() {
      return "witness " + number;
    }

    @Override
    protected void settle(Object how) {
      settled.incrementAndGet();
      outcome = how;
    }

    @Override
    protected boolean isSmall() {
      return small;
    }
  }

  /** What the threads of one round share. */
  private static final class Round {
    final Variable[] variables =
        IntStream.range(0, VARIABLES).mapToObj(i -> new Variable()).toArray(Variable[]::new);
    final AtomicInteger[] users =
        IntStream.range(0, VARIABLES)
            .mapToObj(i -> new AtomicInteger())
            .toArray(AtomicInteger[]::new);
    final int[] writes = new int[VARIABLES];

    final Queue<Witness> tasks = new ConcurrentLinkedQueue<>();
    final EngineContext[] contexts;

    Round(Trial trial) {
      contexts = new EngineContext[] {trial.context, trial.engine.open("second")};
    }

    Witness task(Random random, CancelScope scope) {
      int[] cells = random.ints(0, VARIABLES).distinct().limit(1 + random.nextInt(4)).toArray();
      int read = random.nextInt(cells.length);
      int[] written = IntStream.of(cells).skip(read).toArray();
      Uses uses = Uses.reading(pick(IntStream.of(cells).limit(read)));
      uses =
          random.nextInt(3) == 0
              ? uses.andWriting(pick(IntStream.of(written)))
              : uses.andUpdating(pick(IntStream.of(written)));
      Witness task =
          new Witness(uses, users, written, random.nextBoolean(), random.nextInt(20) == 0);
      tasks.add(task);
      return (Witness) task.in(random.nextInt(4) == 0 ? null : scope);
    }

    private Variable[] pick(IntStream cells) {
      return cells.mapToObj(i -> variables[i]).toArray(Variable[]::new);
    }

    /** Pushes tasks, singly or in bulk, in scopes that it cancels, fails or abandons. */
    void push(long seed) {
      Random random = new Random(seed);
      for (int i = 0; i < TASKS; i++) {
        CancelScope scope = scope(random);
        EngineContext context = contexts[random.nextInt(contexts.length)];
        for (int k = 0; k < 4; k++) {
          context.push(task(random, scope));
        }
        if (random.nextInt(4) == 0) {
          try (Bulk bulk = context.bulk()) {
            bulk.push(task(random, scope));
            bulk.push(task(random, scope.child()));
          }
        }
        if (random.nextInt(3) == 0) {
          scope.cancel(CancelReason.USER, "enough");
        }
        if (random.nextInt(8) == 0) {
          contexts[0].await(variables[random.nextInt(VARIABLES)], scope);
        }
      }
    }

    private static CancelScope scope(Random random) {
      return switch (random.nextInt(3)) {
        case 0 -> CancelScope.open();
        case 1 -> CancelScope.open().failFast();
        default -> CancelScope.withDeadline(Duration.ofNanos(random.nextInt(200_000)));
      };
    }

    void check(String seed) {
      for (Witness task : tasks) {
        assertEquals(1, task.settled.get(), () -> task + ", " + seed);
        assertTrue(task.alone, () -> task + ", " + seed);
        assertEquals(
            task.ran,
            Task.DONE.equals(task.outcome) || isPlanned(task),
            () -> task + " " + task.outcome + ", " + seed);
        for (int cell : task.written) {
          writes[cell]++;
        }
      }
      for (int i = 0; i < VARIABLES; i++) {
        assertEquals(writes[i], variables[i].version() - 1, seed); // the last heals it
      }
    }

    private static boolean isPlanned(Witness task) {
      return task.fails
          && task.outcome instanceof Fault fault
          && fault.message().equals(task.planned());
    }
  }

  @ParameterizedTest
  @MethodSource("engines")
  void everyTaskIsSettledOnceAndNobodyIsLeftWaiting(EngineOptions options) {
    for (int i = 0; i < ROUNDS; i++) {
      try (Trial trial = new Trial(options)) {
        Round round = new Round(trial);
        List<Thread> pushers = new ArrayList<>();
        for (int t = 0; t < PUSHERS; t++) {
          long seed = (long) i * PUSHERS + t;
          pushers.add(Thread.ofPlatform().start(() -> round.push(seed)));
        }
        pushers.forEach(Trial::join);
        for (EngineContext context : round.contexts) {
          context.drain(null);
        }
        for (Variable variable : round.variables) {
          trial.context.push(Step.large(Uses.writing(variable), () -> {}));
          trial.context.waitFor(variable);
        }
        round.check("round " + i);
      }
    }
  }
}
