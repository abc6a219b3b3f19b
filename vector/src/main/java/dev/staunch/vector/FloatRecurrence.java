package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.kernel.primitive.Recurrence;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Recurrent time steps in float32: one matrix product for all sequences of a step, then the cells
 * row by row.
 */
record FloatRecurrence(Request request, KernelSet others, ScratchPool<FloatTiles> tiles)
    implements Recurrence {
  /** The most rows that are multiplied by the weight one after another. */
  private static final int FEW_ROWS = 3;

  /**
   * Returns these steps, or those of {@code others} if the dtype is not float32 or the state is a
   * projection.
   */
  static Recurrence of(Request request, KernelSet others, ScratchPool<FloatTiles> tiles) {
    boolean fits =
        request.dtype() == DType.FLOAT32
            && request.projection() == null
            && request.hidden().shape().elements() > 0
            && request.hidden().shape().elements() < 1 << 28;
    return fits ? new FloatRecurrence(request, others, tiles) : others.recurrence(request);
  }

  @Override
  public @Nullable Fault run(
      ExecutionContext context,
      Parameters parameters,
      DenseTensor gates,
      Steps steps,
      double[][] states,
      double[][] cells,
      DenseTensor output,
      int column) {
    DenseTensor bias = parameters.bias();
    if (parameters.hidden().segment().isMapped()
        || gates.segment().isMapped()
        || (bias != null && bias.segment().isMapped())) {
      return others
          .recurrence(request)
          .run(context, parameters, gates, steps, states, cells, output, column);
    }
    int width = (int) request.hidden().shape().size(0);
    int size = (int) request.hidden().shape().size(1);
    int count = states.length;
    Object made =
        DenseTensor.allocate(
            context.scope(),
            DType.FLOAT32,
            Shape.of((long) count * (width + 2L * size) + width + size));
    if (!(made instanceof DenseTensor scratch)) {
      return (Fault) made;
    }
    try {
      return new Walk(this, context, parameters, gates, output, column, scratch, count, size, width)
          .run(steps, states, cells);
    } finally {
      scratch.close();
    }
  }

  /**
   * One call. Scratch memory holds states, cell states and products, with a row for each sequence.
   */
  private record Walk(
      FloatRecurrence prepared,
      ExecutionContext context,
      Parameters parameters,
      DenseTensor gates,
      DenseTensor output,
      int column,
      DenseTensor scratch,
      int count,
      int size,
      int width) {

    private long cellsAt() {
      return (long) count * size;
    }

    private long sumsAt() {
      return 2 * cellsAt();
    }

    @Nullable Fault run(Steps steps, double[][] states, double[][] cells) {
      read(states, 0);
      read(cells, cellsAt());
      Request request = prepared.request();
      FloatLstm lstm =
          request.cell() == Cell.LSTM && count <= FEW_ROWS
              ? FloatLstm.of(request.constant(), request.hidden())
              : null;
      Fault stop = lstm == null ? walk(steps) : walk(steps, lstm);
      write(0, states);
      write(cellsAt(), cells);
      return stop;
    }

    private @Nullable Fault walk(Steps steps) {
      Map<Integer, MatrixProduct> products = new HashMap<>();
      int last = steps.sizes().length - 1;
      Fault stop = null;
      for (int i = 0; i <= last && stop == null; i++) {
        int t = steps.backwards() ? last - i : i;
        int rows = steps.sizes()[t];
        boolean backwards = i % 2 == 1;
        stop =
            products
                .computeIfAbsent(backwards ? -rows : rows, key -> product(Math.abs(key), backwards))
                .run(context, scratch, parameters.hidden(), parameters.bias(), scratch);
        for (int row = 0; row < rows && stop == null; row++) {
          step(row, steps.starts()[t] + (long) row);
        }
        stop = stop == null ? context.cancelled() : stop;
      }
      return stop;
    }

    /**
     * Runs row by row; the room for products holds the bias, the sums, and the new state of a step.
     */
    private @Nullable Fault walk(Steps steps, FloatLstm lstm) {
      long base = scratch.layout().offset();
      long bias = base + sumsAt();
      readBias(bias);
      long next = bias + 2L * width; // after the sums of the gates
      int last = steps.sizes().length - 1;
      Fault stop = null;
      for (int i = 0; i <= last && stop == null; i++) {
        int t = steps.backwards() ? last - i : i;
        for (int row = 0; row < steps.sizes()[t] && stop == null; row++) {
          long input = steps.starts()[t] + (long) row;
          long state = base + (long) row * size;
          stop = step(lstm, (i + row) % 2 == 1, input, bias, state, next);
          copy(next, scratch, state);
          put(state, input);
        }
        stop = stop == null ? context.cancelled() : stop;
      }
      return stop;
    }

    private @Nullable Fault step(
        FloatLstm lstm, boolean backwards, long input, long bias, long state, long next) {
      long from = gates.layout().offset() + input * width;
      return context.parallel(
          lstm.vectors(),
          lstm.grain(),
          (first, end) -> {
            lstm.step(
                first,
                end,
                backwards,
                gates.segment(),
                from,
                scratch.segment(),
                bias,
                state,
                state + cellsAt(),
                next);
            return null;
          });
    }

    private void readBias(long at) {
      DenseTensor bias = parameters.bias();
      for (int i = 0; i < width; i++) {
        float element =
            bias == null
                ? 0
                : bias.segment()
                    .getAtIndex(
                        ValueLayout.JAVA_FLOAT,
                        bias.layout().offset() + i * bias.layout().stride(0));
        scratch.segment().setAtIndex(ValueLayout.JAVA_FLOAT, at + i, element);
      }
    }

    /** {@code sums = bias + states * transposed weight}, for some rows. */
    private MatrixProduct product(int rows, boolean backwards) {
      Request request = prepared.request();
      Layout weight = request.hidden();
      Layout bias = request.bias();
      Layout turned =
          new Layout(Shape.of(size, width), new long[] {weight.stride(1), weight.stride(0)}, 0);
      Layout addend =
          bias == null
              ? null
              : new Layout(Shape.of(rows, width), new long[] {0, bias.stride(0)}, 0);
      Layout sums = new Layout(Shape.of(rows, width), new long[] {width, 1}, sumsAt());
      return FloatMatrixProduct.of(
          new MatrixProduct.Request(
              DType.FLOAT32,
              Layout.contiguous(Shape.of(rows, size)),
              turned,
              addend,
              sums,
              1,
              request.constant()),
          prepared.others(),
          prepared.tiles(),
          backwards);
    }

    /** One step of one sequence, whose gates are in {@code inputRow}. */
    private void step(int row, long inputRow) {
      MemorySegment work = scratch.segment();
      long base = scratch.layout().offset();
      long state = base + (long) row * size;
      long cell = state + cellsAt();
      long sums = base + sumsAt() + (long) row * width;
      MemorySegment input = gates.segment();
      long from = gates.layout().offset() + inputRow * width;
      switch (prepared.request().cell()) {
        case LSTM -> FloatCells.lstm(input, from, work, sums, cell, state, size);
        case GRU -> FloatCells.gru(input, from, work, sums, state, size);
        case TANH -> FloatCells.tanh(input, from, work, sums, state, size);
        case RELU -> FloatCells.relu(input, from, work, sums, state, size);
      }
      put(state, inputRow);
    }

    /** Copies the new state to the row of the output that corresponds to {@code inputRow}. */
    private void put(long state, long inputRow) {
      Layout layout = output.layout();
      copy(state, output, layout.offset() + inputRow * layout.stride(0) + column);
    }

    private void copy(long from, DenseTensor into, long to) {
      MemorySegment.copy(
          scratch.segment(),
          from * Float.BYTES,
          into.segment(),
          to * Float.BYTES,
          size * (long) Float.BYTES);
    }

    private void read(double[][] rows, long at) {
      for (int row = 0; row < rows.length; row++) {
        for (int i = 0; i < rows[row].length; i++) {
          long place = scratch.layout().offset() + at + (long) row * size + i;
          scratch.segment().setAtIndex(ValueLayout.JAVA_FLOAT, place, (float) rows[row][i]);
        }
      }
    }

    private void write(long at, double[][] rows) {
      for (int row = 0; row < rows.length; row++) {
        for (int i = 0; i < rows[row].length; i++) {
          long place = scratch.layout().offset() + at + (long) row * size + i;
          rows[row][i] = scratch.segment().getAtIndex(ValueLayout.JAVA_FLOAT, place);
        }
      }
    }
  }
}
