package dev.staunch.bench.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.bench.timed.EngineTasks;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class JmhBenchmarkTest {
  private final JmhBenchmark handOver =
      JmhBenchmark.of(EngineTasks.class, "handOver").with("workers", 4);

  @Test
  void theLabelTellsBenchmarksWithOtherParametersApart() {
    assertEquals("enginetasks-handover-workers-4", handOver.label());
  }

  @Test
  void thePatternFindsNoMethodWhoseNameOnlyBeginsTheSame() {
    Pattern pattern = Pattern.compile(handOver.pattern());

    assertTrue(pattern.matcher("dev.staunch.bench.timed.EngineTasks.handOver").find());
    assertFalse(pattern.matcher("dev.staunch.bench.timed.EngineTasks.handOverAndWait").find());
  }
}
