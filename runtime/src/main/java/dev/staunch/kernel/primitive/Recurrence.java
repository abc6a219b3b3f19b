package dev.staunch.kernel.primitive;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import org.jspecify.annotations.Nullable;

/** The time steps of one direction of a recurrent layer, prepared for parameters of one form. */
public interface Recurrence {
  /** What a step does with one sequence's gates and state, as libtorch orders the gates. */
  enum Cell {
    /** Gates in, forget, candidate, out; besides the hidden state there is one of the cell. */
    LSTM,
    /** Gates reset, update, candidate; the reset acts on the product. */
    GRU,
    /** One gate, of which the state is the hyperbolic tangent. */
    TANH,
    /** One gate, of which the state is the positive part. */
    RELU
  }

  /**
   * What is to be computed. All operands have one dtype, float32 or float64. Of layouts only shape
   * and strides matter.
   *
   * @param hidden what the state adds to the gates: [gates * cell, state]
   * @param bias is added to that, [gates * cell]; null for nothing
   * @param projection makes the hidden state of the cell's output: [state, cell]; null if that is
   *     the state
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
   * Which rows belong to which time step: those of step t begin at {@code starts[t]} and are {@code
   * sizes[t]}; the longest sequence comes first, so sizes never rise.
   */
  record Steps(int[] starts, int[] sizes, boolean backwards) {}

  /** The parameters of a call, as the request has them. */
  record Parameters(
      DenseTensor hidden, @Nullable DenseTensor bias, @Nullable DenseTensor projection) {}

  /**
   * Walks through the steps. A sequence that has ended keeps its state; one that starts late,
   * walking backwards, has its first state until then.
   *
   * @param gates what the inputs add to the gates, row-major: a row for each sequence of each step
   * @param states the first hidden states, a row for each sequence; overwritten with the last ones
   * @param cells the first cell states, overwritten too; rows of no length if there are none
   * @param output takes each new state in the row of its gates, from {@code column} on
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
