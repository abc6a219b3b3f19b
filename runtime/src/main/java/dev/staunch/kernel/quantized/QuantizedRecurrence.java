package dev.staunch.kernel.quantized;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ClassLayout;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Recurrent layers and cells with packed weights on real sequences. As in libtorch, the inputs of
 * all time steps are rounded to codes by their common range, and each state by its own.
 */
final class QuantizedRecurrence {
  private static final String CELL = "__torch__.torch.classes.rnn.CellParamsBase";
  private static final ClassLayout CELL_SLOTS =
      new ClassLayout(CELL, List.of("kind", "halved", "packed"));
  private static final String DYNAMIC = "quantized_dynamic";
  private static final String FLOAT16 = "quantized_fp16";

  private QuantizedRecurrence() {}

  static void addTo(Catalog.Builder builder) {
    Catalog.Builder catalog = Quantization.taking(builder);
    String linear = PackedParameters.LINEAR;
    catalog.one(
        "quantized::make_quantized_cell_params_dynamic("
            + linear
            + " w_ih, "
            + linear
            + " w_hh, Tensor bias_ih, Tensor bias_hh, bool reduce_range=False) -> "
            + CELL,
        call -> parameters(call, DYNAMIC, call.bool(4)));
    catalog.one(
        "quantized::make_quantized_cell_params_fp16("
            + linear
            + " w_ih, "
            + linear
            + " w_hh) -> "
            + CELL,
        call -> parameters(call, FLOAT16, /* halved= */ false));
    String settings =
        CELL
            + "[] params, bool has_biases, int num_layers, float dropout, bool train, bool"
            + " bidirectional";
    String format = ", *, ScalarType? dtype=None, bool use_dynamic=False)";
    Catalog.Builder drawing = catalog.with(Trait.DRAWS_RANDOM);
    drawing.many(
        "aten::quantized_lstm.input(Tensor input, Tensor[] hx, "
            + settings
            + ", bool batch_first"
            + format
            + " -> (Tensor, Tensor, Tensor)",
        Steps.many((steps, call) -> padded(steps, call, Cell.LSTM)));
    drawing.many(
        "aten::quantized_lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, "
            + settings
            + format
            + " -> (Tensor, Tensor, Tensor)",
        Steps.many((steps, call) -> packed(steps, call, Cell.LSTM)));
    drawing.many(
        "aten::quantized_gru.input(Tensor input, Tensor hx, "
            + settings
            + ", bool batch_first) -> (Tensor, Tensor)",
        Steps.many((steps, call) -> padded(steps, call, Cell.GRU)));
    drawing.many(
        "aten::quantized_gru.data(Tensor data, Tensor batch_sizes, Tensor hx, "
            + settings
            + ") -> (Tensor, Tensor)",
        Steps.many((steps, call) -> packed(steps, call, Cell.GRU)));
    String weights = linear + " w_ih, " + linear + " w_hh, Tensor ";
    catalog.many(
        "quantized::quantized_lstm_cell_dynamic(Tensor input, Tensor[] hx, "
            + weights
            + "bias_ih, Tensor bias_hh) -> (Tensor, Tensor)",
        Steps.many((steps, call) -> cell(steps, call, Cell.LSTM)));
    for (Cell cell : List.of(Cell.GRU, Cell.RNN_TANH, Cell.RNN_RELU)) {
      Steps.add(
          catalog,
          Message.of(
              "quantized::quantized_%s_cell_dynamic(Tensor input, Tensor hx, %sb_ih, Tensor b_hh)"
                  + " -> Tensor",
              cell.title, weights),
          (steps, call) -> Steps.pick(cell(steps, call, cell), 0));
    }
  }

  private static ObjectValue parameters(Call call, String kind, boolean halved) {
    ObjectValue object = new ObjectValue(CELL_SLOTS);
    object.set(0, kind);
    object.set(1, halved);
    object.set(2, Steps.list(call.value(0), call.value(1)));
    return object;
  }

