package dev.staunch.kernel.reduce;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Filled;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Doubles;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reductions of consecutive slices of a tensor, given by their lengths or their offsets. */
final class SegmentReductions {
  private SegmentReductions() {}

  /** How the slices of a segment are combined, and what an empty segment gives. */
  private enum Kind {
    MAX(Double.NEGATIVE_INFINITY),
    MEAN(0),
    MIN(Double.POSITIVE_INFINITY),
    SUM(0),
    PROD(1);

    private final double empty;

    Kind(double empty) {
      this.empty = empty;
    }

    double combine(double a, double b) {
      return switch (this) {
        case SUM, MEAN -> a + b;
        case PROD -> a * b;
        case MAX -> Math.max(a, b);
        case MIN -> Math.min(a, b);
      };
    }

    static @Nullable Kind of(String name) {
      for (Kind kind : values()) {
        if (kind.name().toLowerCase(Locale.ROOT).equals(name)) {
          return kind;
        }
      }
      return null;
    }
  }

  static void addTo(Catalog.Builder catalog) {
    Filled.add(
        catalog.with(Trait.FAILS_ON_VALUES).out("out").withDTypes(DType.of(DType.Kind.FLOATING)),
        "aten::segment_reduce(Tensor data, str reduce, *, Tensor? lengths=None, Tensor?"
            + " indices=None, Tensor? offsets=None, int axis=0, bool unsafe=False, Scalar?"
            + " initial=None) -> Tensor",
        SegmentReductions::form,
        SegmentReductions::reduce);
  }

  private static Object form(Operands operands) {
    TensorForm data = operands.form(0);
    Object axis = Dimensions.wrap(operands.integer(5), data.rank());
    if (!(axis instanceof Integer at)) {
      return axis;
    }
    if (!data.dtype().isFloating()) {
      return Fault.dtype("segment_reduce takes floating point numbers, but got " + data.dtype())
          .withExpected(ExpectedDType.FLOATING_POINT, data.dtype());
    }
    String name = operands.string(1);
    if (Kind.of(name) == null) {
      String text = "`reduce` takes max, mean, min, sum or prod, but got '%s'";
      return Fault.value(Message.of(text, name));
    }
    if (!operands.isNone(3)) {
      return Fault.unsupported(
          "segment_reduce has no form with `indices`; give `lengths` or `offsets`");
    }
    if (operands.isNone(2) && operands.isNone(4)) {
      return Fault.value("segment_reduce needs `lengths` or `offsets`");
    }
    boolean offsets = !operands.isNone(4);
    TensorForm told = operands.form(offsets ? 4 : 2);
    Fault fault = misfit(data, told, at, offsets);
    if (fault != null) {
      return fault;
    }
    long[] sizes = data.shape().toArray();
    sizes[at] = told.shape().size(at) - (offsets ? 1 : 0);
    return TensorForm.contiguous(data.dtype(), Shape.of(sizes));
  }

  private static @Nullable Fault misfit(TensorForm data, TensorForm told, int at, boolean offsets) {
    String name = offsets ? "offsets" : "lengths";
    DType dtype = told.dtype();
    if (dtype != DType.INT64 && dtype != DType.INT32) {
      return Fault.dtype(Message.of("`%s` are int64, but they are %s", name, dtype))
          .withExpected(ExpectedDType.of(DType.INT64), dtype);
    }
    boolean fits =
        data.rank() > 0
            && told.rank() == at + 1
            && Arrays.equals(
                Arrays.copyOf(told.shape().toArray(), at),
                Arrays.copyOf(data.shape().toArray(), at))
            && (!offsets || told.shape().size(at) > 0);
    String text = "`%s` of segments along dimension %d of %s end with that dimension, unlike %s";
    return fits
        ? null
        : OperandChecks.shape(
            Message.of(text, name, at, data.shape(), told.shape()),
            (at + 1) + " dimensions",
            told.shape());
  }

  private static @Nullable Fault reduce(DenseTensor target, Call call) {
    int axis = (Integer) Dimensions.wrap(call.integer(5), target.rank());
    DenseTensor data = call.tensor(0);
    int size = Shape.asInt(data.shape().size(axis));
    int segments = Shape.asInt(target.shape().size(axis));
    long outer = 1;
    for (int d = 0; d < axis; d++) {
      outer *= data.shape().size(d);
    }
    CancellationPoll poll = new CancellationPoll(call);
    Object bounds = bounds(poll, call, Shape.asInt(outer), segments, size);
    if (!(bounds instanceof int[] starts)) {
      return (Fault) bounds;
    }
    double[] values = Doubles.of(poll, data);
    double[] results = new double[Shape.asInt(target.elements())];
    int inner = size == 0 || outer == 0 ? 0 : (int) (values.length / (outer * size));
    inner =
        inner == 0 && outer * segments > 0 ? (int) (results.length / (outer * segments)) : inner;
    Kind kind = Kind.of(call.string(1));
    Double initial = call.isNone(7) ? null : call.real(7);
    Segments lines = new Segments(values, results, inner, kind, initial);
    for (int o = 0; o < outer; o++) {
      for (int s = 0; s < segments; s++) {
        int at = o * (segments + 1) + s;
        lines.reduce(o * size + starts[at], o * size + starts[at + 1], o * segments + s, poll);
      }
    }
    Doubles.store(target, results);
    return poll.fault();
  }

  /** For each line of segments where they start, and where the last ends; or a fault. */
  private static Object bounds(
      CancellationPoll poll, Call call, int outer, int segments, int size) {
    boolean offsets = !call.isNone(4);
    Integers told = Integers.of(poll, call.tensor(offsets ? 4 : 2));
    int[] bounds = new int[Shape.asInt(outer * (segments + 1L))];
    for (int o = 0; o < outer; o++) {
      long end = 0;
      for (int s = 0; s <= segments && poll.mayContinue(1); s++) {
        long next = end;
        if (offsets) {
          next = told.at((long) o * (segments + 1) + s);
        } else if (s > 0) {
          next =
              Math.addExact(end, Math.clamp(told.at((long) o * segments + s - 1), -1L, 1L << 40));
        }
        if (next < end || next > size) {
          String text =
              "segments must lie one after the other within %d slices, but one ends at %d";
          return Fault.value(Message.of(text, size, next));
        }
        bounds[o * (segments + 1) + s] = (int) next;
        end = next;
      }
      if (poll.fault() == null && !offsets && !call.bool(6) && end != size) {
        String text = "the lengths of segments sum to %d, but there are %d slices";
        return Fault.value(Message.of(text, end, size));
      }
    }
    return poll.fault() == null ? bounds : poll.fault();
  }

  /** Slices of {@code inner} elements. */
  private record Segments(
      double[] values, double[] results, int inner, @Nullable Kind kind, @Nullable Double initial) {
    void reduce(int from, int to, int into, CancellationPoll poll) {
      if (kind == null) {
        return;
      }
      for (int i = 0; i < inner && poll.mayContinue(1); i++) {
        double result = initial == null ? kind.empty : initial;
        for (int slice = from; slice < to && poll.mayContinue(1); slice++) {
          result = kind.combine(result, values[slice * inner + i]);
        }
        boolean undefined = kind == Kind.MEAN && to == from && initial == null;
        int count = kind == Kind.MEAN ? Math.max(1, to - from) : 1;
        results[into * inner + i] = undefined ? Double.NaN : result / count;
      }
    }
  }
}
