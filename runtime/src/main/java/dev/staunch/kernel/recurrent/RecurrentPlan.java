package dev.staunch.kernel.recurrent;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.scalar.NumberText;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cells, parameters and initial states of a recurrent operation, as tensors or as forms; with
 * forms, only the checks are available.
 *
 * @param hiddens initial hidden states [layers * directions, batch, state]
 * @param cells initial cell states [layers * directions, batch, cell], for LSTM only
 * @param parameters for each layer and direction weight_ih, weight_hh, then biases if there are
 *     any, then the projection if the hidden state and the cell differ in size
 * @param dropout the probability that an element between two layers becomes zero
 */
record RecurrentPlan(
    RecurrentCell kind,
    Object hiddens,
    @Nullable Object cells,
    List<Object> parameters,
    boolean biases,
    int layers,
    double dropout,
    boolean train,
    boolean bidirectional) {

  /** The parameters of one direction, checked against each other. */
  record Weights(
      DenseTensor input,
      DenseTensor hidden,
      @Nullable DenseTensor inputBias,
      @Nullable DenseTensor hiddenBias,
      @Nullable DenseTensor projection) {}

  DenseTensor hidden() {
    return (DenseTensor) hiddens;
  }

  @Nullable DenseTensor cell() {
    return (DenseTensor) cells;
  }

  private static Shape shape(Object tensor) {
    return tensor instanceof DenseTensor known ? known.shape() : Steps.form(tensor).shape();
  }

  private static DType dtype(Object tensor) {
    return tensor instanceof DenseTensor known ? known.dtype() : Steps.form(tensor).dtype();
  }

  int directions() {
    return bidirectional ? 2 : 1;
  }

  boolean dropsOut() {
    return train && dropout > 0 && layers > 1;
  }

  boolean projected() {
    return cells != null
        && shape(cells).rank() == 3
        && shape(cells).size(2) != shape(hiddens).size(2);
  }

  /**
   * The number of sequences that have initial states; 0 if the states do not have three dimensions.
   */
  long batch() {
    return shape(hiddens).rank() == 3 ? shape(hiddens).size(1) : 0;
  }

  /** The size of a hidden state. */
  int stateSize() {
    return Shape.asInt(shape(hiddens).size(2));
  }

  private long cellSize() {
    return cells == null ? stateSize() : shape(cells).size(2);
  }

  private int perDirection() {
    return 2 + (biases ? 2 : 0) + (projected() ? 1 : 0);
  }

  /** The parameters of one layer and direction; {@code index} is layer * directions + direction. */
  Weights weights(int index) {
    return new Weights(
        (DenseTensor) parameters.get(index * perDirection()),
        (DenseTensor) parameters.get(index * perDirection() + 1),
        (DenseTensor) parameter(index, 2),
        (DenseTensor) parameter(index, 3),
        (DenseTensor) parameter(index, 4));
  }

  /** Parameter {@code i} of one layer and direction; null if there is none. */
  private @Nullable Object parameter(int index, int i) {
    int first = index * perDirection();
    boolean there = i < 2 || (i < 4 ? biases : projected());
    return there ? parameters.get(i < 4 ? first + i : first + perDirection() - 1) : null;
  }

  /** The forms of the final states; contiguous, as are all results except possibly the first. */
  List<TensorForm> lastStates(DType dtype) {
    return Stream.of(Optional.of(hiddens), Optional.ofNullable(cells))
        .flatMap(Optional::stream)
        .map(state -> TensorForm.contiguous(dtype, shape(state)))
        .toList();
  }

  /**
   * The fault for the first property that does not fit the data [rows, features] of {@code batch}
   * sequences.
   */
  @Nullable Fault misfit(DType data, long features, long batch) {
    Fault fault = settings();
    fault = fault == null ? first("hidden state", hiddens, batch) : fault;
    fault = fault == null && cells != null ? first("cell state", cells, batch) : fault;
    fault = fault == null ? count() : fault;
    for (Object state : cells == null ? List.of(hiddens) : List.of(hiddens, cells)) {
      fault = fault == null ? sameDType(data, "hx", state) : fault;
    }
    for (Object parameter : parameters) {
      fault = fault == null ? sameDType(data, "params", parameter) : fault;
    }
    fault = fault == null ? kind.unfit(kind.title(), false, data) : fault;
    for (int i = 0; fault == null && i < layers * directions(); i++) {
      long width = i < directions() ? features : (long) directions() * stateSize();
      fault = shapes(width, i);
    }
    return fault;
  }

  private @Nullable Fault sameDType(DType data, String name, Object tensor) {
    return OperandChecks.sameDType(kind.title(), data, name, dtype(tensor));
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

  private @Nullable Fault first(String name, Object state, long batch) {
    Shape shape = shape(state);
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

  private @Nullable Fault shapes(long width, int index) {
    long rows = kind.gates() * cellSize();
    Fault fault = fits("weight_ih", 0, index, rows, width);
    fault = fault == null ? fits("weight_hh", 1, index, rows, stateSize()) : fault;
    fault = fault == null ? fits("bias_ih", 2, index, rows) : fault;
    fault = fault == null ? fits("bias_hh", 3, index, rows) : fault;
    return fault == null ? fits("weight_hr", 4, index, stateSize(), cellSize()) : fault;
  }

  private @Nullable Fault fits(String name, int i, int index, long... sizes) {
    Shape wanted = Shape.of(sizes);
    Object parameter = parameter(index, i);
    if (parameter == null || shape(parameter).equals(wanted)) {
      return null;
    }
    int layer = index / directions();
    String place = "layer " + layer + (index % directions() == 1 ? ", backwards" : "");
    return OperandChecks.shape(
        Message.of(
            "`%s` of %s (%s) must be %s to fit its input and state, but its shape is %s",
            name, kind.title(), place, wanted, shape(parameter)),
        name + " " + wanted,
        shape(parameter));
  }
}
