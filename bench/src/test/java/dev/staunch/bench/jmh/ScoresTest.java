package dev.staunch.bench.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScoresTest {
  private final Scores scores = new Scores(List.of(9.0, 1.0, 2.0, 4.0), 0.5, Map.of());

  @Test
  void theBestIsTheLeastTime() {
    assertEquals(1.0, scores.best());
    assertEquals(2.0, scores.best(2, 4));
    assertEquals(4.0, scores.mean());
  }

  @Test
  void theFirstIsNotAmongTheWorst() {
    assertEquals(9.0, scores.first());
    assertEquals(4.0, scores.last());
    assertEquals(4.0, scores.worstAfterFirst());
  }
}
