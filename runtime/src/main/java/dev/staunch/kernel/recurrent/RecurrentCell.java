package dev.staunch.kernel.recurrent;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.formula.RealFunctions;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.primitive.Recurrence;
import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/** What one step of a recurrent layer does with the gates and state of one sequence. */
public enum RecurrentCell {
  /** Gates: in, forget, candidate, out. The cell state is kept in addition to the hidden state. */
  LSTM("lstm", 4) {
    @Override
    void step(double[] input, double[] recurrent, double[] state, double[] cell) {
      int size = cell.length;
      for (int j = 0; j < size; j++) {
        double in = RealFunctions.sigmoid(input[j] + recurrent[j]);
        double forget = RealFunctions.sigmoid(input[size + j] + recurrent[size + j]);
        double candidate = Math.tanh(input[2 * size + j] + recurrent[2 * size + j]);
        double out = RealFunctions.sigmoid(input[3 * size + j] + recurrent[3 * size + j]);
        cell[j] = forget * cell[j] + in * candidate;
        state[j] = out * Math.tanh(cell[j]);
      }
    }
  },
  /** Gates: reset, update, candidate. As in libtorch, the reset gate acts on the product. */
  GRU("gru", 3) {
    @Override
    void step(double[] input, double[] recurrent, double[] state, double[] cell) {
      int size = state.length;
      for (int j = 0; j < size; j++) {
        double reset = RealFunctions.sigmoid(input[j] + recurrent[j]);
        double update = RealFunctions.sigmoid(input[size + j] + recurrent[size + j]);
        double candidate = Math.tanh(input[2 * size + j] + reset * recurrent[2 * size + j]);
        state[j] = candidate + update * (state[j] - candidate);
      }
    }
  },
  /** A plain cell with tanh. */
  TANH("rnn_tanh", 1) {
    @Override
    void step(double[] input, double[] recurrent, double[] state, double[] cell) {
      for (int j = 0; j < state.length; j++) {
        state[j] = Math.tanh(input[j] + recurrent[j]);
      }
    }
  },
  /** A plain cell with max(0, x). */
  RELU("rnn_relu", 1) {
    @Override
    void step(double[] input, double[] recurrent, double[] state, double[] cell) {
      for (int j = 0; j < state.length; j++) {
        state[j] = Math.max(input[j] + recurrent[j], 0);
      }
    }
  };

  private final String title;
  private final int gates;

  RecurrentCell(String title, int gates) {
    this.title = title;
    this.gates = gates;
  }

  /** The cell of a primitive. */
  public static RecurrentCell of(Recurrence.Cell cell) {
    return switch (cell) {
      case LSTM -> LSTM;
      case GRU -> GRU;
      case TANH -> TANH;
      case RELU -> RELU;
    };
  }

  /** The corresponding cell of the primitive. */
  Recurrence.Cell cell() {
    return Recurrence.Cell.valueOf(name());
  }

  /** The operation's name without its overload. */
  String title() {
    return title;
  }

  /** The number of weight rows for each element of the state. */
  int gates() {
    return gates;
  }

  boolean hasCellState() {
    return this == LSTM;
  }

  /**
   * A fault unless the operation {@code name} computes with this dtype. libtorch also takes
   * integers for ReLU cells and, because tanh makes reals of them, for a single step of tanh cells.
   */
  @Nullable Fault unfit(String name, boolean singleStep, DType dtype) {
    boolean taken = this == RELU || (this == TANH && singleStep);
    return taken && dtype.kind() == DType.Kind.INTEGRAL
        ? OperandChecks.implemented(name, dtype)
        : OperandChecks.floating(name, dtype);
  }

  /**
   * Computes one step of one sequence.
   *
   * @param input the input's part of the gates, gate after gate
   * @param recurrent the previous state's part of the gates
   * @param state overwritten with the new hidden state
   * @param cell the cell state, overwritten; only LSTM uses it
   */
  abstract void step(double[] input, double[] recurrent, double[] state, double[] cell);
}
