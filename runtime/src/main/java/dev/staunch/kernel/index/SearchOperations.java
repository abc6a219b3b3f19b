package dev.staunch.kernel.index;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.loop.Filled;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Finds where values would be inserted among sorted ones, and whether they occur among others. */
final class SearchOperations {
  private SearchOperations() {}

  static void addTo(Catalog.Builder catalog) {
    for (String form : new String[] {"Tensor", "Scalar"}) {
      Composite.add(
          catalog,
          Message.of(
              "aten::bucketize.%s(%s self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor",
              form, form),
          SearchOperations::bucketize);
      Composite.add(
          catalog,
          Message.of(
              "aten::searchsorted.%s(Tensor sorted_sequence, %s self, *, bool out_int32=False, bool"
                  + " right=False, str? side=None, Tensor? sorter=None) -> Tensor",
              form, form),
          SearchOperations::search);
    }
    String flags = ", *, bool assume_unique=False, bool invert=False) -> Tensor";
    Composite.add(
        catalog,
        "aten::isin.Tensor_Tensor(Tensor elements, Tensor test_elements" + flags,
        (steps, call) -> among(steps, call.value(0), call.value(1), call.bool(3)));
    Composite.add(
        catalog,
        "aten::isin.Tensor_Scalar(Tensor elements, Scalar test_element" + flags,
        (steps, call) ->
            steps.run(call.bool(3) ? "ne.Scalar" : "eq.Scalar", call.value(0), call.scalar(1)));
    Composite.add(
        catalog,
        "aten::isin.Scalar_Tensor(Scalar element, Tensor test_elements" + flags,
        (steps, call) -> {
          long dtype = Promotion.of(call.scalar(0), call.value(1)).result().code();
          Object element = steps.run("scalar_tensor", call.scalar(0), dtype);
          return Steps.isTensor(element)
              ? among(steps, element, call.value(1), call.bool(3))
              : element;
        });
  }

  private static Object bucketize(Steps steps, Operands call) {
    TensorForm bounds = call.form(1);
    if (bounds.rank() != 1) {
      return OperandChecks.shape(
          "`boundaries` must be a vector, but its shape is " + bounds.shape(),
          "1 dimension",
          bounds.shape());
    }
    return found(steps, call.value(1), call.value(0), call.bool(2), call.bool(3));
  }

  private static Object search(Steps steps, Operands call) {
    TensorForm sequence = call.form(0);
    TensorForm sorter = call.optionalForm(5);
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
      return found(steps, call.value(0), call.value(1), call.bool(2), right);
    }
    if (!sorter.shape().equals(sequence.shape()) || sorter.dtype() != DType.INT64) {
      String text = "`sorter` must be int64%s as `sorted_sequence` is, but it is %s";
      return Fault.shape(Message.of(text, sequence.shape(), sorter.describe()))
          .withExpected(sequence.shape().toString(), sorter.describe());
    }
    Object sorted = steps.run("gather", call.value(0), -1L, call.value(5));
    return Steps.isTensor(sorted)
        ? found(steps, sorted, call.value(1), call.bool(2), right)
        : sorted;
  }

  private static boolean isComplex(Object value) {
    return value instanceof ComplexNumber
        || (Steps.isTensor(value) && Steps.form(value).dtype().kind() == DType.Kind.COMPLEX);
  }

  /** The number as a tensor; one beyond a floating dtype is infinite in it. */
  private static Object single(Steps steps, Object number, DType dtype) {
    Object held = number instanceof Double real ? (Object) Elements.rounded(dtype, real) : number;
    return steps.run("scalar_tensor", held, (long) dtype.code());
  }

  private static Object found(
      Steps steps, Object bounds, Object asked, boolean narrow, boolean right) {
    if (isComplex(bounds) || isComplex(asked)) {
      return Fault.unsupported(
          "searchsorted is not implemented for complex numbers; give real ones");
    }
    DType own = Steps.form(bounds).dtype();
    Object values = Steps.isTensor(asked) ? asked : single(steps, asked, common(own, asked));
    if (!Steps.isTensor(values)) {
      return values;
    }
    Fault fault = misfit(Steps.form(bounds).shape(), Steps.form(values).shape());
    if (fault != null) {
      return fault;
    }
    boolean floating = own.isFloating() || Steps.form(values).dtype().isFloating();
    DType wide = floating ? DType.FLOAT64 : DType.INT64;
    DType dtype = narrow ? DType.INT32 : DType.INT64;
    Filled places =
        new Filled(
            operands -> TensorForm.contiguous(dtype, operands.shape(1)),
            (target, call) -> fill(target, call, right));
    return steps.apply(places, steps.run("contiguous", steps.cast(bounds, wide)), values);
  }

  private static @Nullable Fault fill(DenseTensor target, Call call, boolean right) {
    DenseTensor table = call.tensor(0);
    DenseTensor values = call.tensor(1);
    if (target.elements() == 0) {
      return null;
    }
    long width = last(table);
    long line = table.rank() == 1 ? values.elements() : last(values);
    CancellationPoll poll = new CancellationPoll(call);
    SortedLine sorted = new SortedLine(poll, table, values);
    int looks = Long.SIZE - Long.numberOfLeadingZeros(width) + 1;
    for (long i = 0; i < target.elements() && poll.mayContinue(looks); i++) {
      long from = table.rank() == 1 ? 0 : i / line * width;
      long place = sorted.place(i, from, from + width, right) - from;
      Elements.putLong(target.segment(), target.dtype(), i, place);
    }
    return poll.fault();
  }

  /**
   * The dtype in which a number is compared: a float keeps its fraction when compared to integers.
   */
  private static DType common(DType bounds, Object asked) {
    return bounds.isFloating() ? bounds : Scalars.isIntegral(asked) ? DType.INT64 : DType.FLOAT64;
  }

  private static long last(DenseTensor tensor) {
    return tensor.shape().size(tensor.rank() - 1);
  }

  private static @Nullable Fault misfit(Shape bounds, Shape values) {
    boolean lines = bounds.rank() == values.rank() && bounds.rank() > 0;
    boolean fits = bounds.rank() == 1 || (lines && leading(bounds).equals(leading(values)));
    if (fits) {
      return null;
    }
    String text =
        "`sorted_sequence` %s must be a vector, or have all sizes but the last of the values %s";
    return Fault.shape(Message.of(text, bounds, values));
  }

  /** All sizes but the last. */
  private static Shape leading(Shape shape) {
    return Shape.of(Arrays.copyOf(shape.toArray(), shape.rank() - 1));
  }

  private static Object among(Steps steps, Object elements, Object tested, boolean inverted) {
    DType common = Promotion.of(elements, tested).result();
    if (common.kind() == DType.Kind.COMPLEX) {
      return Pointwise.refusal("isin", common);
    }
    Filled held =
        new Filled(
            operands -> TensorForm.contiguous(DType.BOOL, operands.shape(0)),
            (target, inner) -> mark(target, inner, inverted));
    return steps.apply(
        held, steps.cast(elements, common), steps.view(steps.cast(tested, common), -1));
  }

  private static @Nullable Fault mark(DenseTensor target, Call call, boolean inverted) {
    CancellationPoll poll = new CancellationPoll(call);
    Object keys = KeySet.of(call, poll, call.tensor(1));
    if (!(keys instanceof KeySet set)) {
      return (Fault) keys;
    }
    set.holdsEach(poll, call.tensor(0), target, inverted);
    return poll.fault();
  }
}
