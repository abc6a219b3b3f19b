package dev.staunch.kernel.index;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.index.InPlaceVariants.Target;
import dev.staunch.kernel.loop.Broadcast;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.operand.Views;
import dev.staunch.kernel.primitive.Gather;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes elements at the positions that index tensors name, in place or into a copy. */
final class ScatterOperations {
  private ScatterOperations() {}

  /**
   * Writes {@code target}, which no other code sees if it is fresh; returns a fault if it cannot.
   */
  private interface Writer {
    @Nullable Fault write(Call call, DenseTensor target, boolean fresh);
  }

  static void addTo(Catalog.Builder catalog) {
    String put = "Tensor?[] indices, Tensor values, bool accumulate=False";
    Catalog.Builder widened = catalog.with(Trait.AUTOCAST_WIDENS);
    InPlaceVariants.ofReals(
        widened,
        Target.ORDERED_COPY,
        "index_put",
        "",
        put,
        into((call, to, fresh) -> put(call, to)));
    // the arguments that tracing records if every index is a tensor
    String all = "Tensor[] indices, Tensor values, bool accumulate=False";
    InPlaceVariants.ofReals(
        widened,
        Target.ORDERED_COPY,
        "index_put",
        "hacked_twin",
        all,
        into((call, to, fresh) -> put(call, to)));
    String at = "int dim, Tensor index, ";
    InPlaceVariants.ofReals(
        catalog,
        Target.ROW_MAJOR_COPY,
        "scatter",
        "src",
        at + "Tensor src",
        into((call, to, fresh) -> scatter(call, to, fresh, /* adds= */ false)));
    InPlaceVariants.ofReals(
        catalog,
        Target.ROW_MAJOR_COPY,
        "scatter",
        "value",
        at + "Scalar value",
        into((call, to, fresh) -> scatter(call, to, fresh, /* adds= */ false)));
    InPlaceVariants.ofReals(
        catalog,
        Target.ROW_MAJOR_COPY,
        "scatter_add",
        "",
        at + "Tensor src",
        into((call, to, fresh) -> scatter(call, to, fresh, /* adds= */ true)));
  }

  /** Passes self, or a copy of it, to {@code writer}. */
  private static InPlaceVariants.Body into(Writer writer) {
    return (call, written) -> {
      DenseTensor self = call.tensor(0);
      boolean inPlace = written == Target.SELF;
      Object made = inPlace ? Views.same(call, self) : written.of(call, self);
      return made instanceof DenseTensor target
          ? CancellationPoll.finished(target, writer.write(call, target, !inPlace))
          : made;
    };
  }

  private static @Nullable Fault scatter(
      Call call, DenseTensor target, boolean fresh, boolean adds) {
    DenseTensor source = call.value(3) instanceof DenseTensor tensor ? tensor : null;
    if (source != null && source.dtype() != target.dtype()) {
      return ScatterPositions.otherDType(target, source);
    }
    if (source == null && call.scalar(3) instanceof ComplexNumber) {
      return Fault.unsupported(
          "scatter is not implemented for complex numbers; give `value` as a real one");
    }
    Fault misfit = OperandChecks.fits(call.value(3), target.dtype());
    if (misfit != null) {
      return misfit;
    }
    CancellationPoll poll = new CancellationPoll(call);
    Object positions =
        ScatterPositions.of(
            poll, "scatter", target, call.integer(1), call.tensor(2), source, !fresh);
    if (!(positions instanceof ScatterPositions found)) {
      return (Fault) positions;
    }
    Integers targets = found.targets();
    Gather gather = call.environment().kernels().gather(target.dtype());
    if (source != null && found.lines() != null && found.starts() != null) {
      MemorySegment read = source.segment();
      return gather.scatter(
          poll.shared(), read, found.starts(), target.segment(), found.lines(), adds);
    }
    if (source != null) {
      return move(call, poll, source, found.sources(), target, targets, adds);
    }
    return fill(call, poll, target, targets, call.scalar(3));
  }

  /** Writes one number to all positions. */
  private static @Nullable Fault fill(
      Call call, CancellationPoll poll, DenseTensor target, Integers targets, Object scalar) {
    Object made = call.allocate(target.dtype(), Shape.SCALAR);
    if (!(made instanceof DenseTensor number)) {
      return (Fault) made;
    }
    try (number) {
      put(number, scalar);
      Gather.Positions same = (first, count, into) -> Arrays.fill(into, 0, count, 0);
      return move(call, poll, number, same, target, targets, /* adds= */ false);
    }
  }

