package dev.staunch.kernel.recurrent;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.linear.BatchedProduct;
import dev.staunch.kernel.linear.BatchedProduct.Addend;
import dev.staunch.kernel.linear.ProductFaults;
import dev.staunch.kernel.loop.Reals;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Cost;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Single steps of recurrent cells: {@code lstm_cell}, {@code gru_cell} and the plain ones. */
final class RecurrentCells {
  private static final String WEIGHTS =
      ", Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> ";

  private RecurrentCells() {}

  static void addTo(Catalog.Builder plain) {
    Catalog.Builder catalog =
        plain
            .with(Trait.NARROW_AS_FLOAT32, Trait.AUTOCAST_REDUCES)
            .withDTypes(DType.of(DType.Kind.FLOATING))
            .withCost(Cost.Work.rows(2, 3));
    catalog
        .withInference(RecurrentCells::lstmForms)
        .many(
            "aten::lstm_cell(Tensor input, Tensor[] hx" + WEIGHTS + "(Tensor, Tensor)",
            call -> lstm(call));
    for (RecurrentCell kind : List.of(RecurrentCell.GRU, RecurrentCell.TANH, RecurrentCell.RELU)) {
      catalog
          .withInference(operands -> {
            Fault fault = misfit(operands, kind, operands.form(1));
            return fault == null ? dense(operands.form(1)) : fault;
          })
          .one(
              "aten::" + kind.title() + "_cell(Tensor input, Tensor hx" + WEIGHTS + "Tensor",
              call -> {
                Object results = run(call, kind, call.tensor(1), null);
                return results instanceof Object[] several ? several[0] : results;
              });
    }
  }

  private static Object lstm(Call call) {
    Fault fault = missing(call.list(1));
    if (fault != null) {
      return fault;
    }
    List<DenseTensor> states = RecurrentOperations.tensors(call.list(1));
    return run(call, RecurrentCell.LSTM, states.get(0), states.get(1));
  }

  private static @Nullable Fault missing(List<?> states) {
    return states.size() == 2
        ? null
        : Fault.value(
                "lstm_cell takes a hidden and a cell state, but got " + states.size() + " tensors")
            .withExpected("hidden state and cell state", states.size() + " tensors");
  }

  private static Object lstmForms(Operands operands) {
    Fault fault = missing(operands.list(1));
    Object[] forms =
        operands.list(1).stream().map(Steps::form).map(RecurrentCells::dense).toArray();
    for (int i = 0; fault == null && i < forms.length; i++) {
      fault = misfit(operands, RecurrentCell.LSTM, (TensorForm) forms[i]);
    }
    return fault == null ? forms : fault;
  }

  private static TensorForm dense(TensorForm state) {
    return TensorForm.contiguous(state.dtype(), state.shape());
  }

  private static Object run(
      Call call, RecurrentCell kind, DenseTensor hidden, @Nullable DenseTensor cell) {
    Fault fault = misfit(call, kind, Call.formOf(hidden));
    fault = fault == null && cell != null ? misfit(call, kind, Call.formOf(cell)) : fault;
    if (fault != null) {
      return fault;
    }
    Object input = product(call, call.tensor(0), 2);
    if (!(input instanceof DenseTensor gates)) {
      return input;
    }
    Object recurrent = product(call, hidden, 3);
    Object results =
        recurrent instanceof DenseTensor sums
            ? stepped(call, kind, gates, sums, hidden, cell)
            : recurrent;
    gates.close();
    if (recurrent instanceof DenseTensor sums) {
      sums.close();
    }
    return results;
  }

  private static Object product(Call call, DenseTensor factor, int at) {
    return BatchedProduct.of(
        call,
        at,
        "linear",
        BatchedProduct.Operand.of(factor),
        BatchedProduct.Operand.transposed(call.tensor(at)),
        new Addend(call.optionalTensor(at + 2), 1L, 1L));
  }

