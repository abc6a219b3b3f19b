package dev.staunch.kernel.recurrent;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.primitive.Recurrence;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One direction of one recurrent layer: its packed weights, the states of all sequences, and the
 * loop over the time steps. Made for one call.
 *
 * <p>A sequence that has ended keeps its state. When the steps run backwards, a sequence that
 * starts late keeps its initial state until then. So the states at the end are the final states of
 * each sequence.
 */
public final class RecurrentDirection {
  /** The number of multiplications that cost as much as one gate. */
  private static final long GATE = 8;

  private final CancellationPoll poll;
  private final RecurrentCell kind;
  private final RecurrentWeight hidden;
  private final @Nullable RecurrentWeight projection;
  private final double[] bias;
  private final double[] gates;
  private final double[][] sums;
  private final double[][] states;
  private final double[][] cells;
  private final double[][] outputs;

  /**
   * @param states the initial hidden states, overwritten with the final ones
   * @param cells the initial cell states, overwritten likewise; rows of length 0 if there are none
   */
  public RecurrentDirection(
      CancellationPoll poll,
      RecurrentCell kind,
      Recurrence.Parameters weights,
      double[][] states,
      double[][] cells) {
    int most = states.length;
    int width = Shape.asInt(weights.hidden().shape().size(0));
    this.poll = poll;
    this.kind = kind;
    this.hidden = RecurrentWeight.of(poll, weights.hidden(), most);
    this.projection =
        weights.projection() == null ? null : RecurrentWeight.of(poll, weights.projection(), most);
    this.bias = weights.bias() == null ? new double[width] : Filling.read(poll, weights.bias());
    this.gates = new double[width];
    this.sums = new double[most][width];
    this.states = states;
    this.cells = cells;
    this.outputs = projection == null ? states : new double[most][width / kind.gates()];
  }

  /**
   * Runs the steps and writes each new state into a row of {@code output}, from {@code column} on.
   *
   * @param input the inputs' part of the gates: one row for each sequence of each step
   * @return the fault of a cancellation; what was written is then undefined
   */
  public @Nullable Fault run(
      DenseTensor input, Recurrence.Steps steps, DenseTensor output, int column) {
    int count = steps.sizes().length;
    for (int i = 0; i < count; i++) {
      int t = steps.backwards() ? count - 1 - i : i;
      Fault stop = step(input, steps.starts()[t], steps.sizes()[t]);
      if (stop != null) {
        return stop;
      }
      store(output, column, steps.starts()[t], steps.sizes()[t]);
    }
    return null;
  }

  private @Nullable Fault step(DenseTensor input, int start, int count) {
    for (int b = 0; b < count; b++) {
      System.arraycopy(bias, 0, sums[b], 0, bias.length);
    }
    Fault stop = hidden.add(poll, states, count, sums);
    if (stop != null) {
      return stop;
    }
    Operand source = Operand.of(input);
    for (int b = 0; b < count && poll.mayContinue(GATE * gates.length); b++) {
      source.load(gates, (long) (start + b) * gates.length, 1, gates.length);
      kind.step(gates, sums[b], outputs[b], cells[b]);
    }
    return projection == null ? poll.fault() : project(projection, count);
  }

  private @Nullable Fault project(RecurrentWeight weight, int count) {
    for (int b = 0; b < count; b++) {
      Arrays.fill(states[b], 0);
    }
    return weight.add(poll, outputs, count, states);
  }

  private void store(DenseTensor output, int column, int start, int count) {
    Operand target = Operand.of(output);
    Layout layout = output.layout();
    for (int b = 0; b < count; b++) {
      long at = layout.offset() + (start + b) * layout.stride(0) + column;
      target.store(states[b], at, 1, states[b].length);
    }
  }
}
