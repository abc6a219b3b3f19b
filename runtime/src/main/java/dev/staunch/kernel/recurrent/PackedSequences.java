package dev.staunch.kernel.recurrent;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.loop.PointwiseLoop;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Views;
import dev.staunch.operation.Inference;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Packs sequences of different lengths for the recurrent layers: the rows of all sequences at their
 * first step, then those at their second, and so on; and unpacks them to padded form.
 */
final class PackedSequences {
  private PackedSequences() {}

  static void addTo(Catalog.Builder catalog) {
    catalog
        .withInference(Inference.OF_VALUES)
        .withDTypes(DType.of(DType.Kind.values()))
        .many(
            "aten::_pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first)"
                + " -> (Tensor, Tensor)",
            PackedSequences::pack);
    catalog
        .withInference(Inference.OF_VALUES)
        .withDTypes(DType.of(DType.Kind.values()))
        .many(
            "aten::_pad_packed_sequence(Tensor data, Tensor batch_sizes, bool batch_first, Scalar"
                + " padding_value, int total_length) -> (Tensor, Tensor)",
            PackedSequences::unpack);
  }

  private static Object pack(Call call) {
    DenseTensor input = call.tensor(0);
    if (input.rank() < 2) {
      return OperandChecks.shape(
          "packing takes an input [time, batch, ...], but it is " + input.describe(),
          "[time, batch, ...]",
          input.shape());
    }
    if (input.elements() == 0) {
      return Fault.shape(
              "a tensor without elements has no sequences to pack; its shape is " + input.shape())
          .withExpected("elements", "none");
    }
    Layout layout = call.bool(2) ? swapped(input.layout()) : input.layout();
    Object read = SequenceSteps.counts(new CancellationPoll(call), "lengths", call.tensor(1));
    if (!(read instanceof long[] lengths)) {
      return read;
    }
    Fault fault = lengths(lengths, layout.shape());
    return fault == null ? packed(call, layout, lengths) : fault;
  }

  private static @Nullable Fault lengths(long[] lengths, Shape shape) {
    if (lengths.length != shape.size(1)) {
      String text = "`lengths` has %d elements for a batch of %d sequences";
      return Fault.shape(Message.of(text, lengths.length, shape.size(1)))
          .withExpected(shape.size(1) + " lengths", lengths.length + " lengths");
    }
    for (int b = 0; b < lengths.length; b++) {
      if (lengths[b] <= 0) {
        return Fault.value(
                Message.of(
                    "every sequence needs a positive length, but lengths[%d] is %d", b, lengths[b]))
            .withExpected("lengths > 0", Arrays.toString(lengths));
      }
      if (b > 0 && lengths[b] > lengths[b - 1]) {
        return Fault.value(
                Message.of(
                        "`lengths` must not increase, but lengths[%d] is %d after %d; pass",
                        b, lengths[b], lengths[b - 1])
                    + " `enforce_sorted=False` to pack_padded_sequence")
            .withExpected("lengths that do not increase", Arrays.toString(lengths));
      }
    }
    return lengths[0] <= shape.size(0)
        ? null
        : Fault.index(
                Message.of(
                    "a length of %d reaches outside the %d time steps of the input",
                    lengths[0], shape.size(0)))
            .withExpected("lengths <= " + shape.size(0), Arrays.toString(lengths));
  }