  /** What a cell makes of the gates and its state: the new hidden state, and the cell state. */
  private enum Cell {
    LSTM("lstm") {
      @Override
      Object[] next(Steps steps, Object input, Object hidden, Object[] state) {
        Object gates = steps.sum(input, hidden);
        Object enter = steps.run("sigmoid", part(steps, gates, 0, 4));
        Object forget = steps.run("sigmoid", part(steps, gates, 1, 4));
        Object fresh = steps.run("tanh", part(steps, gates, 2, 4));
        Object leave = steps.run("sigmoid", part(steps, gates, 3, 4));
        Object cell = steps.sum(steps.product(forget, state[1]), steps.product(enter, fresh));
        return new Object[] {steps.product(leave, steps.run("tanh", cell)), cell};
      }
    },
    GRU("gru") {
      @Override
      Object[] next(Steps steps, Object input, Object hidden, Object[] state) {
        Object reset =
            steps.run("sigmoid", steps.sum(part(steps, input, 0, 3), part(steps, hidden, 0, 3)));
        Object update =
            steps.run("sigmoid", steps.sum(part(steps, input, 1, 3), part(steps, hidden, 1, 3)));
        Object fresh =
            steps.run(
                "tanh",
                steps.sum(
                    part(steps, input, 2, 3), steps.product(part(steps, hidden, 2, 3), reset)));
        Object kept = steps.product(steps.difference(state[0], fresh), update);
        return new Object[] {steps.sum(kept, fresh)};
      }
    },
    RNN_TANH("rnn_tanh") {
      @Override
      Object[] next(Steps steps, Object input, Object hidden, Object[] state) {
        return new Object[] {steps.run("tanh", steps.sum(input, hidden))};
      }
    },
    RNN_RELU("rnn_relu") {
      @Override
      Object[] next(Steps steps, Object input, Object hidden, Object[] state) {
        return new Object[] {steps.run("relu", steps.sum(input, hidden))};
      }
    };

    final String title;

    Cell(String title) {
      this.title = title;
    }

    abstract Object[] next(Steps steps, Object input, Object hidden, Object[] state);

    /** One of {@code count} equal parts of the last dimension. */
    private static Object part(Steps steps, Object gates, long i, long count) {
      Object parts = steps.run("chunk", gates, count, -1L);
      return parts instanceof List<?> list && i < list.size() ? list.get((int) i) : parts;
    }
  }

  private static Object cell(Steps steps, Call call, Cell kind) {
    Object[] state =
        call.value(1) instanceof List<?> both ? both.toArray() : new Object[] {call.value(1)};
    if (state.length != (kind == Cell.LSTM ? 2 : 1)) {
      return wrongStates(state.length);
    }
    Object input =
        QuantizedLayers.rounded(steps, call.value(0), PackedParameters.of(call, 2), true);
    Object hidden = QuantizedLayers.rounded(steps, state[0], PackedParameters.of(call, 3), true);
    return kind.next(steps, input, hidden, state);
  }

  private static Fault wrongStates(int given) {
    return Fault.value("lstm takes a hidden and a cell state, but got " + given + " tensors")
        .withExpected("hidden state and cell state", given + " tensors");
  }

  /** Sequences of one length. */
  private static Object padded(Steps steps, Call call, Cell kind) {
    DenseTensor input = call.tensor(0);
    if (input.rank() != 3 || input.elements() == 0) {
      return Fault.shape("a batch of sequences has 3 dimensions, but it is " + input.shape())
          .withExpected("3 dimensions that are not empty", input.shape().toString());
    }
    boolean batchFirst = call.bool(8);
    Object ordered = batchFirst ? steps.run("transpose.int", input, 0L, 1L) : input;
    long[] sizes = Steps.form(ordered).shape().toArray();
    int[] batches = new int[Shape.asInt(sizes[0])];
    Arrays.fill(batches, Shape.asInt(sizes[1]));
    Object rows = steps.view(ordered, sizes[0] * sizes[1], sizes[2]);
    Object outcome = layers(steps, call, 1, kind, rows, batches);
    if (!(outcome instanceof Object[] results)) {
      return outcome;
    }
    Object output = steps.view(results[0], sizes[0], sizes[1], -1);
    results[0] = batchFirst ? steps.run("transpose.int", output, 0L, 1L) : output;
    return results;
  }

  /**
   * Sequences of different lengths, the longest first: the rows of one time step follow another.
   */
  private static Object packed(Steps steps, Call call, Cell kind) {
    DenseTensor data = call.tensor(0);
    DenseTensor counts = call.tensor(1);
    if (data.rank() != 2 || counts.rank() != 1 || counts.dtype() != DType.INT64) {
      String text = "packed sequences are rows and an int64 vector, but these are %s and %s";
      return Fault.shape(Message.of(text, data, counts))
          .withExpected("[rows, features] and [steps]", data.shape() + " and " + counts.shape());
    }
    long[] sizes = HostTensors.toLongs(counts);
    int[] batches = new int[sizes.length];
    long rows = 0;
    for (int t = 0; t < sizes.length; t++) {
      if (sizes[t] < 1 || sizes[t] > (t == 0 ? data.shape().size(0) : sizes[t - 1])) {
        return Fault.value("`batch_sizes` must fall, but it holds " + Arrays.toString(sizes));
      }
      batches[t] = (int) sizes[t];
      rows += sizes[t];
    }
    if (rows == 0 || rows != data.shape().size(0)) {
      String text = "`batch_sizes` counts %d rows, but there are %s";
      return Fault.shape(Message.of(text, rows, data.shape()))
          .withExpected(rows + " rows", data.shape().toString());
    }
    return layers(steps, call, 2, kind, call.value(0), batches);
  }