  private static Object stepped(
      Call call,
      RecurrentCell kind,
      DenseTensor gates,
      DenseTensor sums,
      DenseTensor hidden,
      @Nullable DenseTensor cell) {
    int width = Shape.asInt(gates.shape().size(1));
    int size = width / kind.gates();
    CancellationPoll poll = new CancellationPoll(call);
    Object first = call.allocate(hidden.dtype(), hidden.shape());
    Object second =
        cell == null || first instanceof Fault ? first : call.allocate(cell.dtype(), cell.shape());
    if (!(first instanceof DenseTensor states) || !(second instanceof DenseTensor cells)) {
      if (first instanceof DenseTensor made) {
        made.close();
      }
      return second;
    }
    Reals before = Reals.of(poll, hidden);
    Reals remembered = Reals.of(poll, cell == null ? hidden : cell);
    double[] input = new double[width];
    double[] recurrent = new double[width];
    double[] state = new double[size];
    double[] memory = new double[cell == null ? 0 : size];
    for (long b = 0; b < hidden.shape().size(0) && poll.mayContinue(width); b++) {
      Operand.of(gates).load(input, b * width, 1, width);
      Operand.of(sums).load(recurrent, b * width, 1, width);
      long row = b * size;
      Arrays.setAll(state, i -> before.at(row + i));
      Arrays.setAll(memory, i -> remembered.at(row + i));
      kind.step(input, recurrent, state, memory);
      Operand.of(states).store(state, row, 1, size);
      Operand.of(cells).store(memory, row, 1, memory.length);
    }
    Fault stop = poll.fault();
    if (stop == null) {
      return cell == null ? new Object[] {states} : new Object[] {states, cells};
    }
    states.close();
    cells.close();
    return stop;
  }

  private static @Nullable Fault misfit(Operands call, RecurrentCell kind, TensorForm state) {
    String name = kind.title() + "_cell";
    TensorForm input = call.form(0);
    TensorForm weight = call.form(2);
    TensorForm hiddenWeight = call.form(3);
    Fault fault =
        OperandChecks.first(
            ProductFaults.rank("the input of " + name, input, 2),
            ProductFaults.rank("the hidden state of " + name, state, 2),
            ProductFaults.rank("w_ih of " + name, weight, 2),
            ProductFaults.rank("w_hh of " + name, hiddenWeight, 2),
            integral(name, kind, input.dtype(), weight.dtype()));
    for (int i = 2; i < 6; i++) {
      String parameter = List.of("w_ih", "w_hh", "b_ih", "b_hh").get(i - 2);
      TensorForm form = call.optionalForm(i);
      DType dtype = form == null ? null : form.dtype();
      fault =
          fault == null ? OperandChecks.sameDType(name, input.dtype(), parameter, dtype) : fault;
    }
    fault =
        fault == null ? OperandChecks.sameDType(name, input.dtype(), "hx", state.dtype()) : fault;
    fault = fault == null ? kind.unfit(name, true, input.dtype()) : fault;
    return fault == null ? sizes(call, kind, state) : fault;
  }

  /**
   * A fault that names the weight if neither it nor the input has a dtype to cast the others to.
   */
  private static @Nullable Fault integral(
      String name, RecurrentCell kind, DType input, DType weight) {
    Fault fault = input.isFloating() || weight.isFloating() ? null : kind.unfit(name, true, weight);
    return fault == null
        ? null
        : fault.withExpected(ExpectedDType.of(DType.FLOAT32, DType.FLOAT64).in("w_ih"), weight);
  }

  private static @Nullable Fault sizes(Operands call, RecurrentCell kind, TensorForm state) {
    Shape input = call.shape(0);
    Shape weight = call.shape(2);
    Shape hidden = call.shape(3);
    if (input.size(1) != weight.size(1)) {
      String text = "the input has %d features, but `w_ih` takes %d";
      return OperandChecks.shape(
          Message.of(text, input.size(1), weight.size(1)), "[*, " + weight.size(1) + "]", input);
    }
    if (input.size(0) != state.shape().size(0)) {
      String text = "the input is a batch of %d, but the state is one of %d";
      return OperandChecks.shape(
          Message.of(text, input.size(0), state.shape().size(0)),
          "hidden state [" + input.size(0) + ", *]",
          state.shape());
    }
    if (state.shape().size(1) != hidden.size(1)) {
      String text = "the state has %d elements each, but `w_hh` takes %d";
      return OperandChecks.shape(
          Message.of(text, state.shape().size(1), hidden.size(1)),
          "[*, " + hidden.size(1) + "]",
          state.shape());
    }
    return parameters(call, kind, hidden.size(1));
  }

  private static @Nullable Fault parameters(Operands call, RecurrentCell kind, long size) {
    long rows = kind.gates() * size;
    for (int i = 2; i < 4; i++) {
      Shape shape = call.shape(i);
      if (shape.size(0) != rows) {
        String text = "`%s` of %s_cell must have %d rows for a state of %d, but its shape is %s";
        String name = i == 2 ? "w_ih" : "w_hh";
        return OperandChecks.shape(
            Message.of(text, name, kind.title(), rows, size, shape), "[" + rows + ", *]", shape);
      }
    }
    return OperandChecks.first(
        OperandChecks.elements("b_ih", rows, call.optionalForm(4)),
        OperandChecks.elements("b_hh", rows, call.optionalForm(5)));
  }
}
