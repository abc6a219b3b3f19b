package dev.staunch.vector;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Images turned from planes, one for each channel, to pixels whose channels lie together, and back.
 * Channels are a whole number of vectors. Places count elements.
 */
final class FloatTurning {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  /** Pixels, and channels, that are turned at once. */
  static final int LANES = SPECIES.length();

  private FloatTurning() {}

  /**
   * Turns some pixels of an image.
   *
   * @param planes a row for each channel; of columns, the pixels, the stride is 1
   * @param columns of the image
   * @param to the place of the first pixel's channels
   * @param width columns of the image that is written
   */
  static void pixels(
      Matrix planes,
      int first,
      int end,
      int columns,
      int channels,
      MemorySegment into,
      long to,
      int width) {
    float[] square = new float[LANES * LANES];
    float[] other = new float[LANES * LANES];
    long[] places = new long[LANES];
    for (int pixel = first; pixel < end; pixel += LANES) {
      int count = places(pixel, end, columns, channels, to, width, places);
      for (int channel = 0; channel < channels; channel += LANES) {
        readPlanes(planes, channel, pixel, count, square);
        float[] turned = FloatTransposition.transpose(square, other);
        for (int i = 0; i < count; i++) {
          FloatVector.fromArray(SPECIES, turned, i * LANES)
              .intoMemorySegment(into, (places[i] + channel) * Float.BYTES, ORDER);
        }
      }
    }
  }

  private static int places(
      int pixel, int end, int columns, int channels, long start, int width, long[] places) {
    int count = Math.min(LANES, end - pixel);
    for (int i = 0; i < count; i++) {
      int row = (pixel + i) / columns;
      places[i] = start + ((long) row * width + (pixel + i) % columns) * channels;
    }
    return count;
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

  /** Fills the places of {@code count} elements, a whole number of vectors. */
  static void zero(MemorySegment into, long at, long count) {
    NativeSegments.require(into);
    FloatVector zero = FloatVector.zero(SPECIES);
    for (long i = 0; i < count; i += LANES) {
      zero.intoMemorySegment(into, (at + i) * Float.BYTES, ORDER);
    }
  }

  /**
   * Turns some pixels back, and adds the bias of their channels.
   *
   * @param width columns of the image that is read, of which the first {@code columns} are wanted
   */
  static void planes(
      MemorySegment from,
      int width,
      int first,
      int end,
      int columns,
      int channels,
      float[] bias,
      Matrix planes) {
    float[] square = new float[LANES * LANES];
    float[] other = new float[LANES * LANES];
    long[] places = new long[LANES];
    for (int pixel = first; pixel < end; pixel += LANES) {
      int count = places(pixel, end, columns, channels, 0, width, places);
      for (int channel = 0; channel < channels; channel += LANES) {
        readPixels(from, places, count, channel, square);
        float[] turned = FloatTransposition.transpose(square, other);
        long at = planes.at(channel, pixel) * Float.BYTES;
        long step = planes.rowStride() * Float.BYTES;
        if (count == LANES) {
          writePlanes(turned, bias, channel, planes.segment(), at, step);
        } else {
          writePart(turned, bias, channel, planes.segment(), at, step, count);
        }
      }
    }
  }

  private static void readPixels(
      MemorySegment from, long[] places, int count, int channel, float[] square) {
    for (int i = 0; i < count; i++) {
      FloatVector.fromMemorySegment(SPECIES, from, (places[i] + channel) * Float.BYTES, ORDER)
          .intoArray(square, i * LANES);
    }
  }

  private static void writePlanes(
      float[] turned, float[] bias, int channel, MemorySegment into, long at, long step) {
    NativeSegments.require(into);
    for (int i = 0; i < LANES; i++) {
      FloatVector.fromArray(SPECIES, turned, i * LANES)
          .add(FloatVector.broadcast(SPECIES, bias[channel + i]))
          .intoMemorySegment(into, at + i * step, ORDER);
    }
  }

  private static void writePart(
      float[] turned,
      float[] bias,
      int channel,
      MemorySegment into,
      long at,
      long step,
      int count) {
    NativeSegments.require(into);
    VectorMask<Float> inside = SPECIES.indexInRange(0, count);
    for (int i = 0; i < LANES; i++) {
      FloatVector.fromArray(SPECIES, turned, i * LANES)
          .add(FloatVector.broadcast(SPECIES, bias[channel + i]))
          .intoMemorySegment(into, at + i * step, ORDER, inside);
    }
  }
}
