package dev.staunch.bench.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RooflineTest {
  private static final Map<String, Double> FIGURES =
      Map.of("peak", 100.0, "read 8", 200.0, "read 16", 50.0, "64x64x64", 70.0);

  private final Roofline roofline = Roofline.of(FIGURES);

  @Test
  void theSlowerOfTheTwoBounds() {
    assertEquals(10, roofline.nanos(1000, 100));
    assertEquals(40, roofline.nanos(1000, 8000));
  }

  @Test
  void bytesAreReadFromTheCacheThatHoldsAllOfThem() {
    assertEquals(8192 / 200.0, roofline.nanos(0, 8192));
    assertEquals(8193 / 50.0, roofline.nanos(0, 8193));
    assertEquals(1e6 / 50, roofline.nanos(0, 1e6));
  }

  @Test
  void theTextIsReadBack() {
    assertEquals(roofline, Roofline.parse(roofline.toString()));
  }

  @Test
  void nothingMeasuredBoundsNothing() {
    Roofline none = Roofline.of(Map.of());
    assertTrue(Double.isNaN(none.nanos(1000, 8)));
    assertTrue(Double.isNaN(Roofline.parse(none.toString()).nanos(1000, 8)));
  }
}
