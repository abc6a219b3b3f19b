package dev.staunch.vector;

import dev.staunch.kernel.primitive.Window;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Gathers what a kernel covers in an image with channels last; padding is gathered as zeros.
 * Without horizontal dilation, a row of the kernel covers contiguous elements.
 */
record FloatPixelGather(Window vertical, Window horizontal, int channels) {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  /**
   * Gathers what elements {@code k} to {@code k + depth} of the kernel cover for some pixels of the
   * result, one row per pixel in the layout of {@link FloatRows}.
   */
  void rows(
      PixelImages image,
      PixelImages result,
      int first,
      int height,
      int k,
      int depth,
      float[] into) {
    int x = first % result.columns();
    int y = first / result.columns() % result.rows();
    int number = first / result.columns() / result.rows();
    boolean together = horizontal.dilation() == 1 && depth == elements();
    for (int i = 0; i < height; i++) {
      int top = vertical.at(y, 0);
      int left = horizontal.at(x, 0);
      int to = i * FloatRows.STRIDE;
      if (together
          && top >= 0
          && left >= 0
          && top + vertical.extent() <= image.rows()
          && left + horizontal.kernel() <= image.columns()) {
        inside(image, image.at(number, top) + (long) left * channels, into, to);
      } else {
        row(image, number, top, left, k, depth, into, to);
      }
      x++;
      if (x == result.columns()) {
        x = 0;
        y++;
      }
      if (y == result.rows()) {
        y = 0;
        number++;
      }
    }
  }

  /** The number of the kernel element that element {@code k} of a row belongs to. */
  private int tap(int k) {
    return k / channels;
  }

  /**
   * Finds the pixels of the result, of those from {@code first} to {@code end}, for which element
   * {@code k} of the row is not padding; returns how many there are.
   */
  int inside(PixelImages image, PixelImages result, int first, int end, int k, int[] pixels) {
    int down = tap(k) / horizontal.kernel();
    int across = tap(k) % horizontal.kernel();
    int count = 0;
    for (int pixel = first; pixel < end; pixel++) {
      int x = horizontal.at(pixel % result.columns(), across);
      int y = vertical.at(pixel / result.columns() % result.rows(), down);
      pixels[count] = pixel;
      count += x >= 0 && x < image.columns() && y >= 0 && y < image.rows() ? 1 : 0;
    }
    return count;
  }

  /** As {@link #rows}, for the first {@code count} of {@code pixels}. */
  void rows(
      PixelImages image,
      PixelImages result,
      int[] pixels,
      int count,
      int k,
      int depth,
      float[] into) {
    for (int i = 0; i < count; i++) {
      int x = pixels[i] % result.columns();
      int y = pixels[i] / result.columns() % result.rows();
      int number = pixels[i] / result.columns() / result.rows();
      int to = i * FloatRows.STRIDE;
      row(image, number, vertical.at(y, 0), horizontal.at(x, 0), k, depth, into, to);
    }
  }

  /** The number of elements of the kernel. */
  private int elements() {
    return vertical.kernel() * horizontal.kernel() * channels;
  }

  /** Gathers everything the kernel covers, row by row, if that is neither padding nor dilated. */
  private void inside(PixelImages image, long at, float[] into, int start) {
    int run = horizontal.kernel() * channels;
    long step = (long) vertical.dilation() * image.columns() * channels;
    for (int y = 0; y < vertical.kernel(); y++) {
      copy(image.segment(), at + y * step, into, start + y * run, run);
    }
  }

  private void row(
      PixelImages image, int number, int top, int left, int k, int depth, float[] into, int start) {
    int taps = horizontal.dilation() == 1 ? horizontal.kernel() : 1; // contiguous ones
    int run = taps * channels;
    int line = image.columns() * channels;
    int to = start;
    int end = k + depth;
    for (int element = k; element < end; ) {
      int runs = element / run;
      int inRun = element - runs * run;
      int length = Math.min(run - inRun, end - element);
      int tap = runs * taps;
      int row = top + tap / horizontal.kernel() * vertical.dilation();
      if (row < 0 || row >= image.rows()) {
        zero(into, to, length);
      } else {
        int column = left + tap % horizontal.kernel() * horizontal.dilation();
        int at = column * channels + inRun;
        int before = Math.clamp(-at, 0, length);
        int inside = Math.clamp(line - at, before, length);
        zero(into, to, before);
        long from = image.at(number, row) + at + before;
        copy(image.segment(), from, into, to + before, inside - before);
        zero(into, to + inside, length - inside);
      }
      to += length;
      element += length;
    }
  }

  private static void zero(float[] into, int to, int count) {
    for (int i = to; i < to + count; i++) {
      into[i] = 0;
    }
  }

  /** Copies whole vectors where the source has enough elements; the excess is overwritten later. */
  private static void copy(MemorySegment from, long at, float[] into, int to, int count) {
    NativeSegments.require(from);
    long place = at * Float.BYTES;
    boolean ends = place + (count + LANES - 1L) * Float.BYTES > from.byteSize();
    int whole = ends ? SPECIES.loopBound(count) : count;
    for (int i = 0; i < whole; i += LANES) {
      FloatVector.fromMemorySegment(SPECIES, from, place + i * (long) Float.BYTES, ORDER)
          .intoArray(into, to + i);
    }
    if (whole < count) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, count);
      FloatVector.fromMemorySegment(SPECIES, from, place + whole * (long) Float.BYTES, ORDER, rest)
          .intoArray(into, to + whole);
    }
  }
}
