package dev.staunch.vector;

import dev.staunch.kernel.primitive.Window;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Slides kernels, one per channel, along a row of pixels. The channels are a whole number of
 * vectors.
 *
 * @param kernels as {@link FloatDepthwiseLast} packs them: for each vector of channels, its
 *     elements one after the other
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
  private static final long VECTOR = LANES * (long) Float.BYTES;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  /** Pixels that each element of a kernel meets before the next one does. */
  private static final int TOGETHER = 4;

  /** Computes a row of the result. */
  void line(int image, int y) {
    int width = into.columns();
    int first = Math.min(width, horizontal.firstInside(0));
    int end = Math.min(width, horizontal.endInside(horizontal.kernel() - 1, from.columns()));
    Taps taps = new Taps(new long[elements()], new long[elements()]);
    if (isThrees() && vertical.firstTap(y) == 0 && vertical.endTap(y, from.rows()) == 3) {
      if (horizontal.stride() == 1) {
        slide(image, y, 0, width);
        return;
      }
      slide(image, y, first, end);
    } else if (end - first >= TOGETHER) {
      together(image, y, first, end, taps);
    } else {
      end = first;
    }
    for (int x = 0; x < first; x++) {
      pixel(image, y, x, taps);
    }
    for (int x = Math.max(first, end); x < width; x++) {
      pixel(image, y, x, taps);
    }
  }

  /** The number of elements of a kernel. */
  private int elements() {
    return vertical.kernel() * horizontal.kernel();
  }

  private boolean isThrees() {
    return vertical.kernel() == 3
        && vertical.dilation() == 1
        && horizontal.kernel() == 3
        && horizontal.dilation() == 1
        && horizontal.stride() <= 2;
  }

  /**
   * The elements of a kernel that are inside the image.
   *
   * @param places where they are, from the first column that the kernel meets and the first row of
   *     the image on, in bytes
   * @param factors where their factors are in the kernel, in bytes
   */
  private record Taps(long[] places, long[] factors) {}

  /** Finds the elements that are inside the image, for one pixel; returns their number. */
  private int find(Taps taps, int y, int x) {
    int bottom = vertical.endTap(y, from.rows());
    int right = horizontal.endTap(x, from.columns());
    int found = 0;
    for (int down = vertical.firstTap(y); down < bottom; down++) {
      long row = (long) vertical.at(y, down) * from.columns();
      for (int across = horizontal.firstTap(x); across < right; across++) {
        taps.places[found] = (row + (long) across * horizontal.dilation()) * pixel();
        taps.factors[found++] = ((long) down * horizontal.kernel() + across) * VECTOR;
      }
    }
    return found;
  }

  /** The bytes from one pixel to the next, in the image and in the result. */
  private long pixel() {
    return from.channels() * (long) Float.BYTES;
  }

  /** Where the first column that a pixel's kernel meets is in the first row; may be outside it. */
  private long firstColumn(int image, int x) {
    return from.at(image, 0) * Float.BYTES + horizontal.at(x, 0) * pixel();
  }

  /** Where a pixel of the result is. */
  private long place(int image, int y, int x) {
    return into.at(image, y) * Float.BYTES + x * pixel();
  }

  /** Computes one pixel, whatever part of the kernel is inside the image. */
  private void pixel(int image, int y, int x, Taps taps) {
    single(
        from.segment(),
        firstColumn(image, x),
        taps.places,
        kernels,
        taps.factors,
        find(taps, y, x),
        elements(),
        bias,
        into.segment(),
        place(image, y, x));
  }

  /** Computes pixels, at least {@link #TOGETHER}, whose columns are all inside the image. */
  private void together(int image, int y, int first, int end, Taps taps) {
    int found = find(taps, y, first);
    for (int x = first; x < end; x += TOGETHER) {
      int at = Math.min(x, end - TOGETHER); // some of the last ones twice
      together(
          from.segment(),
          firstColumn(image, at),
          horizontal.stride() * pixel(),
          taps.places,
          kernels,
          taps.factors,
          found,
          elements(),
          bias,
          into.segment(),
          place(image, y, at));
    }
  }

  /**
   * Computes pixels of a 3 x 3 kernel all of whose rows, and columns with a stride of two, are
   * inside the image.
   */
  private void slide(int image, int y, int first, int end) {
    if (first >= end) {
      return;
    }
    int channels = from.channels();
    long row = from.columns() * pixel();
    long top = from.at(image, vertical.at(y, 0)) * Float.BYTES;
    long to = place(image, y, first);
    for (int i = 0; i < channels; i += LANES) {
      long shift = i * (long) Float.BYTES;
      long kernel = shift * 9;
      if (horizontal.stride() == 1) {
        long at = top + shift;
        slide(
            from.segment(),
            at,
            at + row,
            at + 2 * row,
            pixel(),
            from.columns(),
            horizontal.before(),
            kernels,
            kernel,
            bias,
            i,
            into.segment(),
            to + shift,
            end);
      } else {
        long at = top + horizontal.at(first, 0) * pixel() + shift;
        step(
            from.segment(),
            at,
            at + row,
            at + 2 * row,
            pixel(),
            kernels,
            kernel,
            bias,
            i,
            into.segment(),
            to + shift,
            end - first);
      }
    }
  }

  private static FloatVector at(MemorySegment from, long place) {
    return FloatVector.fromMemorySegment(SPECIES, from, place, ORDER);
  }

  /**
   * Stride one along a row: at each column, a first sum is complete, a second continues, and a
   * third begins. Positions and steps count bytes.
   */
  private static void slide(
      MemorySegment from,
      long top,
      long middle,
      long bottom,
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
    FloatVector a = at(kernels, kernel);
    FloatVector b = at(kernels, kernel + VECTOR);
    FloatVector c = at(kernels, kernel + 2 * VECTOR);
    FloatVector d = at(kernels, kernel + 3 * VECTOR);
    FloatVector e = at(kernels, kernel + 4 * VECTOR);
    FloatVector f = at(kernels, kernel + 5 * VECTOR);
    FloatVector g = at(kernels, kernel + 6 * VECTOR);
    FloatVector h = at(kernels, kernel + 7 * VECTOR);
    FloatVector i = at(kernels, kernel + 8 * VECTOR);
    FloatVector start = FloatVector.fromArray(SPECIES, bias, biasAt);
    FloatVector first = start;
    FloatVector second = start;
    for (int padded = 0; padded < before - 2 && padded < width; padded++) {
      start.intoMemorySegment(into, to + padded * pixel, ORDER);
    }
    int x = before - 2; // the column of the result that the first sum belongs to
    for (int column = 0; column < columns; column++) {
      long at = column * pixel;
      FloatVector p = at(from, top + at);
      FloatVector q = at(from, middle + at);
      FloatVector r = at(from, bottom + at);
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
      long pixel,
      MemorySegment kernels,
      long kernel,
      float[] bias,
      int biasAt,
      MemorySegment into,
      long to,
      int width) {
    NativeSegments.require(from, into);
    FloatVector a = at(kernels, kernel);
    FloatVector b = at(kernels, kernel + VECTOR);
    FloatVector c = at(kernels, kernel + 2 * VECTOR);
    FloatVector d = at(kernels, kernel + 3 * VECTOR);
    FloatVector e = at(kernels, kernel + 4 * VECTOR);
    FloatVector f = at(kernels, kernel + 5 * VECTOR);
    FloatVector g = at(kernels, kernel + 6 * VECTOR);
    FloatVector h = at(kernels, kernel + 7 * VECTOR);
    FloatVector i = at(kernels, kernel + 8 * VECTOR);
    FloatVector start = FloatVector.fromArray(SPECIES, bias, biasAt);
    FloatVector p = at(from, top);
    FloatVector q = at(from, middle);
    FloatVector r = at(from, bottom);
    for (int x = 0; x < width; x++) {
      long at = (2L * x + 1) * pixel;
      FloatVector sum = r.fma(g, q.fma(d, p.fma(a, start)));
      p = at(from, top + at);
      q = at(from, middle + at);
      r = at(from, bottom + at);
      FloatVector other = r.mul(h).add(q.fma(e, p.mul(b)));
      p = at(from, top + at + pixel);
      q = at(from, middle + at + pixel);
      r = at(from, bottom + at + pixel);
      sum = r.fma(i, q.fma(f, p.fma(c, sum)));
      sum.add(other).intoMemorySegment(into, to + x * pixel, ORDER);
    }
  }

  /**
   * Meets one pixel with the elements of the kernel that {@code places} and {@code factors} name.
   */
  private static void single(
      MemorySegment from,
      long at,
      long[] places,
      MemorySegment kernels,
      long[] factors,
      int taps,
      int elements,
      float[] bias,
      MemorySegment into,
      long to) {
    NativeSegments.require(from, into);
    for (int i = 0; i < bias.length; i += LANES) {
      long shift = i * (long) Float.BYTES;
      long kernel = shift * elements;
      FloatVector sum = FloatVector.fromArray(SPECIES, bias, i);
      for (int tap = 0; tap < taps; tap++) {
        FloatVector factor = at(kernels, kernel + factors[tap]);
        sum = at(from, at + shift + places[tap]).fma(factor, sum);
      }
      sum.intoMemorySegment(into, to + shift, ORDER);
    }
  }

  /**
   * As {@link #single}, for neighbouring pixels.
   *
   * @param step from the place that one pixel's kernel meets to that of the next one
   */
  private static void together(
      MemorySegment from,
      long at,
      long step,
      long[] places,
      MemorySegment kernels,
      long[] factors,
      int taps,
      int elements,
      float[] bias,
      MemorySegment into,
      long to) {
    NativeSegments.require(from, into);
    long pixel = bias.length * (long) Float.BYTES;
    for (int i = 0; i < bias.length; i += LANES) {
      long shift = i * (long) Float.BYTES;
      long kernel = shift * elements;
      FloatVector a = FloatVector.fromArray(SPECIES, bias, i);
      FloatVector b = a;
      FloatVector c = a;
      FloatVector d = a;
      for (int tap = 0; tap < taps; tap++) {
        FloatVector factor = at(kernels, kernel + factors[tap]);
        long place = at + shift + places[tap];
        a = at(from, place).fma(factor, a);
        b = at(from, place + step).fma(factor, b);
        c = at(from, place + 2 * step).fma(factor, c);
        d = at(from, place + 3 * step).fma(factor, d);
      }
      a.intoMemorySegment(into, to + shift, ORDER);
      b.intoMemorySegment(into, to + shift + pixel, ORDER);
      c.intoMemorySegment(into, to + shift + 2 * pixel, ORDER);
      d.intoMemorySegment(into, to + shift + 3 * pixel, ORDER);
    }
  }
}
