package dev.staunch.kernel.create;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Filled;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Placement;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.scalar.CastOperations;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Ranges and identity matrices. */
final class RangeOperations {
  private static final int TILE = 1024;

  private RangeOperations() {}

  static void addTo(Catalog.Builder catalog) {
    String tail = NewTensors.TAIL;
    range(catalog, "arange(Scalar end, ", call -> new Range(0L, call.scalar(0), 1L, false), 1);
    range(
        catalog,
        "arange.start(Scalar start, Scalar end, ",
        call -> new Range(call.scalar(0), call.scalar(1), 1L, false),
        2);
    range(
        catalog,
        "arange.start_step(Scalar start, Scalar end, Scalar step=1, ",
        call -> new Range(call.scalar(0), call.scalar(1), call.scalar(2), false),
        3);
    range(
        catalog,
        "range(Scalar start, Scalar end, ",
        call -> new Range(call.scalar(0), call.scalar(1), 1L, true),
        2);
    range(
        catalog,
        "range.step(Scalar start, Scalar end, Scalar step=1, ",
        call -> new Range(call.scalar(0), call.scalar(1), call.scalar(2), true),
        3);
    for (String overload :
        new String[] {"Scalar_Scalar", "Tensor_Tensor", "Tensor_Scalar", "Scalar_Tensor"}) {
      linspace(catalog, overload);
    }
    Filled.add(
        catalog,
        "aten::eye(int n, " + tail,
        call -> eye(call, call.integer(0), 1),
        RangeOperations::ones);
    Filled.add(
        catalog,
        "aten::eye.m(int n, int m, " + tail,
        call -> eye(call, call.integer(1), 2),
        RangeOperations::ones);
  }

  /**
   * Numbers from {@code start} to {@code end}.
   *
   * @param isClosed whether {@code end} belongs to them, if a step meets it
   */
  private record Range(Object start, Object end, Object step, boolean isClosed) {}

  private static void range(
      Catalog.Builder catalog, String head, Function<Operands, Range> bounds, int dtypeAt) {
    Filled.add(
        catalog,
        "aten::" + head + NewTensors.TAIL,
        call -> {
          Fault fault = Placement.fault(call, dtypeAt + 1);
          if (fault != null) {
            return fault;
          }
          Range range = bounds.apply(call);
          DType dtype = call.optionalDType(dtypeAt);
          return range.isClosed ? closed(range, dtype) : form(range, dtype);
        },
        (target, call) -> fill(bounds.apply(call), call, target));
  }

  private static Object form(Range range, @Nullable DType asked) {
    Object start = range.start();
    Object end = range.end();
    Object step = range.step();
    boolean exact =
        Scalars.isIntegral(start) && Scalars.isIntegral(end) && Scalars.isIntegral(step);
    DType dtype = asked != null ? asked : exact ? DType.INT64 : DType.FLOAT32;
    Fault complex = NewTensors.complex("arange", dtype, start, end, step);
    if (complex != null) {
      return complex;
    }
    double first = dtype.isFloating() ? Scalars.real(start) : Scalars.integer(start);
    double by = dtype.isFloating() ? Scalars.real(step) : Scalars.integer(step);
    double span =
        dtype.isFloating()
            ? Scalars.real(end) - first
            : difference(Scalars.integer(end), Scalars.integer(start));
    if (by == 0 || Double.isNaN(by)) {
      return Fault.value(Message.of("the step of a range must not be %s", step));
    }
    if (!Double.isFinite(span)) {
      return Fault.value(
          Message.of(
              "a range must have finite ends, but got %s to %s",
              Scalars.real(start), Scalars.real(end)));
    }
    double way = exact ? span : Scalars.real(end) - Scalars.real(start);
    if (way != 0 && way > 0 != by > 0) {
      String text = "a range from %s to %s cannot be walked by steps of %s; turn the step's sign";
      return Fault.value(Message.of(text, start, end, step));
    }
    double count =
        dtype == DType.INT64 && Math.abs(span) < 0x1p63
            ? Math.ceilDiv(Scalars.integer(end) - Scalars.integer(start), (long) by)
            : dtype.isFloating() || dtype == DType.INT64
                ? Math.ceil(span / by)
                : Math.ceil((Scalars.real(end) - Scalars.real(start)) / Scalars.real(step));
    if (count >= 0x1p62) {
      return NewTensors.tooLong(count);
    }
    return TensorForm.contiguous(dtype, Shape.of((long) count));
  }

