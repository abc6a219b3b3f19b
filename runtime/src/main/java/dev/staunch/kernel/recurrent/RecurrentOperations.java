package dev.staunch.kernel.recurrent;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.operation.Cost;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.stream.Stream;

/**
 * Recurrent layers: {@code lstm}, {@code gru}, {@code rnn_tanh} and {@code rnn_relu}, over padded
 * batches ({@code .input}) and over packed sequences ({@code .data}).
 */
public final class RecurrentOperations {
  private static final String SETTINGS =
      ", Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool"
          + " bidirectional";

  private RecurrentOperations() {}

  /** All operations of this package. */
  public static List<Catalog.Group> groups() {
    return List.of(RecurrentOperations::layers, RecurrentCells::addTo, PackedSequences::addTo);
  }

  private static void layers(Catalog.Builder catalog) {
    Catalog.Builder drawing =
        catalog
            .with(Trait.DRAWS_RANDOM, Trait.NARROW_AS_FLOAT32)
            .withDTypes(DType.of(DType.Kind.FLOATING));
    for (RecurrentCell kind : RecurrentCell.values()) {
      String states = kind.hasCellState() ? "Tensor[] hx" : "Tensor hx";
      String results = kind.hasCellState() ? "(Tensor, Tensor, Tensor)" : "(Tensor, Tensor)";
      drawing
          .withInference(operands -> paddedForms(operands, kind))
          .withCost(Cost.Work.rows(2))
          .many(
              Message.of(
                  "aten::%s.input(Tensor input, %s%s, bool batch_first) -> %s",
                  kind.title(), states, SETTINGS, results),
              call -> padded(call, kind));
      drawing
          .with(Trait.FAILS_ON_VALUES)
          .withInference(operands -> packedForms(operands, kind))
          .withCost(Cost.Work.rows(3))
          .many(
              Message.of(
                  "aten::%s.data(Tensor data, Tensor batch_sizes, %s%s) -> %s",
                  kind.title(), states, SETTINGS, results),
              call -> packed(call, kind));
    }
  }

  /** The plan of a call whose states are at argument {@code at}; or a fault. */
  private static Object plan(Operands call, RecurrentCell kind, int at) {
    List<Object> states = kind.hasCellState() ? call.list(at) : List.of(call.value(at));
    if (kind.hasCellState() && states.size() != 2) {
      return Fault.value(
              "lstm takes a hidden and a cell state, but got " + states.size() + " tensors")
          .withExpected("hidden state and cell state", states.size() + " tensors");
    }
    return new RecurrentPlan(
        kind,
        states.get(0),
        kind.hasCellState() ? states.get(1) : null,
        call.list(at + 1),
        call.bool(at + 2),
        Math.toIntExact(Math.clamp(call.integer(at + 3), -1L, Integer.MAX_VALUE / 8)),
        call.real(at + 4),
        call.bool(at + 5),
        call.bool(at + 6));
  }

  static List<DenseTensor> tensors(List<Object> list) {
    return list.stream().map(DenseTensor.class::cast).toList();
  }

  /** The layout of the input as [time, batch, features]. */
  private static Layout ordered(Operands call) {
    Layout own = call.form(0).layout();
    return call.bool(8) ? PackedSequences.swapped(own) : own;
  }

  /** The plan of a call with a padded batch, checked; or a fault. */
  private static Object checked(Operands call, RecurrentCell kind) {
    Object planned = plan(call, kind, 1);
    if (!(planned instanceof RecurrentPlan plan)) {
      return planned;
    }
    TensorForm input = call.form(0);
    if (input.rank() != 3) {
      String wanted = call.bool(8) ? "[batch, time, features]" : "[time, batch, features]";
      return OperandChecks.shape(
          Message.of(
              "the input of %s must have 3 dimensions, but it is %s",
              kind.title(), input.describe()),
          wanted,
          input.shape());
    }
    Shape shape = ordered(call).shape();
    if (shape.size(0) == 0) {
      return OperandChecks.shape(
          "a sequence needs at least 1 time step, but the input is " + input.shape(),
          "1 time step",
          input.shape());
    }
    Fault fault = plan.misfit(input.dtype(), shape.size(2), shape.size(1));
    return fault == null ? plan : fault;
  }

  private static Object paddedForms(Operands call, RecurrentCell kind) {
    Object planned = checked(call, kind);
    if (!(planned instanceof RecurrentPlan plan)) {
      return planned;
    }
    Shape shape = ordered(call).shape();
    long width = (long) plan.directions() * plan.stateSize();
    Layout rows = Layout.contiguous(Shape.of(shape.size(0), shape.size(1), width));
    return forms(
        plan, new TensorForm(call.dtype(0), call.bool(8) ? PackedSequences.swapped(rows) : rows));
  }

