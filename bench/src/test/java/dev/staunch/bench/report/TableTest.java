package dev.staunch.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
  private final Table table = new Table();

  @Test
  void columnsAreAlignedAndGoalsCounted() {
    table.add(Comparison.speed(12, 0.25, "M/s").atLeast("additions", 10));
    table.add(Comparison.time(20, 9, "us").atLeast("waits", 6));

    assertEquals(
        List.of(
            "name      | ours   | peer     | ratio | goal   | ok",
            "additions | 12 M/s | 0.25 M/s | 48x   | >= 10x | ok",
            "waits     | 20 us  | 9 us     | 0.45x | >= 6x  | short",
            "1 ok, 1 short"),
        table.lines());
    assertFalse(table.hasFailures());
  }

  @Test
  void nineTenthsOfWhatBoundsAFigureReachItsGoal() {
    assertEquals(Verdict.OK, besidePeer(0.9).verdict());
    assertEquals(Verdict.SHORT, besidePeer(0.89).verdict());
    assertEquals(Verdict.SHORT, besidePeer(Double.NaN).verdict());
    Row alone = Comparison.speed(8, Double.NaN, "GFLOP/s").atLeast("64x64x64", 0.95, 1);
    assertEquals(Verdict.OPEN, alone.verdict());
  }

  private static Row besidePeer(double share) {
    return Comparison.speed(8, 10, "GFLOP/s").atLeast("64x64x64", 0.95, share);
  }

  @Test
  void aRowThatNeedsAnAbsentPeerIsLeftOpen() {
    table.add(Comparison.speed(12, Double.NaN, "M/s").atLeast("additions", 10));

    assertEquals(
        List.of(
            "name      | ours   | peer | ratio | goal   | ok",
            "additions | 12 M/s | -    | -     | >= 10x | -",
            "1 could not be judged without the peer",
            "0 ok, 0 short"),
        table.lines());
  }

  @Test
  void aRowThatCouldNotBeMeasuredIsAFailure() {
    table.add(Comparison.speed(Double.NaN, 1, "M/s").atLeast("additions", 10));

    assertTrue(table.hasFailures());
    assertTrue(table.lines().contains("1 could not be measured"));
  }

  @Test
  void aFigureThatSaysTooLittleIsNeitherReachedNorMissed() {
    table.add(Comparison.time(20, 9, "us").row("waits", "< 30 us", Verdict.UNSURE));

    assertTrue(table.lines().get(1).endsWith("| not judged"));
    assertEquals(
        List.of("1 not judged, for the noise was too large", "0 ok, 0 short"),
        table.lines().subList(2, 4));
    assertFalse(table.hasFailures());
  }

  @Test
  void aRowWithoutAGoalIsNotCounted() {
    table.add(Comparison.time(20, 9, "us").info("waits"));

    assertEquals("0 ok, 0 short", table.lines().getLast());
  }
}
