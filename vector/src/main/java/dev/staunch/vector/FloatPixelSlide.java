package dev.staunch.vector;

import dev.staunch.kernel.primitive.Window;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Slides kernels, one per channel, along a row of pixels. The channels are a whole number of
 * vectors.
 *
 * @param kernels ordered by kernel element, with all channels of each
 */
record FloatPixelSlide(
    PixelImages from,
    Window vertical,
    Window horizontal,
    MemorySegment kernels,
    float[] bias,
    PixelImages into) {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  /** Computes a row of the result. */
  void line(int image, int y) {
    boolean threes =
        vertical.kernel() == 3
            && horizontal.kernel() == 3
            && vertical.dilation() == 1
            && horizontal.dilation() == 1;
    if (threes && horizontal.stride() == 1) {
      slide(image, y, 0, into.columns(), true);
    } else if (threes && horizontal.stride() == 2) {
      int first = Math.min(into.columns(), Math.ceilDiv(horizontal.before(), 2));
      int end = Math.floorDiv(from.columns() + horizontal.before() - 3, 2) + 1;
      int whole = Math.clamp(end, first, into.columns());
      pixels(image, y, 0, first);
      slide(image, y, first, whole, false);
      pixels(image, y, whole, into.columns());
    } else {
      pixels(image, y, 0, into.columns());
    }
  }

  /**
   * Computes pixels of a 3 x 3 kernel; with a stride of two, all columns that it covers are inside
   * the image.
   */
  private void slide(int image, int y, int first, int end, boolean ones) {
    if (first >= end) {
      return;
    }
    int channels = from.channels();
    long pixel = channels * (long) Float.BYTES;
    long[] rows = new long[3];
    long inside = 0;
    for (int tap = 0; tap < 3; tap++) {
      int row = vertical.at(y, tap);
      boolean isInside = row >= 0 && row < from.rows();
      inside |= isInside ? 1L << tap : 0;
      rows[tap] = from.at(image, isInside ? row : 0) * Float.BYTES;
    }
    long to = into.at(image, y) * Float.BYTES + first * pixel;
    long column = (long) first * horizontal.stride() - horizontal.before();
    for (int i = 0; i < channels; i += LANES) {
      long shift = i * (long) Float.BYTES;
      float[] start = bias;
      if (ones) {
        slide(
            from.segment(),
            rows[0] + shift,
            rows[1] + shift,
            rows[2] + shift,
            inside,
            pixel,
            from.columns(),
            horizontal.before(),
            kernels,
            shift,
            start,
            i,
            into.segment(),
            to + shift,
            end);
      } else {
        long at = column * pixel + shift;
        step(
            from.segment(),
            rows[0] + at,
            rows[1] + at,
            rows[2] + at,
            inside,
            pixel,
            kernels,
            shift,
            start,
            i,
            into.segment(),
            to + shift,
            end - first);
      }
    }
  }

  private static VectorMask<Float> all(long inside, int row) {
    return VectorMask.fromLong(SPECIES, (inside >> row & 1) == 0 ? 0 : -1L >>> (64 - LANES));
  }

  private static FloatVector at(MemorySegment from, long place) {
    return FloatVector.fromMemorySegment(SPECIES, from, place, ORDER);
  }

  /**
   * Stride one along a row: at each column, a first sum is complete, a second continues, and a
   * third begins. Positions and steps count bytes.
   *
   * @param inside a bit for each row that is inside the image; the others are read but not counted
   */
  private static void slide(
      MemorySegment from,
      long top,
      long middle,
      long bottom,
      long inside,
      long pixel,
      int columns,
      int before,
      MemorySegment kernels,
      long kernel,
      float[] bias,
      int biasAt,
      MemorySegment into,
      long to,
      int width) {
    NativeSegments.require(from, into);
    VectorMask<Float> inTop = all(inside, 0);
    VectorMask<Float> inMiddle = all(inside, 1);
    VectorMask<Float> inBottom = all(inside, 2);
    FloatVector none = FloatVector.zero(SPECIES);
    FloatVector a = at(kernels, kernel);
    FloatVector b = at(kernels, kernel + pixel);
    FloatVector c = at(kernels, kernel + 2 * pixel);
    FloatVector d = at(kernels, kernel + 3 * pixel);
    FloatVector e = at(kernels, kernel + 4 * pixel);
    FloatVector f = at(kernels, kernel + 5 * pixel);
    FloatVector g = at(kernels, kernel + 6 * pixel);
    FloatVector h = at(kernels, kernel + 7 * pixel);
    FloatVector i = at(kernels, kernel + 8 * pixel);
    FloatVector start = FloatVector.fromArray(SPECIES, bias, biasAt);
    FloatVector first = start;
    FloatVector second = start;
    for (int padded = 0; padded < before - 2 && padded < width; padded++) {
      start.intoMemorySegment(into, to + padded * pixel, ORDER);
    }
    int x = before - 2; // the column of the result that the first sum belongs to
    for (int column = 0; column < columns; column++) {
      long at = column * pixel;
      FloatVector p = none.blend(at(from, top + at), inTop);
      FloatVector q = none.blend(at(from, middle + at), inMiddle);
      FloatVector r = none.blend(at(from, bottom + at), inBottom);
      FloatVector ended = first.add(r.fma(i, q.fma(f, p.mul(c))));
      if (x >= 0 && x < width) {
        ended.intoMemorySegment(into, to + x * pixel, ORDER);
      }
      first = second.add(r.fma(h, q.fma(e, p.mul(b))));
      second = r.fma(g, q.fma(d, p.fma(a, start)));
      x++;
    }
    for (; x < width; x++) {
      if (x >= 0) {
        first.intoMemorySegment(into, to + x * pixel, ORDER);
      }
      first = second;
      second = start;
    }
  }

  /** Stride two along a row: each pixel begins with the last column of the previous one. */
  private static void step(
      MemorySegment from,
      long top,
      long middle,
      long bottom,
      long inside,
      long pixel,
      MemorySegment kernels,
      long kernel,
      float[] bias,
      int biasAt,
      MemorySegment into,
      long to,
      int width) {
    NativeSegments.require(from, into);
    VectorMask<Float> inTop = all(inside, 0);
    VectorMask<Float> inMiddle = all(inside, 1);
    VectorMask<Float> inBottom = all(inside, 2);
    FloatVector none = FloatVector.zero(SPECIES);
    FloatVector a = at(kernels, kernel);
    FloatVector b = at(kernels, kernel + pixel);
    FloatVector c = at(kernels, kernel + 2 * pixel);
    FloatVector d = at(kernels, kernel + 3 * pixel);
    FloatVector e = at(kernels, kernel + 4 * pixel);
    FloatVector f = at(kernels, kernel + 5 * pixel);
    FloatVector g = at(kernels, kernel + 6 * pixel);
    FloatVector h = at(kernels, kernel + 7 * pixel);
    FloatVector i = at(kernels, kernel + 8 * pixel);
    FloatVector start = FloatVector.fromArray(SPECIES, bias, biasAt);
    FloatVector p = none.blend(at(from, top), inTop);
    FloatVector q = none.blend(at(from, middle), inMiddle);
    FloatVector r = none.blend(at(from, bottom), inBottom);
    for (int x = 0; x < width; x++) {
      long at = (2L * x + 1) * pixel;
      FloatVector sum = r.fma(g, q.fma(d, p.fma(a, start)));
      p = none.blend(at(from, top + at), inTop);
      q = none.blend(at(from, middle + at), inMiddle);
      r = none.blend(at(from, bottom + at), inBottom);
      FloatVector other = r.mul(h).add(q.fma(e, p.mul(b)));
      p = none.blend(at(from, top + at + pixel), inTop);
      q = none.blend(at(from, middle + at + pixel), inMiddle);
      r = none.blend(at(from, bottom + at + pixel), inBottom);
      sum = r.fma(i, q.fma(f, p.fma(c, sum)));
      sum.add(other).intoMemorySegment(into, to + x * pixel, ORDER);
    }
  }

  /** Computes each pixel separately, whatever part of the kernel is inside the image. */
  private void pixels(int image, int y, int first, int end) {
    int channels = from.channels();
    int bottom = vertical.endTap(y, from.rows());
    for (int x = first; x < end; x++) {
      int right = horizontal.endTap(x, from.columns());
      long to = (into.at(image, y) + (long) x * channels) * Float.BYTES;
      for (int i = 0; i < channels; i += LANES) {
        FloatVector sum = FloatVector.fromArray(SPECIES, bias, i);
        for (int down = vertical.firstTap(y); down < bottom; down++) {
          long row = from.at(image, vertical.at(y, down));
          for (int across = horizontal.firstTap(x); across < right; across++) {
            long at = row + (long) horizontal.at(x, across) * channels + i;
            long tap = ((long) down * horizontal.kernel() + across) * channels + i;
            sum = at(from.segment(), at * Float.BYTES).fma(at(kernels, tap * Float.BYTES), sum);
          }
        }
        sum.intoMemorySegment(into.segment(), to + i * (long) Float.BYTES, ORDER);
      }
    }
  }
}
