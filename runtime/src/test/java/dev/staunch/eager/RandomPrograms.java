package dev.staunch.eager;

import dev.staunch.engine.Engine;
import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Message;
import dev.staunch.memory.OffHeap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Writes programs and runs each on several engines, which it keeps; shrinks programs that fail.
 * Used by one thread.
 */
final class RandomPrograms implements AutoCloseable {
  /** Enough that nothing is ever refused. */
  private static final long BUDGET = 1L << 30;

  /** A program that needs more than this alone would need too much together with others. */
  private static final long MOST_OF_A_PROGRAM = BUDGET >> 4;

  private static final int ENGINES_FOR_EACH = 3;
  private static final int CLIENTS = 3;

  /** How often a program runs before it counts as not failing, because timing may decide. */
  private static final int RETRIES = 20;

  /**
   * How long to try leaving out steps of a program that failed; some failures take long to show.
   */
  private static final Duration SHRINKING = Duration.ofSeconds(45);

  /** A program that failed, on which engine, and how. */
  record Failure(Program program, String engine, Throwable why) {
    String text() {
      String how = why.getMessage() == null ? why.toString() : why.getMessage();
      String small = "on %s: %s\n%d steps are enough, of seed %d (-Drandom.seed=%d):\n%s";
      return Message.of(
          small, engine, how, program.size(), program.seed(), program.seed(), program.text());
    }
  }