  /**
   * All layers over the rows of all time steps.
   *
   * @param at the position of the initial states among the arguments
   */
  private static Object layers(
      Steps steps, Call call, int at, Cell kind, Object rows, int[] batches) {
    boolean lstm = kind == Cell.LSTM;
    List<?> initial = lstm ? call.list(at) : List.of(call.value(at));
    if (lstm && initial.size() != 2) {
      return wrongStates(initial.size());
    }
    int directions = call.bool(at + 6) ? 2 : 1;
    List<Object> cells = call.list(at + 1);
    if (cells.size() != call.integer(at + 3) * directions) {
      String text = "%d layers of %d directions do not have %d cells";
      return Fault.value(Message.of(text, call.integer(at + 3), directions, cells.size()));
    }
    Object input = rows;
    List<List<Object>> last = List.of(new ArrayList<>(), new ArrayList<>());
    for (int first = 0; first < cells.size(); first += directions) {
      List<Object> outputs = new ArrayList<>();
      for (int d = 0; d < directions; d++) {
        Object[] state = new Object[initial.size()];
        for (int s = 0; s < state.length; s++) {
          state[s] = steps.run("select.int", initial.get(s), 0L, (long) first + d);
        }
        ObjectValue cell = (ObjectValue) cells.get(first + d);
        outputs.add(sequence(steps, kind, cell, input, batches, state, d == 1));
        for (int s = 0; s < state.length; s++) {
          last.get(s).add(state[s]);
        }
      }
      input = directions == 1 ? outputs.getFirst() : steps.run("cat", outputs, 1L);
      if (call.bool(at + 5) && first + directions < cells.size()) {
        input = steps.run("dropout", input, call.real(at + 4), true);
      }
    }
    Object hidden = steps.run("stack", last.get(0), 0L);
    return lstm
        ? new Object[] {input, hidden, steps.run("stack", last.get(1), 0L)}
        : new Object[] {input, hidden};
  }

  /** The hidden states of all rows; {@code state} is the last one of each sequence afterwards. */
  private static Object sequence(
      Steps steps,
      Cell kind,
      ObjectValue cell,
      Object input,
      int[] batches,
      Object[] state,
      boolean backwards) {
    String format = (String) slot(cell, "kind");
    boolean half = format.equals(FLOAT16);
    if (!half && !format.equals(DYNAMIC)) {
      return Fault.unsupported("recurrent cells of the kind " + format + " are not supported");
    }
    List<?> packed = (List<?>) slot(cell, "packed");
    PackedParameters fromInput = new PackedParameters((ObjectValue) packed.get(0));
    PackedParameters fromState = new PackedParameters((ObjectValue) packed.get(1));
    boolean halved = (Boolean) slot(cell, "halved");
    Object gates = product(steps, input, fromInput, half, halved);
    Object[] outputs = new Object[batches.length];
    int row = backwards ? Arrays.stream(batches).sum() : 0;
    for (int i = 0; i < batches.length; i++) {
      int time = backwards ? batches.length - 1 - i : i;
      int count = batches[time];
      row -= backwards ? count : 0;
      Object own = rows(steps, gates, row, count);
      Object[] before = new Object[state.length];
      for (int s = 0; s < state.length; s++) {
        before[s] = rows(steps, state[s], 0, count);
      }
      Object hidden = product(steps, before[0], fromState, half, halved);
      Object[] next = kind.next(steps, own, hidden, before);
      outputs[time] = next[0];
      for (int s = 0; s < state.length; s++) {
        Object rest = rows(steps, state[s], count, batches[0] - count);
        state[s] = count == batches[0] ? next[s] : steps.run("cat", Steps.list(next[s], rest), 0L);
      }
      row += backwards ? 0 : count;
    }
    return steps.run("cat", Steps.list(outputs), 0L);
  }

  private static Object rows(Steps steps, Object tensor, long first, long count) {
    return steps.run("narrow", tensor, 0L, first, count);
  }

  private static Object product(
      Steps steps, Object input, PackedParameters parameters, boolean half, boolean halved) {
    return half
        ? QuantizedLayers.linear(steps, input, parameters)
        : QuantizedLayers.rounded(steps, input, parameters, halved);
  }

  private static Object slot(ObjectValue cell, String name) {
    Object value = cell.get(cell.layout().indexOf(name));
    if (value == null) {
      throw Fault.value("an object of " + cell + " has no " + name).toUnreadException();
    }
    return value;
  }
}
