package dev.staunch.vector;

import dev.staunch.kernel.primitive.Window;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * A channel in strips, each one vector wide, down which a kernel of 3 x 3 elements slides with a
 * stride of one or two in both directions. Strips may overlap. Rows are read whole, and lanes that
 * are padding or belong to another row become zero. A few elements before and after the channel are
 * therefore read as well.
 *
 * @param rows of the image
 * @param columns of the image
 * @param height rows of the result
 * @param width columns of the result
 * @param kernel its nine elements
 */
record FloatStrips(
    int rows,
    int columns,
    Window vertical,
    Window horizontal,
    int height,
    int width,
    float[] kernel,
    float bias) {
  /** The most padding before the first row and column. */
  static final int MOST_BEFORE = 2;

  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final long HALF = SPECIES.vectorByteSize();
  private static final FloatVector EVEN = FloatVector.zero(SPECIES).addIndex(2);
  private static final FloatVector ODD = EVEN.add(1);
  private static final FloatVector NEXT = FloatVector.broadcast(SPECIES, 1).addIndex(1);
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  /** Whether everything that is read of a channel, and around it, is inside its segment. */
  boolean liesIn(Matrix image) {
    long end = image.at(rows - 1, 0) + behind();
    return image.offset() >= horizontal.before() && end * Float.BYTES <= image.segment().byteSize();
  }

  /** Elements of a segment in which a channel without gaps follows {@link #MOST_BEFORE} others. */
  long room() {
    return MOST_BEFORE + (rows - 1L) * columns + Math.max(columns, behind());
  }

  /** How far the last row is read. */
  private int behind() {
    return Math.max(0, width - LANES) * horizontal.stride()
        + LANES * (2 * horizontal.stride() - 1)
        + MOST_BEFORE;
  }

  /**
   * Elements of the result that are written: more than it has if a row is shorter than a vector.
   */
  long resultRoom() {
    return (height - 1L) * width + Math.max(width, LANES);
  }

  /** Writes the channel's result, starting at {@code to}. */
  void run(Matrix image, MemorySegment result, long to) {
    long step = width * (long) Float.BYTES;
    for (int i = 0; i < width; i += LANES) {
      int x = Math.max(0, Math.min(i, width - LANES));
      int column = x * horizontal.stride() - horizontal.before();
      long from = image.at(0, column) * Float.BYTES;
      long rowStep = image.rowStride() * Float.BYTES;
      long at = (to + x) * Float.BYTES;
      if (horizontal.stride() == 1) {
        slide(
            image.segment(),
            from,
            rowStep,
            rows,
            vertical.before(),
            kernel,
            bias,
            inside(column, columns),
            inside(column + 1, columns),
            inside(column + 2, columns),
            result,
            at,
            step,
            height);
      } else {
        step(
            image.segment(),
            from,
            rowStep,
            rows,
            vertical.before(),
            kernel,
            bias,
            inside(column, columns),
            inside(column + LANES, columns),
            inside(column + 2 * LANES, columns),
            result,
            at,
            step,
            height);
      }
    }
  }

  /**
   * The lanes, as bits, that are inside a row of {@code columns} if the first lane is {@code
   * column}.
   */
  private static long inside(int column, int columns) {
    int first = Math.clamp(-column, 0, LANES);
    int end = Math.clamp(columns - column, first, LANES);
    return (1L << end) - (1L << first);
  }

  /**
   * Stride one down a strip: at each row, a first sum is complete, a second continues, and a third
   * begins.
   *
   * @param from where the kernel's first column meets the first row, in bytes
   * @param left lanes that this column meets inside the image; likewise the other columns
   */
  private static void slide(
      MemorySegment image,
      long from,
      long rowStep,
      int rows,
      int before,
      float[] kernel,
      float bias,
      long left,
      long middle,
      long right,
      MemorySegment result,
      long to,
      long step,
      int height) {
    NativeSegments.require(image, result);
    VectorMask<Float> inLeft = VectorMask.fromLong(SPECIES, left);
    VectorMask<Float> inMiddle = VectorMask.fromLong(SPECIES, middle);
    VectorMask<Float> inRight = VectorMask.fromLong(SPECIES, right);
    FloatVector none = FloatVector.zero(SPECIES);
    FloatVector a = FloatVector.broadcast(SPECIES, kernel[0]);
    FloatVector b = FloatVector.broadcast(SPECIES, kernel[1]);
    FloatVector c = FloatVector.broadcast(SPECIES, kernel[2]);
    FloatVector d = FloatVector.broadcast(SPECIES, kernel[3]);
    FloatVector e = FloatVector.broadcast(SPECIES, kernel[4]);
    FloatVector f = FloatVector.broadcast(SPECIES, kernel[5]);
    FloatVector g = FloatVector.broadcast(SPECIES, kernel[6]);
    FloatVector h = FloatVector.broadcast(SPECIES, kernel[7]);
    FloatVector i = FloatVector.broadcast(SPECIES, kernel[8]);
    FloatVector start = FloatVector.broadcast(SPECIES, bias);
    FloatVector first = start;
    FloatVector second = start;
    int y = before - 2; // the row of the result that the first sum belongs to
    for (int row = 0; row < rows; row++) {
      long at = from + row * rowStep;
      FloatVector p = none.blend(FloatVector.fromMemorySegment(SPECIES, image, at, ORDER), inLeft);
      FloatVector q =
          none.blend(FloatVector.fromMemorySegment(SPECIES, image, at + 4, ORDER), inMiddle);
      FloatVector r =
          none.blend(FloatVector.fromMemorySegment(SPECIES, image, at + 8, ORDER), inRight);
      FloatVector ended = first.add(r.fma(i, q.fma(h, p.mul(g))));
      if (y >= 0) {
        ended.intoMemorySegment(result, to + y * step, ORDER);
      }
      first = second.add(r.fma(f, q.fma(e, p.mul(d))));
      second = r.fma(c, q.fma(b, p.fma(a, start)));
      y++;
    }
    for (; y < height; y++) {
      if (y >= 0) {
        first.intoMemorySegment(result, to + y * step, ORDER);
      }
      first = second;
      second = start;
    }
  }

  /**
   * Stride two down a strip: each row of the result begins with the last of the three rows that the
   * previous one covers.
   *
   * @param one lanes of the first vector of a row that are inside the image
   * @param two the same for the second vector; a third vector holds the last column's elements
   */
  private static void step(
      MemorySegment image,
      long from,
      long rowStep,
      int rows,
      int before,
      float[] kernel,
      float bias,
      long one,
      long two,
      long three,
      MemorySegment result,
      long to,
      long step,
      int height) {
    NativeSegments.require(image, result);
    VectorMask<Float> inOne = VectorMask.fromLong(SPECIES, one);
    VectorMask<Float> inTwo = VectorMask.fromLong(SPECIES, two);
    VectorMask<Float> inThree = VectorMask.fromLong(SPECIES, three);
    FloatVector none = FloatVector.zero(SPECIES);
    FloatVector a = FloatVector.broadcast(SPECIES, kernel[0]);
    FloatVector b = FloatVector.broadcast(SPECIES, kernel[1]);
    FloatVector c = FloatVector.broadcast(SPECIES, kernel[2]);
    FloatVector d = FloatVector.broadcast(SPECIES, kernel[3]);
    FloatVector e = FloatVector.broadcast(SPECIES, kernel[4]);
    FloatVector f = FloatVector.broadcast(SPECIES, kernel[5]);
    FloatVector g = FloatVector.broadcast(SPECIES, kernel[6]);
    FloatVector h = FloatVector.broadcast(SPECIES, kernel[7]);
    FloatVector i = FloatVector.broadcast(SPECIES, kernel[8]);
    FloatVector start = FloatVector.broadcast(SPECIES, bias);
    FloatVector sum = start;
    for (int y = -1; y < height; y++) {
      int row = 2 * y - before + 1; // the second of three
      long at = from + row * rowStep;
      if (row >= 0 && row < rows) {
        FloatVector x = none.blend(FloatVector.fromMemorySegment(SPECIES, image, at, ORDER), inOne);
        FloatVector z =
            none.blend(FloatVector.fromMemorySegment(SPECIES, image, at + HALF, ORDER), inTwo);
        FloatVector u =
            none.blend(
                FloatVector.fromMemorySegment(SPECIES, image, at + 2 * HALF, ORDER), inThree);
        FloatVector p = EVEN.selectFrom(x, z);
        FloatVector q = ODD.selectFrom(x, z);
        FloatVector r = NEXT.selectFrom(p, u);
        sum = sum.add(r.fma(f, q.fma(e, p.mul(d))));
      }
      at += rowStep;
      FloatVector next = start;
      if (row >= -1 && row < rows - 1) {
        FloatVector x = none.blend(FloatVector.fromMemorySegment(SPECIES, image, at, ORDER), inOne);
        FloatVector z =
            none.blend(FloatVector.fromMemorySegment(SPECIES, image, at + HALF, ORDER), inTwo);
        FloatVector u =
            none.blend(
                FloatVector.fromMemorySegment(SPECIES, image, at + 2 * HALF, ORDER), inThree);
        FloatVector p = EVEN.selectFrom(x, z);
        FloatVector q = ODD.selectFrom(x, z);
        FloatVector r = NEXT.selectFrom(p, u);
        sum = sum.add(r.fma(i, q.fma(h, p.mul(g))));
        next = r.fma(c, q.fma(b, p.fma(a, start)));
      }
      if (y >= 0) {
        sum.intoMemorySegment(result, to + y * step, ORDER);
      }
      sum = next;
    }
  }
}
