package dev.staunch.bench.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FiguresTest {
  private final Figures figures =
      new Figures().after("right", ": right").before("rate", "requests/s").flag("ended", "ends");

  @Test
  void numbersAreFoundBehindAndBeforeTheirWords() {
    assertFalse(figures.complete(List.of("valid requests 10000: right 7527, others 3")));
    assertFalse(figures.complete(List.of("39431 requests/s")));
    assertTrue(figures.complete(List.of("main ends")));
    assertEquals(Map.of("right", 7527.0, "rate", 39431.0, "ended", 1.0), figures.found());
  }

  @Test
  void whatAProgramDidNotPrintIsMissing() {
    figures.complete(List.of("double free or corruption"));

    assertEquals(Map.of(), figures.found());
  }
}
