package dev.staunch.kernel.recurrent;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;

/**
 * The sequences that take part in each time step: those of step t are rows {@code starts[t]} to
 * {@code starts[t] + sizes[t]} of the packed data. The longest sequence comes first, so the sizes
 * never increase.
 */
record SequenceSteps(int[] sizes, int[] starts) {

  /** Steps of sequences that all have the same length. */
  static SequenceSteps even(int steps, int batch) {
    int[] sizes = new int[steps];
    Arrays.fill(sizes, batch);
    return new SequenceSteps(sizes, starts(sizes));
  }

  /** The steps that {@code batch_sizes} describes for data with {@code rows} rows; or a fault. */
  static Object packed(CancellationPoll poll, DenseTensor batchSizes, long rows) {
    Object checked = counts(poll, "batch_sizes", batchSizes);
    if (!(checked instanceof long[] counts)) {
      return checked;
    }
    long sum = 0;
    for (int t = 0; t < counts.length; t++) {
      if (counts[t] <= 0 || (t > 0 && counts[t] > counts[t - 1])) {
        String text = "batch_sizes must be positive and not increase, but batch_sizes[%d] is %d";
        return Fault.value(
                Message.of(text, t, counts[t]) + (t > 0 ? " after " + counts[t - 1] : ""))
            .withExpected("sizes of a packed sequence", Arrays.toString(counts));
      }
      sum += Math.min(counts[t], rows + 1);
    }
    if (sum != rows) {
      String text = "batch_sizes count %d rows, but the packed data has %d";
      return Fault.shape(Message.of(text, sum, rows)).withExpected(sum + " rows", rows + " rows");
    }
    if (counts.length == 0) {
      return Fault.shape("a sequence needs at least 1 time step, but `batch_sizes` is empty")
          .withExpected("at least 1 time step", "0");
    }
    int[] sizes = Arrays.stream(counts).mapToInt(Shape::asInt).toArray();
    return new SequenceSteps(sizes, starts(sizes));
  }

  /**
   * The elements of a one-dimensional int64 tensor as {@code long[]}; or a fault, which may be that
   * of a cancellation.
   */
  static Object counts(CancellationPoll poll, String name, DenseTensor tensor) {
    if (tensor.rank() != 1 || tensor.dtype() != DType.INT64) {
      String text = "`%s` must be a vector of int64, but it is %s";
      return Fault.of(
              tensor.rank() == 1 ? FaultType.DTYPE : FaultType.SHAPE,
              Message.of(text, name, tensor.describe()))
          .withExpected(ExpectedDType.of(DType.INT64).in(name), tensor.describe());
    }
    long[] counts = new long[Shape.asInt(tensor.elements())];
    Integers.of(poll, tensor).copy(0, counts.length, counts, 0);
    return poll.fault() == null ? counts : poll.fault();
  }

  private static int[] starts(int[] sizes) {
    int[] starts = new int[sizes.length];
    for (int t = 1; t < sizes.length; t++) {
      starts[t] = Math.addExact(starts[t - 1], sizes[t - 1]);
    }
    return starts;
  }

  /** The number of time steps. */
  int count() {
    return sizes.length;
  }

  /** The number of sequences. */
  int batch() {
    return sizes[0];
  }
}
