package dev.staunch.vector;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Pixels at an edge of an image, including those beyond it: 4 x 4 are read, and 2 x 2 are written.
 * Channels are a whole number of vectors.
 */
final class FloatWinogradPatch {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private FloatWinogradPatch() {}

  /**
   * Copies the pixels that start at a row and a column; either may be outside, where pixels are
   * zeros.
   */
  static void read(PixelImages image, int number, int row, int column, MemorySegment patch) {
    int channels = image.channels();
    for (int i = 0; i < 16; i++) {
      int y = row + i / 4;
      int x = column + i % 4;
      long to = i * (long) channels;
      if (y >= 0 && y < image.rows() && x >= 0 && x < image.columns()) {
        long at = image.at(number, y) + x * (long) channels;
        copy(image.segment(), at, patch, to, channels);
      } else {
        FloatTurning.zero(patch, to, channels);
      }
    }
  }

  /** Copies the pixels that are inside. */
  static void write(MemorySegment patch, PixelImages image, int number, int row, int column) {
    int channels = image.channels();
    for (int i = 0; i < 4; i++) {
      int y = row + i / 2;
      int x = column + i % 2;
      if (y < image.rows() && x < image.columns()) {
        long to = image.at(number, y) + x * (long) channels;
        copy(patch, i * (long) channels, image.segment(), to, channels);
      }
    }
  }

  private static void copy(MemorySegment from, long at, MemorySegment into, long to, int count) {
    NativeSegments.require(from, into);
    for (int i = 0; i < count; i += LANES) {
      FloatVector.fromMemorySegment(SPECIES, from, (at + i) * Float.BYTES, ORDER)
          .intoMemorySegment(into, (to + i) * Float.BYTES, ORDER);
    }
  }
}
