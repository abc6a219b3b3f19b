package dev.staunch.kernel.spectral;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Filled;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.primitive.ExecutionContext;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Recursive filters (IIR) of signals, on which torchaudio's {@code lfilter} and biquad filters are
 * built: each element is a sum over the last inputs less a sum over the last outputs. Computed in
 * double precision.
 */
final class RecursiveFilters {
  /** Elements that pass through an array at a time. */
  private static final int PART = 1 << 10;

  /** The most coefficients; those of a channel are on the heap. */
  private static final int MOST = 1 << 16;

  /** Multiplications in a piece that other threads may take. */
  private static final long PIECE = 1 << 16;

  private final Operand signal;
  private final Layout from;
  private final Operand target;
  private final int past;
  private final double[] inputs;
  private final double[] outputs;
  private final double[] line = new double[PART];

  private RecursiveFilters(DenseTensor signal, DenseTensor target, int order) {
    this.signal = Operand.of(signal);
    this.from = signal.layout();
    this.target = Operand.of(target);
    this.past = order - 1;
    this.inputs = new double[past + PART];
    this.outputs = new double[past + PART];
  }

  static void addTo(Catalog.Builder catalog) {
    Filled.add(
        catalog.withDTypes(Set.of(DType.FLOAT32, DType.FLOAT64)),
        "torchaudio::_lfilter(Tensor waveform, Tensor a_coeffs, Tensor b_coeffs) -> Tensor",
        RecursiveFilters::form,
        RecursiveFilters::fill);
  }

  private static Object form(Operands operands) {
    Shape signal = operands.shape(0);
    Fault fault =
        OperandChecks.first(
            OperandChecks.sameDType("lfilter", operands.dtype(0), "a_coeffs", operands.dtype(1)),
            OperandChecks.sameDType("lfilter", operands.dtype(0), "b_coeffs", operands.dtype(2)),
            OperandChecks.floating("lfilter", operands.dtype(0)));
    if (fault != null) {
      return fault;
    }
    if (signal.rank() != 3) {
      return OperandChecks.shape(
          "lfilter takes signals [batch, channels, time], but the shape is " + signal,
          "3 dimensions",
          signal);
    }
    for (int i = 1; i < 3; i++) {
      Shape factors = operands.shape(i);
      if (factors.rank() != 2
          || factors.size(0) != signal.size(1)
          || factors.size(1) == 0
          || !factors.equals(operands.shape(1))) {
        String text = "`%s` must be [%d, order] for %d channels, like the other; the shape is %s";
        String name = i == 1 ? "a_coeffs" : "b_coeffs";
        long channels = signal.size(1);
        return OperandChecks.shape(
            Message.of(text, name, channels, channels, factors),
            "[" + channels + ", order]",
            factors);
      }
    }
    long order = operands.shape(1).size(1);
    return order > MOST
        ? Fault.value(Message.of("lfilter takes up to %d coefficients, but got %d", MOST, order))
        : TensorForm.contiguous(operands.dtype(0), signal);
  }

  private static @Nullable Fault fill(DenseTensor target, Call call) {
    if (target.elements() == 0) {
      return null;
    }
    ExecutionContext context = call.environment();
    DenseTensor a = call.tensor(1);
    DenseTensor b = call.tensor(2);
    int order = (int) a.shape().size(1);
    long channels = target.shape().size(1);
    long time = target.shape().size(2);
    return context.parallel(
        target.elements() / time,
        Math.max(1, PIECE / (time * order)),
        (first, end) -> {
          CancellationPoll poll = new CancellationPoll(context);
          RecursiveFilters filter = new RecursiveFilters(call.tensor(0), target, order);
          double[] forward = new double[order];
          double[] back = new double[order];
          for (long row = first; row < end && poll.fault() == null; row++) {
            factors(b, row % channels, forward);
            factors(a, row % channels, back);
            filter.row(row, channels, time, forward, back, poll);
          }
          return poll.fault();
        });
  }

  private static void factors(DenseTensor tensor, long channel, double[] into) {
    Layout layout = tensor.layout();
    long at = layout.offset() + channel * layout.stride(0);
    Operand.of(tensor).load(into, at, layout.stride(1), into.length);
  }

  private void row(
      long row, long channels, long time, double[] b, double[] a, CancellationPoll poll) {
    Arrays.fill(inputs, 0);
    Arrays.fill(outputs, 0);
    long at = from.offset() + row / channels * from.stride(0) + row % channels * from.stride(1);
    int count;
    for (long t = 0; t < time && poll.mayContinue((long) PART * a.length); t += count) {
      count = (int) Math.min(PART, time - t);
      signal.load(inputs, past, at + t * from.stride(2), from.stride(2), count);
      filter(b, a, count);
      System.arraycopy(outputs, past, line, 0, count);
      target.store(line, row * time + t, 1, count);
      System.arraycopy(inputs, count, inputs, 0, past);
      System.arraycopy(outputs, count, outputs, 0, past);
    }
  }

  /** The next outputs for the next inputs, after the past ones. */
  private void filter(double[] b, double[] a, int count) {
    for (int i = past; i < past + count; i++) {
      double sum = b[0] * inputs[i];
      for (int k = 1; k <= past; k++) {
        sum += b[k] * inputs[i - k] - a[k] * outputs[i - k];
      }
      outputs[i] = sum / a[0];
    }
  }
}
