package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jdk.incubator.vector.FloatVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Checks that tests use vectors of the given width where it is set (profile {@code widths}). */
@EnabledIfSystemProperty(named = "vector.bits", matches = "\\d+")
class VectorWidthTest {
  @Test
  void vectorsAreAsWideAsTheProfileSays() {
    assertEquals(Integer.getInteger("vector.bits"), FloatVector.SPECIES_PREFERRED.vectorBitSize());
  }
}
