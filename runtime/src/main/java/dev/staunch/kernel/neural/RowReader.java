package dev.staunch.kernel.neural;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;

/** Reads rows of a matrix into one array; each call of {@link #read} overwrites it. */
final class RowReader {
  private final MemorySegment segment;
  private final DType dtype;
  private final long offset;
  private final long rowStride;
  private final long columnStride;
  private final double[] values;

  RowReader(DenseTensor matrix) {
    this.segment = matrix.segment();
    this.dtype = matrix.dtype();
    this.offset = matrix.layout().offset();
    this.rowStride = matrix.layout().stride(0);
    this.columnStride = matrix.layout().stride(1);
    this.values = new double[Shape.asInt(matrix.shape().size(1))];
  }

  double[] values() {
    return values;
  }

  void read(long row) {
    long at = offset + row * rowStride;
    for (int i = 0; i < values.length; i++) {
      long position = at + i * columnStride;
      values[i] =
          dtype == DType.FLOAT32
              ? segment.getAtIndex(JAVA_FLOAT, position)
              : Elements.asDouble(segment, dtype, position);
    }
  }
}
