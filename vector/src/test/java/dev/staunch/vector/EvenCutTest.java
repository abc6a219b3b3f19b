package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Cuts work into parts that take equally long. */
class EvenCutTest {
  @Test
  void noPartIsMoreThanAStepLargerThanAnother() {
    for (int all = 1; all < 120; all++) {
      for (int step = 1; step < 9; step++) {
        for (int size = step; size <= all + step; size += step) {
          EvenCut cut = EvenCut.of(all, step, size);
          int largest = 0;
          int smallest = Integer.MAX_VALUE;
          for (int part = 0; part < cut.count(); part++) {
            assertEquals(0, cut.begin(part) % step);
            int steps = Math.ceilDiv(cut.begin(part + 1) - cut.begin(part), step);
            largest = Math.max(largest, steps);
            smallest = Math.min(smallest, steps);
          }
          String shown = cut.toString();
          assertEquals(0, cut.begin(0), shown);
          assertEquals(all, cut.begin(cut.count()), shown);
          assertTrue(smallest >= 1 && largest <= smallest + 1, shown);
          assertTrue(largest * step <= size, shown);
        }
      }
    }
  }

  /** A convolution of ResNet-50: with parts of 252 rows, 28 would be left over. */
  @Test
  void aSmallRestIsSpreadOverAllParts() {
    EvenCut cut = EvenCut.of(784, 12, 252);
    assertEquals(
        "[0, 204, 396, 600, 784]",
        IntStream.rangeClosed(0, 4).mapToObj(cut::begin).toList().toString());
  }

  @Test
  void severalPartsAreAsManyForEachOfTwoThreads() {
    assertEquals(1, EvenCut.of(96, 24, 96).count());
    assertEquals(2, EvenCut.of(97, 24, 96).count());
    assertEquals(4, EvenCut.of(256, 24, 96).count());
    assertEquals(3, EvenCut.of(3, 1, 1).count(), "there are no more steps");
  }

  @Test
  void partsOfManyRowsAreCountedInLongs() {
    EvenCut cut = EvenCut.of(Integer.MAX_VALUE, 12, 240);
    int half = cut.count() / 2;
    assertEquals(Integer.MAX_VALUE, cut.begin(cut.count()));
    assertEquals(0, cut.begin(half) % 12);
    assertEquals(240, cut.begin(half + 1) - cut.begin(half), 12);
  }
}
