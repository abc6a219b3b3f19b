package dev.staunch.kernel.index;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Where values would stand among sorted ones, and whether they are among others. */
final class SearchOperations {
  private SearchOperations() {}

  static void addTo(Catalog.Builder catalog) {
    for (String form : new String[] {"Tensor", "Scalar"}) {
      Steps.add(
          catalog,
          Message.of(
              "aten::bucketize.%s(%s self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor",
              form, form),
          SearchOperations::bucketize);
      Steps.add(
          catalog,
          Message.of(
              "aten::searchsorted.%s(Tensor sorted_sequence, %s self, *, bool out_int32=False, bool"
                  + " right=False, str? side=None, Tensor? sorter=None) -> Tensor",
              form, form),
          SearchOperations::search);
    }
    String flags = ", *, bool assume_unique=False, bool invert=False) -> Tensor";
    Steps.add(
        catalog,
        "aten::isin.Tensor_Tensor(Tensor elements, Tensor test_elements" + flags,
        SearchOperations::among);
    Composite.add(
        catalog,
        "aten::isin.Tensor_Scalar(Tensor elements, Scalar test_element" + flags,
        (steps, call) ->
            steps.run(call.bool(3) ? "ne.Scalar" : "eq.Scalar", call.value(0), call.scalar(1)));
  }

  private static Object bucketize(Steps steps, Call call) {
    DenseTensor bounds = call.tensor(1);
    if (bounds.rank() != 1) {
      return OperandChecks.shape(
          "`boundaries` must be a vector, but its shape is " + bounds.shape(),
          "1 dimension",
          bounds.shape());
    }
    return found(steps, call, bounds, call.value(0), call.bool(2), call.bool(3));
  }

  private static Object search(Steps steps, Call call) {
    DenseTensor sequence = call.tensor(0);
    DenseTensor sorter = call.optionalTensor(5);
    boolean right = call.bool(3);
    if (!call.isNone(4)) {
      String side = call.string(4);
      if (!side.equals("left") && !side.equals("right")) {
        return Fault.value("`side` takes 'left' or 'right', but got '" + side + "'");
      }
      if (right && side.equals("left")) {
        return Fault.value("`side` is 'left' while `right` is true; give one of them alone");
      }
      right = side.equals("right");
    }
    if (sequence.rank() == 0) {
      return OperandChecks.shape(
          "`sorted_sequence` must have at least 1 dimension, but it has none",
          "at least 1 dimension",
          sequence.shape());
    }
    if (sorter == null) {
      return found(steps, call, sequence, call.value(1), call.bool(2), right);
    }
    if (!sorter.shape().equals(sequence.shape()) || sorter.dtype() != DType.INT64) {
      String text = "`sorter` must be int64%s as `sorted_sequence` is, but it is %s";
      return Fault.shape(Message.of(text, sequence.shape(), sorter.describe()))
          .withExpected(sequence.shape().toString(), sorter.describe());
    }
    Object sorted = steps.run("gather", sequence, -1L, sorter);
    return sorted instanceof DenseTensor known
        ? found(steps, call, known, call.value(1), call.bool(2), right)
        : sorted;
  }

  private static boolean isComplex(Object value) {
    return value instanceof DenseTensor tensor && tensor.dtype().kind() == DType.Kind.COMPLEX;
  }

  private static Object found(
      Steps steps, Call call, DenseTensor bounds, Object asked, boolean narrow, boolean right) {
    if (asked instanceof ComplexNumber || isComplex(bounds) || isComplex(asked)) {
      return Fault.unsupported(
          "searchsorted is not implemented for complex numbers; give real ones");
    }
    Object given =
        asked instanceof DenseTensor
            ? asked
            : steps.run("scalar_tensor", asked, (long) common(bounds.dtype(), asked).code());
    if (!(given instanceof DenseTensor values)) {
      return given;
    }
    Fault fault = misfit(bounds, values);
    if (fault != null) {
      return fault;
    }
    Object made = call.allocate(narrow ? DType.INT32 : DType.INT64, values.shape());
    if (!(made instanceof DenseTensor target) || target.elements() == 0) {
      return made;
    }
    boolean floating = bounds.dtype().isFloating() || values.dtype().isFloating();
    DType wide = floating ? DType.FLOAT64 : DType.INT64;
    if (!(steps.run("contiguous", steps.cast(bounds, wide)) instanceof DenseTensor table)) {
      return steps.run("contiguous", steps.cast(bounds, wide));
    }
    long width = last(bounds);
    long line = bounds.rank() == 1 ? values.elements() : last(values);
    CancellationPoll poll = new CancellationPoll(call);
    SortedLine sorted = new SortedLine(poll, table, values);
    int looks = Long.SIZE - Long.numberOfLeadingZeros(width) + 1;
    for (long i = 0; i < target.elements() && poll.mayContinue(looks); i++) {
      long from = bounds.rank() == 1 ? 0 : i / line * width;
      long place = sorted.place(i, from, from + width, right) - from;
      Elements.putLong(target.segment(), target.dtype(), i, place);
    }
    return CancellationPoll.finished(target, poll.fault());
  }

  /** The dtype in which a number is compared: a float keeps its fraction among integers. */
  private static DType common(DType bounds, Object asked) {
    return bounds.isFloating() ? bounds : Scalars.isIntegral(asked) ? DType.INT64 : DType.FLOAT64;
  }

  private static long last(DenseTensor tensor) {
    return tensor.shape().size(tensor.rank() - 1);
  }

  private static @Nullable Fault misfit(DenseTensor bounds, DenseTensor values) {
    boolean lines = bounds.rank() == values.rank() && bounds.rank() > 0;
    boolean fits =
        bounds.rank() == 1 || (lines && leading(bounds.shape()).equals(leading(values.shape())));
    if (fits) {
      return null;
    }
    String text =
        "`sorted_sequence` %s must be a vector, or have all sizes but the last of the values %s";
    return Fault.shape(Message.of(text, bounds.shape(), values.shape()));
  }

  /** A number is sought in one line only. */
  private static Shape leading(Shape shape) {
    return Shape.of(Arrays.copyOf(shape.toArray(), shape.rank() - 1));
  }

  private static Object among(Steps steps, Call call) {
    DType common = Promotion.of(call.tensor(0), call.tensor(1)).result();
    if (common.kind() == DType.Kind.COMPLEX) {
      return Pointwise.refusal("isin", common);
    }
    Object elements = steps.cast(call.tensor(0), common);
    Object others = steps.view(steps.cast(call.tensor(1), common), -1);
    if (!(elements instanceof DenseTensor known) || !(others instanceof DenseTensor list)) {
      return elements instanceof Fault ? elements : others;
    }
    Object made = call.allocate(DType.BOOL, known.shape());
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    CancellationPoll poll = new CancellationPoll(call);
    Object keys = KeySet.of(call, poll, list);
    if (!(keys instanceof KeySet set)) {
      return keys;
    }
    set.holdsEach(poll, known, target, call.bool(3));
    return CancellationPoll.finished(target, poll.fault());
  }
}
