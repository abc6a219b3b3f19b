package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.fail;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.ThrowingSupplier;

/**
 * Random programs of all operations, in all layouts, with sizes on both sides of every threshold,
 * and with scopes that are closed, cancelled, interrupted and late under running work, checked by
 * an {@link Oracle} and a {@link Bystander} (E1, E5, E6, F1 to F6, C2 to C4, M1, M2, M4).
 *
 * <p>{@code -Drandom.programs} sets how many programs run, {@code -Drandom.seed} the first seed;
 * {@code target/random-programs-*.txt} tells how many have run on which engine.
 */
class RandomProgramsTest {
  private static final long PROGRAMS = Long.getLong("random.programs", 2_400);
  private static final long SEED = Long.getLong("random.seed", 1);

  /** Programs that are written and run well within {@link #HANGS}. */
  private static final int AT_A_TIME = 500;

  private static final Duration HANGS = Duration.ofMinutes(10);

  private static Set<ProgramWriter.Habit> all() {
    return EnumSet.complementOf(EnumSet.of(ProgramWriter.Habit.SHARED));
  }

  @Test
  void aProgramGivesWhatItsOperationsGiveAlone() throws IOException {
    try (RandomPrograms programs = new RandomPrograms(all(), RandomPrograms.everyEngine())) {
      run("small", PROGRAMS * 3 / 4, programs, programs::run);
    }
  }

  @Test
  void aProgramOfLargeTensorsDoesToo() throws IOException {
    Set<ProgramWriter.Habit> habits = all();
    habits.remove(ProgramWriter.Habit.SMALL);
    try (RandomPrograms programs = new RandomPrograms(habits, RandomPrograms.everyEngine())) {
      run("large", PROGRAMS / 20, programs, programs::run);
    }
  }

  @Test
  void programsAtOnceInOneContextDoToo() throws IOException {
    Set<ProgramWriter.Habit> habits = all();
    habits.remove(ProgramWriter.Habit.DRAWS); // the programs would have to order their draws
    habits.add(ProgramWriter.Habit.SHARED);
    List<EngineOptions> engines = RandomPrograms.everyEngine().subList(1, 5);
    try (RandomPrograms programs = new RandomPrograms(habits, engines)) {
      run("together", PROGRAMS / 8, programs, programs::runTogether);
    }
  }

  private void run(
      String kind,
      long count,
      RandomPrograms programs,
      LongFunction<RandomPrograms.@Nullable Failure> one)
      throws IOException {
    long seed = SEED;
    while (runs(programs) < count) {
      long first = seed;
      ThrowingSupplier<Long> some =
          () -> {
            long at = first;
            while (at < first + AT_A_TIME && runs(programs) < count) {
              RandomPrograms.Failure failure = one.apply(at++);
              if (failure != null) {
                fail(failure.text(), failure.why());
              }
            }
            return at;
          };
      seed = assertTimeoutPreemptively(HANGS, some, () -> "a program of seeds from " + first);
      write(kind, seed - SEED, programs.runs());
    }
    assertNull(programs.leftovers());
  }

  private static long runs(RandomPrograms programs) {
    return programs.runs().values().stream().mapToLong(each -> each).sum();
  }

  private static void write(String kind, long distinct, Map<String, Long> runs) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append(Message.of("%s: %d programs of seeds from %d\n", kind, distinct, SEED));
    new TreeMap<>(runs)
        .forEach((engine, times) -> text.append(Message.of("  %s: %d\n", engine, times)));
    Files.createDirectories(Path.of("target"));
    Files.writeString(Path.of("target/random-programs-" + kind + ".txt"), text);
  }
}
