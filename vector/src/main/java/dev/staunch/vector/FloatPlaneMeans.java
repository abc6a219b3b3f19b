package dev.staunch.vector;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.Pooling;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Adaptive means over planes without gaps: the rows that a window covers are summed on vectors, and
 * their sums in doubles.
 */
record FloatPlaneMeans(
    Request request, KernelSet others, int rows, int columns, int resultRows, int resultColumns)
    implements Pooling {

  /** More rows would be rounded too often. */
  private static final int MOST_ADDED = 64;

  /** Elements per piece that other threads may take. */
  private static final long PIECE = 1 << 15;

  /** The pooling for a request for adaptive means of float32 planes without gaps. */
  static Pooling of(Request request, KernelSet others) {
    int rows = request.dims() == 2 ? size(request.input().shape(), 2) : 1;
    int resultRows = request.dims() == 2 ? size(request.result().shape(), 2) : 1;
    int columns = size(request.input().shape(), 1);
    return rows / resultRows <= MOST_ADDED
        ? new FloatPlaneMeans(
            request, others, rows, columns, resultRows, size(request.result().shape(), 1))
        : others.pooling(request);
  }

  private static int size(Shape shape, int fromEnd) {
    return (int) shape.size(shape.rank() - fromEnd);
  }

  @Override
  public @Nullable Fault run(ExecutionContext context, DenseTensor input, DenseTensor result) {
    if (input.segment().isMapped()) {
      return others.pooling(request).run(context, input, result);
    }
    return context.parallel(
        request.input().shape().elements() / rows / columns,
        Math.max(1, PIECE / ((long) rows * columns)),
        (first, end) -> {
          Object made = DenseTensor.allocate(context.scope(), DType.FLOAT32, Shape.of(columns));
          if (!(made instanceof DenseTensor sums)) {
            return (Fault) made;
          }
          try (sums) {
            float[] row = new float[columns];
            for (long y = first * resultRows; y < end * resultRows; y++) {
              if (context.cancelled() != null) {
                break;
              }
              row(input, y, sums.segment(), row, result);
            }
            return context.cancelled();
          }
        });
  }

  /** The means of row {@code y}, counted from the first plane's first one. */
  private void row(DenseTensor input, long y, MemorySegment sums, float[] row, DenseTensor result) {
    int within = (int) (y % resultRows);
    int top = start(within, rows, resultRows);
    int count = end(within, rows, resultRows) - top;
    long from = input.layout().offset() + (y / resultRows * rows + top) * columns;
    FloatMeans.down(input.segment(), from, columns, count, sums, 0, columns);
    MemorySegment.copy(sums, JAVA_FLOAT, 0, row, 0, columns);
    long to = result.layout().offset() + y * resultColumns;
    for (int x = 0; x < resultColumns; x++) {
      int left = start(x, columns, resultColumns);
      int right = end(x, columns, resultColumns);
      double sum = 0;
      for (int i = left; i < right; i++) {
        sum += row[i];
      }
      float mean = (float) (sum / ((double) count * (right - left)));
      result.segment().setAtIndex(JAVA_FLOAT, to + x, mean);
    }
  }

  private static int start(int i, int inputs, int outputs) {
    return (int) ((long) i * inputs / outputs);
  }

  private static int end(int i, int inputs, int outputs) {
    return (int) Math.ceilDiv((i + 1L) * inputs, (long) outputs);
  }
}