  private static Object[] forms(RecurrentPlan plan, TensorForm output) {
    return Stream.concat(Stream.of(output), plan.lastStates(output.dtype()).stream()).toArray();
  }

  /**
   * The number of sequences is an element of the batch sizes, and most checks need elements as
   * well.
   */
  private static Object packedForms(Operands call, RecurrentCell kind) {
    Shape data = call.shape(0);
    if (!(plan(call, kind, 2) instanceof RecurrentPlan plan)
        || data.rank() != 2
        || plan.misfit(call.dtype(0), data.size(1), plan.batch()) != null) {
      return Inference.Unknown.DEPENDS_ON_VALUES;
    }
    Shape rows = Shape.of(data.size(0), (long) plan.directions() * plan.stateSize());
    return forms(plan, TensorForm.contiguous(call.dtype(0), rows));
  }

  private static Object padded(Call call, RecurrentCell kind) {
    Object planned = checked(call, kind);
    if (!(planned instanceof RecurrentPlan plan)) {
      return planned;
    }
    DenseTensor input = call.tensor(0);
    Layout layout = ordered(call);
    Shape shape = layout.shape();
    int count = Shape.asInt(shape.size(0));
    SequenceSteps steps = SequenceSteps.even(count, Shape.asInt(shape.size(1)));
    Object rows = rows(call, input, layout);
    if (!(rows instanceof DenseTensor data)) {
      return rows;
    }
    Object results = run(call, plan, steps, data);
    data.close();
    return results instanceof Object[] several
        ? unfolded(call, several, steps, call.bool(8))
        : results;
  }

  /** The input as [time * batch, features], row-major. */
  private static Object rows(Call call, DenseTensor input, Layout layout) {
    Shape shape = layout.shape();
    long rows = shape.size(0) * shape.size(1);
    Shape flat = Shape.of(rows, shape.size(2));
    if (layout.isContiguous()) {
      long[] strides = Layout.contiguous(flat).strides();
      return input.view(call.scope(), new Layout(flat, strides, layout.offset()));
    }
    Object made = call.allocate(input.dtype(), flat);
    if (!(made instanceof DenseTensor data)) {
      return made;
    }
    return CancellationPoll.finished(
        data,
        Copying.copy(new CancellationPoll(call), input, layout, data, Layout.contiguous(shape)));
  }

  /** Splits the first dimension of the first result into time and batch. */
  private static Object unfolded(
      Call call, Object[] results, SequenceSteps steps, boolean batchFirst) {
    DenseTensor rows = (DenseTensor) results[0];
    Shape shape = Shape.of(steps.count(), steps.batch(), rows.shape().size(1));
    Layout layout = Layout.contiguous(shape);
    results[0] = rows.view(call.scope(), batchFirst ? PackedSequences.swapped(layout) : layout);
    rows.close();
    return results;
  }

  private static Object packed(Call call, RecurrentCell kind) {
    Object planned = plan(call, kind, 2);
    if (!(planned instanceof RecurrentPlan plan)) {
      return planned;
    }
    DenseTensor data = call.tensor(0);
    if (data.rank() != 2) {
      String text = "the packed data of %s must have 2 dimensions, but it is %s";
      return OperandChecks.shape(
          Message.of(text, kind.title(), data.describe()), "[rows, features]", data.shape());
    }
    Object read =
        SequenceSteps.packed(new CancellationPoll(call), call.tensor(1), data.shape().size(0));
    if (!(read instanceof SequenceSteps steps)) {
      return read;
    }
    Fault fault = plan.misfit(data.dtype(), data.shape().size(1), steps.batch());
    return fault == null ? run(call, plan, steps, data) : fault;
  }

  /** Output and final states of the network, or a fault. */
  private static Object run(Call call, RecurrentPlan plan, SequenceSteps steps, DenseTensor data) {
    Object last = call.allocate(data.dtype(), plan.hidden().shape());
    if (!(last instanceof DenseTensor hidden)) {
      return last;
    }
    DenseTensor first = plan.cell();
    Object lastCells = first == null ? hidden : call.allocate(data.dtype(), first.shape());
    if (!(lastCells instanceof DenseTensor cells)) {
      hidden.close();
      return lastCells;
    }
    Object output =
        new RecurrentNetwork(call, plan, steps).run(data, hidden, first == null ? null : cells);
    if (output instanceof Fault) {
      hidden.close();
      cells.close();
      return output;
    }
    return first == null ? new Object[] {output, hidden} : new Object[] {output, hidden, cells};
  }
}
