package dev.staunch.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SamplesTest {
  private final Samples samples = new Samples();

  @Test
  void theMedianOfAnOddNumberOfRoundsIsTheMiddleOne() {
    samples.add(Map.of("x", 9.0));
    samples.add(Map.of("x", 1.0));
    samples.add(Map.of("x", 2.0));

    assertEquals(2.0, samples.median("x"));
    assertEquals(12.0, samples.sum("x"));
    assertEquals(9.0, samples.max("x"));
  }

  @Test
  void theMedianOfAnEvenNumberOfRoundsLiesBetweenTheTwoInTheMiddle() {
    samples.add(Map.of("x", 1.0));
    samples.add(Map.of("x", 2.0));

    assertEquals(1.5, samples.median("x"));
  }

  @Test
  void eachFiguresMedianIsOfTheRoundsThatGaveIt() {
    samples.add(Map.of("x", 1.0));
    samples.add(Map.of("x", 3.0, "y", 7.0));

    assertEquals(Map.of("x", 2.0, "y", 7.0), samples.medians());
  }

  @Test
  void theMeanOfARowIsTheMedianOfItsRoundsWithTheLargestError() {
    assertEquals("", samples.meanText("x"));

    samples.addMean("x", 9, 0.5);
    samples.addMean("x", 1, 0.25);
    samples.addMean("x", 2, 0.25);

    assertEquals(" (mean 2 +-0.50)", samples.meanText("x"));
    assertFalse(samples.has("x"));
  }

  @Test
  void aFigureThatNoRoundGaveIsNotANumber() {
    samples.add(Map.of());

    assertFalse(samples.has("x"));
    assertEquals(Double.NaN, samples.median("x"));
    assertEquals(Double.NaN, samples.max("x"));
    assertEquals(0.0, samples.sum("x"));
  }
}
