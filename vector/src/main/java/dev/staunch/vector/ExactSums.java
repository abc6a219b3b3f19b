package dev.staunch.vector;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Converts integer sums in floats or doubles to elements of the result. Used by one thread. */
final class ExactSums {
  private static final int TILE = 1024;

  private final MatrixProduct.Request request;
  private final DenseTensor sums;
  private final @Nullable DenseTensor addend;
  private final DenseTensor result;
  private final @Nullable Batch ofAddend;
  private final Batch ofResult;
  private final float[] floats;
  private final double[] doubles;
  private final byte[] bytes;
  private final short[] shorts;
  private final int[] values;

  /**
   * @param sums the sums of products, row-major
   */
  ExactSums(
      MatrixProduct.Request request,
      DenseTensor sums,
      @Nullable DenseTensor addend,
      DenseTensor result) {
    this.request = request;
    this.sums = sums;
    this.addend = addend;
    this.result = result;
    this.ofAddend = request.addend() == null ? null : new Batch(request.addend());
    this.ofResult = new Batch(request.c());
    int tile = (int) Math.min(TILE, request.columns());
    boolean single = sums.dtype() == DType.FLOAT32;
    boolean narrow = request.dtype().bytes() == Byte.BYTES;
    this.floats = new float[single ? tile : 0];
    this.doubles = new double[single ? 0 : tile];
    this.bytes = new byte[narrow ? tile : 0];
    this.shorts = new short[narrow ? 0 : tile];
    this.values = new int[tile];
  }

  /** Writes one row, counted over all matrices. */
  void put(long line) {
    long columns = request.columns();
    long matrix = line / request.rows();
    long row = line % request.rows();
    long from = sums.layout().offset() + line * columns;
    Matrix to = ofResult.at(matrix, result.segment(), result.layout().offset());
    Matrix start =
        ofAddend == null || addend == null
            ? null
            : ofAddend.at(matrix, addend.segment(), addend.layout().offset());
    int factor = request.alpha().intValue();
    for (long j = 0; j < columns; j += values.length) {
      int count = (int) Math.min(values.length, columns - j);
      load(from + j, count);
      if (factor != 1) {
        for (int i = 0; i < count; i++) {
          values[i] *= factor;
        }
      }
      for (int i = 0; start != null && i < count; i++) {
        values[i] += (int) Elements.asLong(start.segment(), request.dtype(), start.at(row, j + i));
      }
      store(to.segment(), to.at(row, j), count);
    }
  }

  private void load(long at, int count) {
    MemorySegment from = sums.segment();
    if (floats.length > 0) {
      MemorySegment.copy(from, JAVA_FLOAT, at * Float.BYTES, floats, 0, count);
      for (int i = 0; i < count; i++) {
        values[i] = (int) floats[i];
      }
    } else {
      MemorySegment.copy(from, JAVA_DOUBLE, at * Double.BYTES, doubles, 0, count);
      for (int i = 0; i < count; i++) {
        values[i] = (int) (long) doubles[i];
      }
    }
  }

  /** Stores the elements; values that do not fit wrap around. */
  private void store(MemorySegment into, long at, int count) {
    if (bytes.length > 0) {
      for (int i = 0; i < count; i++) {
        bytes[i] = (byte) values[i];
      }
      MemorySegment.copy(bytes, 0, into, JAVA_BYTE, at, count);
    } else {
      for (int i = 0; i < count; i++) {
        shorts[i] = (short) values[i];
      }
      MemorySegment.copy(shorts, 0, into, JAVA_SHORT, at * Short.BYTES, count);
    }
  }
}