  private static void put(DenseTensor target, Object scalar) {
    if (target.dtype().isFloating()) {
      Elements.putDouble(target.segment(), target.dtype(), 0, Scalars.real(scalar, target.dtype()));
    } else {
      Elements.putLong(
          target.segment(), target.dtype(), 0, Scalars.integer(scalar, target.dtype()));
    }
  }

  /** Writes or adds elements; both tensors have the same dtype. */
  static @Nullable Fault move(
      Call call,
      CancellationPoll poll,
      DenseTensor source,
      Gather.Positions from,
      DenseTensor target,
      Integers to,
      boolean adds) {
    Gather gather = call.environment().kernels().gather(target.dtype());
    MemorySegment read = source.segment();
    MemorySegment written = target.segment();
    Fault stop =
        adds
            ? gather.add(poll.shared(), read, from, to.size(), written, to)
            : gather.scatter(poll.shared(), read, from, to.size(), written, to);
    return stop == null ? poll.fault() : stop;
  }

  private static @Nullable Fault put(Call call, DenseTensor target) {
    DenseTensor values = call.tensor(2);
    try (Temporaries made = new Temporaries()) {
      if (fills(call, values)) {
        Object number = filling(call, made, target, values);
        return number instanceof DenseTensor cast
            ? put(call, made, target, cast, new Layout(Shape.SCALAR, new long[0], offset(cast)))
            : (Fault) number;
      }
      if (values.dtype() != target.dtype()) {
        return Fault.dtype(
                Message.of(
                    "`values` must have the dtype of the tensor, %s, but it is %s",
                    target.dtype(), values.dtype()))
            .withExpected(ExpectedDType.same(target.dtype()), values.dtype());
      }
      return put(call, made, target, values, values.layout());
    }
  }

  /**
   * Whether one element is written wherever one mask is set: {@code masked_fill} by another name.
   */
  private static boolean fills(Call call, DenseTensor values) {
    List<Object> indices =
        call.list(1).stream().filter(index -> index instanceof DenseTensor).toList();
    return values.elements() == 1
        && !call.bool(3)
        && indices.size() == 1
        && IndexArray.isMask(((DenseTensor) indices.get(0)).dtype());
  }

  /** The only element of {@code values}, in the dtype of {@code target} if it fits; or a fault. */
  private static Object filling(
      Call call, Temporaries made, DenseTensor target, DenseTensor values) {
    DType dtype = values.dtype();
    if (dtype == target.dtype()) {
      return values;
    }
    if (dtype.kind() == DType.Kind.COMPLEX && target.dtype().kind() != DType.Kind.COMPLEX) {
      return Fault.dtype("complex `values` are not put into a tensor of " + target.dtype())
          .withExpected(ExpectedDType.of(target.dtype()).in("values"), dtype);
    }
    if (target.dtype().kind() == DType.Kind.COMPLEX) {
      return made.note(Copying.toContiguous(call, values, target.dtype()));
    }
    Object number =
        dtype.isFloating()
            ? (Object) Elements.asDouble(values.segment(), dtype, offset(values))
            : (Object) Elements.asLong(values.segment(), dtype, offset(values));
    Fault fault = OperandChecks.fits(number, target.dtype());
    return fault == null ? made.note(Copying.toContiguous(call, values, target.dtype())) : fault;
  }

  private static long offset(DenseTensor tensor) {
    return tensor.layout().offset();
  }

  private static @Nullable Fault put(
      Call call, Temporaries made, DenseTensor target, DenseTensor values, Layout layout) {
    CancellationPoll poll = new CancellationPoll(call);
    Object found = IndexedSelection.of(call, poll, made, target, call.list(1));
    if (!(found instanceof IndexedSelection picked)) {
      return (Fault) found;
    }
    Object shape = Broadcast.shape(picked.shape(), layout.shape());
    if (!shape.equals(picked.shape())) {
      String text =
          "`values` of shape %s do not broadcast to the elements that the indices name, %s";
      return Fault.shape(Message.of(text, layout.shape(), picked.shape()))
          .withExpected(picked.shape().toString(), layout.shape().toString());
    }
    Places sources = Places.of(Broadcast.stretch(layout, picked.shape()));
    long count = picked.shape().elements();
    boolean isRow = count > 0 && sources.step() == 1 && sources.width() == count;
    if (isRow && picked.isOfRows() && !call.bool(3)) {
      picked.writeRows(poll, values, sources.at(0), target);
      return poll.fault();
    }
    Integers targets = picked.positions(poll);
    Gather.Positions from = isRow ? new Gather.Row(sources.at(0)) : sources::load;
    return move(call, poll, values, from, target, targets, call.bool(3));
  }
}