  private static Object closed(Range range, @Nullable DType asked) {
    DType dtype = asked == null ? DType.FLOAT32 : asked;
    Fault complex = NewTensors.complex("range", dtype, range.start(), range.end(), range.step());
    if (complex != null) {
      return complex;
    }
    boolean real = dtype.isFloating();
    double start = real ? Scalars.real(range.start()) : Scalars.integer(range.start());
    double end = real ? Scalars.real(range.end()) : Scalars.integer(range.end());
    double step = real ? Scalars.real(range.step()) : Scalars.integer(range.step());
    if (step == 0 || Double.isNaN(step)) {
      return Fault.value(Message.of("the step of a range must not be %s", range.step()));
    }
    if (!Double.isFinite(start) || !Double.isFinite(end)) {
      return Fault.value(Message.of("a range must have finite ends, but got %s to %s", start, end));
    }
    if (start != end && end > start != step > 0) {
      String text = "a range from %s to %s cannot be walked by steps of %s; turn the step's sign";
      return Fault.value(Message.of(text, range.start(), range.end(), range.step()));
    }
    double count = Math.floor((end - start) / step) + 1;
    return count >= 0x1p62
        ? NewTensors.tooLong(count)
        : TensorForm.contiguous(dtype, Shape.of((long) count));
  }

  /** {@code a - b}, rounded once. */
  private static double difference(long a, long b) {
    long exact = a - b;
    boolean overflows = ((a ^ b) & (a ^ exact)) < 0;
    return overflows ? (double) a - b : exact;
  }

  private static @Nullable Fault fill(Range range, Call call, DenseTensor target) {
    DType dtype = target.dtype();
    double first = Scalars.real(range.start());
    double by = Scalars.real(range.step());
    long start = Scalars.integer(range.start());
    long step = Scalars.integer(range.step());
    if (dtype.isFloating()) {
      return series(call, target, (at, into, count) -> rise(first, by, (double) at, into, count));
    }
    Operand into = Operand.of(target);
    long[] tile = new long[(int) Math.min(TILE, target.elements())];
    return new CancellationPoll(call)
        .inPieces(
            target.elements(),
            TILE,
            (done, count) -> {
              for (int i = 0; i < count; i++) {
                tile[i] = start + (done + i) * step;
              }
              into.store(tile, done, 1, count);
            });
  }

  /** Writes some elements of a series, from {@code first} on. */
  private interface Series {
    void write(long first, double[] into, int count);
  }

  private static @Nullable Fault series(Call call, DenseTensor target, Series elements) {
    Operand into = Operand.of(target);
    double[] tile = new double[(int) Math.min(TILE, target.elements())];
    return new CancellationPoll(call)
        .inPieces(
            target.elements(),
            TILE,
            (done, count) -> {
              elements.write(done, tile, count);
              into.store(tile, done, 1, count);
            });
  }

  /** Steps from {@code start}, the first of them number {@code first}. */
  private static void rise(double start, double by, double first, double[] into, int count) {
    for (int i = 0; i < count; i++) {
      into[i] = start + (first + i) * by;
    }
  }

  /** Steps back from {@code end}; {@code last} of them lead from the first element to it. */
  private static void approach(
      double end, double by, double last, double[] into, int from, int count) {
    for (int i = from; i < count; i++) {
      into[i] = end - (last - i) * by;
    }
  }

  /** Adds the overload whose ends have the given types; the overload of two numbers has no name. */
  private static void linspace(Catalog.Builder catalog, String overload) {
    String[] types = overload.split("_", -1);
    String name = overload.equals("Scalar_Scalar") ? "" : "." + overload;
    Filled.add(
        catalog,
        Message.of(
            "aten::linspace%s(%s start, %s end, int steps, %s",
            name, types[0], types[1], NewTensors.TAIL),
        RangeOperations::line,
        RangeOperations::line);
  }