  private static Object packed(Call call, Layout layout, long[] lengths) {
    DenseTensor input = call.tensor(0);
    int steps = (int) lengths[0];
    long[] sizes = new long[steps];
    int batch = lengths.length;
    for (int t = 0; t < steps; t++) {
      while (lengths[batch - 1] <= t) {
        batch--;
      }
      sizes[t] = batch;
    }
    long[] shape = Views.without(layout.shape().toArray(), 0);
    shape[0] = Arrays.stream(sizes).sum();
    Object data = call.allocate(input.dtype(), Shape.of(shape));
    if (!(data instanceof DenseTensor rows)) {
      return data;
    }
    CancellationPoll poll = new CancellationPoll(call);
    long start = 0;
    for (int t = 0; t < steps; t++) {
      Layout from = Views.narrowed(Views.selected(layout, 0, t), 0, 0, sizes[t]);
      Copying.copy(poll, input, from, rows, Views.narrowed(rows.layout(), 0, start, sizes[t]));
      start += sizes[t];
    }
    if (poll.fault() != null) {
      return CancellationPoll.finished(rows, poll.fault());
    }
    return Temporaries.both(rows, HostTensors.longs(call.scope(), Shape.of(steps), sizes));
  }

  private static Object unpack(Call call) {
    DenseTensor data = call.tensor(0);
    if (data.rank() < 1) {
      return Fault.shape("packed data must have rows, but it is " + data.describe());
    }
    Object read =
        SequenceSteps.packed(new CancellationPoll(call), call.tensor(1), data.shape().size(0));
    if (!(read instanceof SequenceSteps steps)) {
      return read;
    }
    long asked = call.integer(4);
    if (asked > 0 && asked < steps.count()) {
      return Fault.value(
              Message.of(
                  "`total_length` %d is shorter than the longest sequence, %d",
                  asked, steps.count()))
          .withExpected("total_length >= " + steps.count(), Long.toString(asked));
    }
    return unpacked(call, steps, Math.max(asked, steps.count()));
  }

  private static @Nullable Fault fill(Call call, DenseTensor padded, Object value) {
    if (padded.dtype().kind() != DType.Kind.COMPLEX) {
      return PointwiseLoop.run(call, padded, padded.dtype(), Formulas.identity(), value);
    }
    return value instanceof Number number && number.doubleValue() == 0
        ? Filling.zero(call, padded)
        : Fault.unsupported("sequences of complex numbers are padded with 0, not with " + value);
  }

  private static Object unpacked(Call call, SequenceSteps steps, long length) {
    DenseTensor data = call.tensor(0);
    long[] sizes = Views.with(data.shape().toArray(), 0, length);
    sizes[1] = steps.batch();
    Object shape = Filling.shape(sizes);
    Object made = shape instanceof Shape known ? call.allocate(data.dtype(), known) : shape;
    if (!(made instanceof DenseTensor padded)) {
      return made;
    }
    Fault fault = fill(call, padded, call.scalar(3));
    if (fault != null) {
      padded.close();
      return fault;
    }
    CancellationPoll poll = new CancellationPoll(call);
    long[] lengths = new long[steps.batch()];
    for (int t = 0; t < steps.count(); t++) {
      int count = steps.sizes()[t];
      Arrays.fill(lengths, 0, count, t + 1L);
      Layout to = Views.narrowed(Views.selected(padded.layout(), 0, t), 0, 0, count);
      Layout from = Views.narrowed(data.layout(), 0, steps.starts()[t], count);
      Copying.copy(poll, data, from, padded, to);
    }
    if (poll.fault() != null) {
      return CancellationPoll.finished(padded, poll.fault());
    }
    Object counts = HostTensors.longs(call.scope(), Shape.of(lengths.length), lengths);
    return Temporaries.both(call.bool(2) ? swapped(call, padded) : padded, counts);
  }

  private static Object swapped(Call call, DenseTensor padded) {
    Object view = padded.view(call.scope(), swapped(padded.layout()));
    padded.close();
    return view;
  }

  /** The first two dimensions swapped. */
  static Layout swapped(Layout layout) {
    long[] sizes = layout.shape().toArray();
    long[] strides = layout.strides();
    long size = sizes[0];
    long stride = strides[0];
    sizes[0] = sizes[1];
    strides[0] = strides[1];
    sizes[1] = size;
    strides[1] = stride;
    return new Layout(Shape.of(sizes), strides, layout.offset());
  }
}
