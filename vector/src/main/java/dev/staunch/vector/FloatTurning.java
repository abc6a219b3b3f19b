package dev.staunch.vector;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Transposes images from planes, one per channel, to pixels with contiguous channels, and back.
 * Positions count elements.
 */
final class FloatTurning {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final ValueLayout.OfFloat ELEMENT = ValueLayout.JAVA_FLOAT;

  /** The number of pixels, and of channels, that are transposed at once. */
  static final int LANES = SPECIES.length();

  private FloatTurning() {}

  /**
   * Transposes some pixels of an image.
   *
   * @param planes a row for each channel; the columns are pixels, with a stride of 1
   * @param to the position of the image's first pixel
   */
  static void pixels(Matrix planes, int first, int end, int channels, MemorySegment into, long to) {
    if (channels % LANES == 0) {
      pixelsInVectors(planes, first, end, channels, into, to);
    } else {
      pixelsOneByOne(planes, first, end, channels, into, to);
    }
  }

  private static void pixelsInVectors(
      Matrix planes, int first, int end, int channels, MemorySegment into, long to) {
    float[] square = new float[LANES * LANES];
    float[] other = new float[LANES * LANES];
    for (int pixel = first; pixel < end; pixel += LANES) {
      int count = Math.min(LANES, end - pixel);
      for (int channel = 0; channel < channels; channel += LANES) {
        readPlanes(planes, channel, pixel, count, square);
        float[] turned = FloatTransposition.transpose(square, other);
        long at = to + (long) pixel * channels + channel;
        writePixels(turned, count, into, at * Float.BYTES, channels * (long) Float.BYTES);
      }
    }
  }

  /** Uses arrays, for any number of channels. */
  private static void pixelsOneByOne(
      Matrix planes, int first, int end, int channels, MemorySegment into, long to) {
    int most = Math.max(1, (1 << 12) / channels);
    float[] plane = new float[most];
    float[] turned = new float[most * channels];
    for (int pixel = first; pixel < end; pixel += most) {
      int count = Math.min(most, end - pixel);
      for (int channel = 0; channel < channels; channel++) {
        long at = planes.at(channel, pixel) * Float.BYTES;
        MemorySegment.copy(planes.segment(), ELEMENT, at, plane, 0, count);
        for (int i = 0; i < count; i++) {
          turned[i * channels + channel] = plane[i];
        }
      }
      long at = (to + (long) pixel * channels) * Float.BYTES;
      MemorySegment.copy(turned, 0, into, ELEMENT, at, count * channels);
    }
  }

  private static void readPlanes(Matrix planes, int channel, int pixel, int count, float[] square) {
    long at = planes.at(channel, pixel) * Float.BYTES;
    long step = planes.rowStride() * Float.BYTES;
    if (count == LANES) {
      for (int i = 0; i < LANES; i++) {
        FloatVector.fromMemorySegment(SPECIES, planes.segment(), at + i * step, ORDER)
            .intoArray(square, i * LANES);
      }
    } else {
      VectorMask<Float> inside = SPECIES.indexInRange(0, count);
      for (int i = 0; i < LANES; i++) {
        FloatVector.fromMemorySegment(SPECIES, planes.segment(), at + i * step, ORDER, inside)
            .intoArray(square, i * LANES);
      }
    }
  }

  private static void writePixels(
      float[] turned, int count, MemorySegment into, long at, long step) {
    NativeSegments.require(into);
    for (int i = 0; i < count; i++) {
      FloatVector.fromArray(SPECIES, turned, i * LANES)
          .intoMemorySegment(into, at + i * step, ORDER);
    }
  }

  /** Fills {@code count} elements, a whole number of vectors, with zeros. */
  static void zero(MemorySegment into, long at, long count) {
    NativeSegments.require(into);
    FloatVector zero = FloatVector.zero(SPECIES);
    for (long i = 0; i < count; i += LANES) {
      zero.intoMemorySegment(into, (at + i) * Float.BYTES, ORDER);
    }
  }

  /** Transposes some pixels back; their channels are a whole number of vectors. */
  static void planes(
      MemorySegment from, long start, int first, int end, int channels, Matrix planes) {
    float[] square = new float[LANES * LANES];
    float[] other = new float[LANES * LANES];
    for (int pixel = first; pixel < end; pixel += LANES) {
      int count = Math.min(LANES, end - pixel);
      for (int channel = 0; channel < channels; channel += LANES) {
        long place = start + (long) pixel * channels + channel;
        readPixels(from, place * Float.BYTES, channels * (long) Float.BYTES, count, square);
        float[] turned = FloatTransposition.transpose(square, other);
        long at = planes.at(channel, pixel) * Float.BYTES;
        long step = planes.rowStride() * Float.BYTES;
        if (count == LANES) {
          writePlanes(turned, planes.segment(), at, step);
        } else {
          writePart(turned, planes.segment(), at, step, count);
        }
      }
    }
  }

  private static void readPixels(
      MemorySegment from, long at, long step, int count, float[] square) {
    for (int i = 0; i < count; i++) {
      FloatVector.fromMemorySegment(SPECIES, from, at + i * step, ORDER)
          .intoArray(square, i * LANES);
    }
  }

  private static void writePlanes(float[] turned, MemorySegment into, long at, long step) {
    NativeSegments.require(into);
    for (int i = 0; i < LANES; i++) {
      FloatVector.fromArray(SPECIES, turned, i * LANES)
          .intoMemorySegment(into, at + i * step, ORDER);
    }
  }

  private static void writePart(float[] turned, MemorySegment into, long at, long step, int count) {
    NativeSegments.require(into);
    VectorMask<Float> inside = SPECIES.indexInRange(0, count);
    for (int i = 0; i < LANES; i++) {
      FloatVector.fromArray(SPECIES, turned, i * LANES)
          .intoMemorySegment(into, at + i * step, ORDER, inside);
    }
  }
}