  /** A number, or the only element of a tensor without dimensions. */
  private static Object bound(Object argument) {
    return argument instanceof DenseTensor tensor ? CastOperations.item(tensor) : argument;
  }

  /** A fault unless argument {@code i} is a number, or a tensor without dimensions. */
  private static @Nullable Fault misfit(Operands operands, int i) {
    return operands.isTensor(i) && operands.rank(i) > 0
        ? Fault.shape(
            "the ends of a linspace are numbers, but one has the shape "
                + operands.shape(i)
                + "; take one element, as `x[0]` does")
        : null;
  }

  /** The end of a series of {@code dtype}; truncated to an integer for integer dtypes. */
  private static Object end(Object number, DType dtype) {
    return dtype.kind() == DType.Kind.INTEGRAL ? (Object) Scalars.integer(number) : number;
  }

  private static Object line(Operands operands) {
    long steps = operands.integer(2);
    DType asked = operands.optionalDType(3);
    DType dtype = asked == null ? DType.FLOAT32 : asked;
    Fault fault = NewTensors.complex("linspace", dtype, operands.value(0), operands.value(1));
    if (fault == null && steps < 0) {
      fault = Fault.value("`steps` must not be negative, but it is " + steps);
    }
    for (int i = 0; fault == null && i < 2; i++) {
      fault =
          operands.isTensor(i)
              ? Promotion.unsupported("linspace", operands.dtype(i))
              : unfit(operands.scalar(i), dtype);
    }
    fault =
        OperandChecks.first(
            fault, misfit(operands, 0), misfit(operands, 1), Placement.fault(operands, 4));
    return fault == null ? TensorForm.contiguous(dtype, Shape.of(steps)) : fault;
  }

  /** A negative bound does not fit uint8: the numbers from it on would wrap around. */
  private static @Nullable Fault unfit(Object bound, DType dtype) {
    boolean negative = dtype == DType.UINT8 && bound instanceof Long number && number < 0;
    return OperandChecks.fits(negative ? (Object) Scalars.real(bound) : bound, dtype);
  }

  private static @Nullable Fault line(DenseTensor target, Call call) {
    long steps = target.elements();
    DType dtype = target.dtype();
    double start = Scalars.real(end(bound(call.scalar(0)), dtype));
    double end = Scalars.real(end(bound(call.scalar(1)), dtype));
    double by = steps > 1 ? (end - start) / (steps - 1) : 0;
    return series(
        call,
        target,
        (first, into, count) -> {
          long half = steps == 1 ? 1 : steps / 2;
          int below = Math.clamp(half - first, 0, count);
          rise(start, by, (double) first, into, below);
          approach(end, by, (double) (steps - 1 - first), into, below, count);
        });
  }

  private static Object eye(Operands operands, long columns, int dtypeAt) {
    long rows = operands.integer(0);
    DType asked = operands.optionalDType(dtypeAt);
    DType dtype = asked == null ? DType.FLOAT32 : asked;
    Fault fault = Placement.fault(operands, dtypeAt + 1);
    if (fault != null || rows < 0 || columns < 0) {
      long wrong = rows < 0 ? rows : columns;
      return fault == null
          ? Fault.value("a size of eye must not be negative, but got " + wrong)
          : fault;
    }
    Object shape = Filling.shape(rows, columns);
    return shape instanceof Shape known ? TensorForm.contiguous(dtype, known) : shape;
  }

  private static @Nullable Fault ones(DenseTensor target, Call call) {
    long columns = target.shape().size(1);
    Fault stop = Filling.zero(call, target);
    return stop != null
        ? stop
        : new CancellationPoll(call)
            .inPieces(
                Math.min(target.shape().size(0), columns),
                (first, count) -> {
                  for (long i = first; i < first + count; i++) {
                    Elements.putLong(target.segment(), target.dtype(), i * columns + i, 1);
                  }
                });
  }
}