  private final OffHeap programs = OffHeap.withBudget(MOST_OF_A_PROGRAM);
  private final OffHeap memory = OffHeap.withBudget(BUDGET);
  private final ExecutorService others =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("another-", 0).factory());
  private final Map<String, Long> runs = new TreeMap<>();
  private final List<EngineOptions> options;
  private final List<Engine> engines;
  private final Set<ProgramWriter.Habit> habits;

  /** When to stop shrinking. */
  private long enough;

  RandomPrograms(Set<ProgramWriter.Habit> habits, List<EngineOptions> options) {
    this.habits = habits;
    this.options = options;
    this.engines =
        options.stream()
            .map(each -> Engine.start(each.withUnreadFaults(fault -> {}).withName("random")))
            .toList();
  }

  /** Engines of every kind. */
  static List<EngineOptions> everyEngine() {
    return List.of(
        EngineOptions.serial(),
        EngineOptions.threaded(1),
        EngineOptions.threaded(2),
        EngineOptions.threaded(4),
        EngineOptions.threaded(8),
        EngineOptions.seeded(1, 2),
        EngineOptions.seeded(2, 4));
  }

  /** How many programs have run, by engine. */
  Map<String, Long> runs() {
    return runs;
  }

  private static String name(EngineOptions engine) {
    String plain = engine.mode() + " " + engine.workers();
    return engine.mode() == EngineOptions.Mode.SEEDED ? plain + " of seed " + engine.seed() : plain;
  }

  /**
   * Runs the program of {@code seed} on some of the engines; returns the first failure, or null.
   */
  @Nullable Failure run(long seed) {
    Program program;
    try {
      program = ProgramWriter.write(seed, habits, programs);
    } catch (AssertionError e) {
      return unwritten(seed, e);
    }
    for (int i = 0; i < Math.min(ENGINES_FOR_EACH, engines.size()); i++) {
      int engine = (int) Math.floorMod(seed + i, (long) engines.size());
      runs.merge(name(options.get(engine)), 1L, Long::sum);
      Throwable why = failure(program, engine);
      if (why != null) {
        return smaller(new Failure(program, name(options.get(engine)), why), engine);
      }
    }
    return null;
  }

  private static Failure unwritten(long seed, AssertionError why) {
    return new Failure(new Program(seed, 0, false, List.of()), "no engine", why);
  }

  private @Nullable Throwable failure(Program program, int engine) {
    try {
      ProgramRun.alone(program, memory, engines.get(engine), others);
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  /** Runs the programs of some seeds at once in one context; returns the first failure, or null. */
  @Nullable Failure runTogether(long seed) {
    List<Program> each = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      try {
        each.add(ProgramWriter.write(seed * CLIENTS + i, habits, programs));
      } catch (AssertionError e) {
        return unwritten(seed, e);
      }
    }
    int engine = (int) Math.floorMod(seed, (long) engines.size());
    String name = CLIENTS + " at once on " + name(options.get(engine));
    runs.merge(name, (long) CLIENTS, Long::sum);
    ContextOptions context =
        ContextOptions.standard().withLargeElements(each.getFirst().largeElements());
    try (Context shared = Context.open(memory, context, engines.get(engine))) {
      List<Tensor> tensors =
          Programs.SHARED.stream().map(spec -> shared.make(spec::build)).toList();
      List<Future<?>> clients = new ArrayList<>();
      for (Program program : each) {
        clients.add(
            others.submit(() -> ProgramRun.among(program, memory, shared, tensors, others)));
      }
      Failure failure = first(each, clients, name);
      tensors.forEach(Tensor::close);
      shared.engineContext().awaitPushed();
      if (failure == null && shared.bytes() != 0) {
        Throwable why = new AssertionError("at the end " + shared.bytes() + " bytes are held");
        return new Failure(each.getFirst(), name, why);
      }
      return failure;
    }
  }

  private static @Nullable Failure first(
      List<Program> programs, List<Future<?>> clients, String name) {
    Failure failure = null;
    for (int i = 0; i < clients.size(); i++) {
      try {
        clients.get(i).get();
      } catch (ExecutionException e) {
        failure = failure == null ? new Failure(programs.get(i), name, e.getCause()) : failure;
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    return failure;
  }

  /** Leaves out steps that the failure does not need. */
  private Failure smaller(Failure failure, int engine) {
    enough = System.nanoTime() + SHRINKING.toNanos();
    Failure best = failure;
    int before;
    do {
      before = best.program().size();
      for (int size = Math.max(1, before / 2); size >= 1; size /= 2) {
        best = without(best, size, engine);
      }
    } while (best.program().size() < before && System.nanoTime() - enough < 0);
    return best;
  }

  /** Leaves out runs of {@code size} steps. */
  private Failure without(Failure failure, int size, int engine) {
    Failure best = failure;
    int at = 0;
    while (at < best.program().size() && System.nanoTime() - enough < 0) {
      int[] number = {0};
      List<Step> steps = without(best.program().steps(), at, at + size, number);
      Program less = best.program().of(steps, programs);
      boolean isLess = less.size() < best.program().size();
      Throwable why = isLess ? failsAgain(less, engine) : null;
      if (why == null) {
        at += size;
      } else {
        best = new Failure(less, best.engine(), why);
      }
    }
    return best;
  }

  private @Nullable Throwable failsAgain(Program program, int engine) {
    Throwable why = null;
    for (int i = 0; i < RETRIES && why == null; i++) {
      why = failure(program, engine);
    }
    return why;
  }

  private static List<Step> without(List<Step> steps, int from, int to, int[] number) {
    List<Step> less = new ArrayList<>();
    for (Step step : steps) {
      boolean out = from <= number[0] && number[0] < to;
      number[0]++;
      if (step instanceof Step.Block block) {
        List<Step> body = without(block.steps(), from, to, number);
        less.addAll(out ? body : List.of(block.with(body)));
      } else if (!out) {
        less.add(step);
      }
    }
    return less;
  }

  /**
   * Closes the engines and returns a description of what is left after that; null if nothing is.
   */
  @Nullable String leftovers() {
    boolean quiet = true;
    for (Engine engine : engines) {
      quiet &= engine.close(Duration.ofSeconds(10));
    }
    long bytes = memory.account().bytes() + programs.account().bytes();
    return quiet && bytes == 0
        ? null
        : bytes + " bytes are held" + (quiet ? "" : " and a task is still running");
  }

  @Override
  public void close() {
    engines.forEach(Engine::close);
    others.shutdownNow();
  }
}
