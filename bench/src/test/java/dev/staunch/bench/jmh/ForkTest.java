package dev.staunch.bench.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.bench.timed.EngineTasks;
import dev.staunch.bench.timed.FaultLives;
import dev.staunch.bench.timed.ServiceRounds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForkTest {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final JmhBenchmark CREATE = JmhBenchmark.of(FaultLives.class, "create");

  @TempDir Path logs;

  @Test
  void averagesHaveAScoreForEachMeasuredIterationAndALog() throws IOException {
    Scores scores = new Fork(logs, LONG).run(CREATE, Schedule.averages(1, 3, 10)).orElseThrow();

    assertEquals(3, scores.nanos().size());
    assertTrue(scores.best() > 0);
    assertTrue(Files.readString(logs.resolve("faultlives-create.log")).contains("±(99.9%)"));
  }

  @Test
  void shotsAreMeasuredPerInvocationAndTheirEventsAddedUp() {
    JmhBenchmark round = JmhBenchmark.of(ServiceRounds.class, "round");

    Scores scores = new Fork(logs, LONG).run(round, Schedule.shots(2, 3)).orElseThrow();

    assertEquals(2, scores.nanos().size());
    assertEquals(
        Map.of("valid", 300.0, "wrong", 0.0, "mistaken", 0.0, "missed", 0.0), scores.events());
  }

  @Test
  void aForkThatTakesTooLongIsKilledAndItsLogKept() {
    Fork impatient = new Fork(logs, Duration.ofMillis(1));

    assertTrue(impatient.run(CREATE, Schedule.averages(0, 1, 600_000)).isEmpty());
    assertTrue(Files.exists(logs.resolve("failed-faultlives-create.log")));
    assertFalse(Files.exists(logs.resolve("faultlives-create.log")));
  }

  @Test
  void aBenchmarkThatThrowsGivesNoScoresButALogThatSaysWhy() throws IOException {
    JmhBenchmark tasks = JmhBenchmark.of(EngineTasks.class, "runHere").with("workers", -1);

    assertTrue(new Fork(logs, LONG).run(tasks, Schedule.shots(1, 1)).isEmpty());
    assertTrue(
        Files.readString(logs.resolve("failed-enginetasks-runhere-workers--1.log"))
            .contains("EngineOptions"));
  }
}
