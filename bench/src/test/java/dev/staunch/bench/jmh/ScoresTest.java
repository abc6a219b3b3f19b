package dev.staunch.bench.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScoresTest {
  private final Scores scores = new Scores(List.of(9.0, 1.0, 2.0, 4.0), Map.of("missed", 1.0));

  @Test
  void iterationsKeepTheirOrder() {
    assertEquals(9.0, scores.first());
    assertEquals(List.of(1.0, 2.0), scores.between(1, 3).nanos());
  }

  @Test
  void theBestIsTheLeastTime() {
    assertEquals(1.0, scores.best());
    assertEquals(9.0, scores.worst());
    assertEquals(4.0, scores.mean());
  }
}
