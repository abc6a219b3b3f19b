package dev.staunch.kernel.recurrent;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.scalar.NumberText;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Shape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a recurrent operation was asked for: its cells, parameters and first states.
 *
 * @param hidden first hidden states [layers * directions, batch, state]
 * @param cell first cell states [layers * directions, batch, cell], for LSTM only
 * @param parameters for each layer and direction weight_ih, weight_hh, then biases if there are
 *     any, then the projection if the hidden state is not as large as the cell
 * @param dropout the probability that an element between two layers becomes zero
 */
record RecurrentPlan(
    RecurrentCell kind,
    DenseTensor hidden,
    @Nullable DenseTensor cell,
    List<DenseTensor> parameters,
    boolean biases,
    int layers,
    double dropout,
    boolean train,
    boolean bidirectional) {

  /** The parameters of one direction; all have been checked to fit each other. */
  record Weights(
      DenseTensor input,
      DenseTensor hidden,
      @Nullable DenseTensor inputBias,
      @Nullable DenseTensor hiddenBias,
      @Nullable DenseTensor projection) {}

  int directions() {
    return bidirectional ? 2 : 1;
  }

  boolean dropsOut() {
    return train && dropout > 0 && layers > 1;
  }

  boolean projected() {
    return cell != null && cell.rank() == 3 && cell.shape().size(2) != hidden.shape().size(2);
  }

  /** The size of a hidden state. */
  int stateSize() {
    return Shape.asInt(hidden.shape().size(2));
  }

  private long cellSize() {
    return cell == null ? stateSize() : cell.shape().size(2);
  }

  private int perDirection() {
    return 2 + (biases ? 2 : 0) + (projected() ? 1 : 0);
  }

  /** The parameters of one layer and direction; {@code index} is layer * directions + direction. */
  Weights weights(int index) {
    int first = index * perDirection();
    return new Weights(
        parameters.get(first),
        parameters.get(first + 1),
        biases ? parameters.get(first + 2) : null,
        biases ? parameters.get(first + 3) : null,
        projected() ? parameters.get(first + perDirection() - 1) : null);
  }

  /** The first thing that does not fit the data [rows, features] of {@code batch} sequences. */
  @Nullable Fault misfit(DenseTensor data, long features, long batch) {
    Fault fault = OperandChecks.floating(kind.title(), data);
    fault = fault == null ? settings() : fault;
    fault = fault == null ? first("hidden state", hidden, batch) : fault;
    fault = fault == null && cell != null ? first("cell state", cell, batch) : fault;
    fault = fault == null ? count() : fault;
    for (DenseTensor state : cell == null ? List.of(hidden) : List.of(hidden, cell)) {
      fault = fault == null ? OperandChecks.sameDType(kind.title(), data, "hx", state) : fault;
    }
    for (DenseTensor parameter : parameters) {
      fault =
          fault == null ? OperandChecks.sameDType(kind.title(), data, "params", parameter) : fault;
    }
    for (int i = 0; fault == null && i < layers * directions(); i++) {
      long width = i < directions() ? features : (long) directions() * stateSize();
      fault = shapes(weights(i), width, i);
    }
    return fault;
  }

  private @Nullable Fault settings() {
    if (layers < 1) {
      return Fault.value(
          "`num_layers` of " + kind.title() + " must be at least 1, but it is " + layers);
    }
    return dropout >= 0 && dropout <= 1
        ? null
        : Fault.value("`dropout` must be from 0 to 1, but it is " + NumberText.brief(dropout))
            .withExpected("a probability from 0 to 1", NumberText.brief(dropout));
  }

  private @Nullable Fault first(String name, DenseTensor state, long batch) {
    Shape shape = state.shape();
    long count = (long) layers * directions();
    if (shape.rank() == 3 && shape.size(0) == count && shape.size(1) == batch) {
      return null;
    }
    String size = shape.rank() == 3 ? Long.toString(shape.size(2)) : "*";
    String wanted = Message.of("[%d, %d, %s]", count, batch, size);
    String text =
        "the %s of %s must be %s (layers times directions, batch, size), but its shape is %s";
    return OperandChecks.shape(Message.of(text, name, kind.title(), wanted, shape), wanted, shape);
  }

  private @Nullable Fault count() {
    int wanted = layers * directions() * perDirection();
    return parameters.size() == wanted
        ? null
        : Fault.value(
                Message.of(
                    "%s of these layers takes %d parameters, but got %d",
                    kind.title(), wanted, parameters.size()))
            .withExpected(wanted + " parameters", parameters.size() + " parameters");
  }

  private @Nullable Fault shapes(Weights weights, long width, int index) {
    long rows = kind.gates() * cellSize();
    Fault fault = shape("weight_ih", weights.input(), index, rows, width);
    fault = fault == null ? shape("weight_hh", weights.hidden(), index, rows, stateSize()) : fault;
    fault = fault == null ? shape("bias_ih", weights.inputBias(), index, rows) : fault;
    fault = fault == null ? shape("bias_hh", weights.hiddenBias(), index, rows) : fault;
    return fault == null
        ? shape("weight_hr", weights.projection(), index, stateSize(), cellSize())
        : fault;
  }

  private @Nullable Fault shape(
      String name, @Nullable DenseTensor parameter, int index, long... sizes) {
    Shape wanted = Shape.of(sizes);
    if (parameter == null || parameter.shape().equals(wanted)) {
      return null;
    }
    int layer = index / directions();
    String place = "layer " + layer + (index % directions() == 1 ? ", backwards" : "");
    return OperandChecks.shape(
        Message.of(
            "`%s` of %s (%s) must be %s to fit its input and state, but its shape is %s",
            name, kind.title(), place, wanted, parameter.shape()),
        name + " " + wanted,
        parameter.shape());
  }
}
