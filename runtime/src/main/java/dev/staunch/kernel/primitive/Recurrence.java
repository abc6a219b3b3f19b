package dev.staunch.kernel.primitive;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import org.jspecify.annotations.Nullable;

/** The time steps of one direction of a recurrent layer, prepared for parameters of one form. */
public interface Recurrence {
  /** What a step does with the gates and state of one sequence. Gates are in libtorch's order. */
  enum Cell {
    /**
     * Gates: in, forget, candidate, out. The cell state is kept in addition to the hidden state.
     */
    LSTM,
    /** Gates: reset, update, candidate. The reset gate acts on the product. */
    GRU,
    /** One gate; the state is its hyperbolic tangent. */
    TANH,
    /** One gate; the state is its positive part. */
    RELU
  }

  /**
   * What to compute. All operands have one dtype, float32 or float64. Only the shape and strides of
   * a layout matter.
   *
   * @param hidden the weight that turns the state into its part of the gates: [gates * cell, state]
   * @param bias added to that part, [gates * cell]; null for none
   * @param projection turns the cell's output into the hidden state: [state, cell]; null if the
   *     output is the hidden state
   * @param constant the hidden weight, if it is the same at every call
   */
  record Request(
      DType dtype,
      Cell cell,
      Layout hidden,
      @Nullable Layout bias,
      @Nullable Layout projection,
      @Nullable Constant constant) {}

  /**
   * Which rows belong to which time step: those of step t begin at {@code starts[t]}, and there are
   * {@code sizes[t]} of them. The longest sequence comes first, so sizes never increase.
   */
  record Steps(int[] starts, int[] sizes, boolean backwards) {}

  /** The parameters of a call, of the forms in the request. */
  record Parameters(
      DenseTensor hidden, @Nullable DenseTensor bias, @Nullable DenseTensor projection) {}

  /**
   * Runs the steps. A sequence that has ended keeps its state. When the steps run backwards, a
   * sequence that starts late keeps its initial state until then.
   *
   * @param gates the inputs' part of the gates, row-major: one row for each sequence of each step
   * @param states the initial hidden states, one row for each sequence; overwritten with the final
   *     ones
   * @param cells the initial cell states, overwritten likewise; rows of length 0 if there are none
   * @param output receives each new state in the row of its gates, from {@code column} on
   * @return the fault of a cancellation; what was written is then undefined
   */
  @Nullable Fault run(
      ExecutionContext context,
      Parameters parameters,
      DenseTensor gates,
      Steps steps,
      double[][] states,
      double[][] cells,
      DenseTensor output,
      int column);
}
