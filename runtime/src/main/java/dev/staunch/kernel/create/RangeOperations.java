package dev.staunch.kernel.create;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.scalar.CastOperations;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;

/** Ranges and identity matrices. */
final class RangeOperations {
  private RangeOperations() {}

  static void addTo(Catalog.Builder catalog) {
    String tail = CreationOperations.TAIL;
    catalog.one("aten::arange(Scalar end, " + tail, call -> range(call, 0L, call.scalar(0), 1L, 1));
    catalog.one(
        "aten::arange.start(Scalar start, Scalar end, " + tail,
        call -> range(call, call.scalar(0), call.scalar(1), 1L, 2));
    catalog.one(
        "aten::arange.start_step(Scalar start, Scalar end, Scalar step=1, " + tail,
        call -> range(call, call.scalar(0), call.scalar(1), call.scalar(2), 3));
    for (String overload :
        new String[] {"Scalar_Scalar", "Tensor_Tensor", "Tensor_Scalar", "Scalar_Tensor"}) {
      linspace(catalog, overload);
    }
    catalog.one("aten::eye(int n, " + tail, call -> eye(call, call.integer(0), 1));
    catalog.one("aten::eye.m(int n, int m, " + tail, call -> eye(call, call.integer(1), 2));
  }

  private static Object range(Call call, Object start, Object end, Object step, int dtypeAt) {
    boolean exact =
        Scalars.isIntegral(start) && Scalars.isIntegral(end) && Scalars.isIntegral(step);
    DType asked = call.optionalDType(dtypeAt);
    DType dtype = asked != null ? asked : exact ? DType.INT64 : DType.FLOAT32;
    Fault complex = Promotion.unsupported("arange", dtype);
    if (complex != null) {
      return complex;
    }
    double first = dtype.isFloating() ? Scalars.real(start) : Scalars.integer(start);
    double by = dtype.isFloating() ? Scalars.real(step) : Scalars.integer(step);
    double span = (dtype.isFloating() ? Scalars.real(end) : Scalars.integer(end)) - first;
    if (by == 0 || Double.isNaN(by)) {
      return Fault.value("the step of a range must not be " + Scalars.real(step));
    }
    if (!Double.isFinite(span)) {
      return Fault.value(
          "a range must have finite ends, but got "
              + Scalars.real(start)
              + " to "
              + Scalars.real(end));
    }
    if (span != 0 && span > 0 != by > 0) {
      String text = "a range from %s to %s cannot be walked by steps of %s; turn the step's sign";
      return Fault.value(Message.of(text, start, end, step));
    }
    double count =
        dtype.isFloating() || dtype == DType.INT64
            ? Math.ceil(span / by)
            : Math.ceil((Scalars.real(end) - Scalars.real(start)) / Scalars.real(step));
    if (count >= 0x1p62) {
      return CreationOperations.tooLong(count);
    }
    Object made = call.allocate(dtype, Shape.of((long) count));
    return each(
        call,
        made,
        (target, i) -> {
          if (dtype.isFloating()) {
            Elements.putDouble(target.segment(), dtype, i, first + i * by);
          } else {
            long value = Scalars.integer(start) + i * Scalars.integer(step);
            Elements.putLong(target.segment(), dtype, i, value);
          }
        });
  }

  /** Writes the element of one number. */
  private interface Writer {
    void write(DenseTensor target, long i);
  }

  private static Object each(Call call, Object made, Writer writer) {
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    Fault stop =
        new Lookout(call)
            .inPieces(
                target.elements(),
                (first, count) -> {
                  for (long i = first; i < first + count; i++) {
                    writer.write(target, i);
                  }
                });
    return Lookout.finished(target, stop);
  }

  /** The overload whose ends have the given types; that of two numbers has no name. */
  private static void linspace(Catalog.Builder catalog, String overload) {
    String[] types = overload.split("_", -1);
    String name = overload.equals("Scalar_Scalar") ? "" : "." + overload;
    catalog.one(
        Message.of(
            "aten::linspace%s(%s start, %s end, int steps, %s",
            name, types[0], types[1], CreationOperations.TAIL),
        RangeOperations::linspace);
  }

  /** A number, or the only element of a tensor without dimensions; or a fault. */
  private static Object bound(Object argument) {
    if (!(argument instanceof DenseTensor tensor)) {
      return argument;
    }
    return tensor.shape().rank() == 0
        ? CastOperations.item(tensor)
        : Fault.shape(
            "the ends of a linspace are numbers, but one has the shape "
                + tensor.shape()
                + "; take one element, as `x[0]` does");
  }

  /** The end of a series of {@code dtype}: a whole number among integers. */
  private static Object end(Object number, DType dtype) {
    return dtype.kind() == DType.Kind.INTEGRAL ? (Object) Scalars.integer(number) : number;
  }

  private static Object linspace(Call call) {
    long steps = call.integer(2);
    DType asked = call.optionalDType(3);
    DType dtype = asked == null ? DType.FLOAT32 : asked;
    Fault complex = Promotion.unsupported("linspace", dtype);
    if (complex != null || steps < 0) {
      return complex == null
          ? Fault.value("`steps` must not be negative, but it is " + steps)
          : complex;
    }
    Object first = bound(call.scalar(0));
    Object last = bound(call.scalar(1));
    if (first instanceof Fault || last instanceof Fault) {
      return first instanceof Fault ? first : last;
    }
    double start = Scalars.real(end(first, dtype));
    double end = Scalars.real(end(last, dtype));
    double by = steps > 1 ? (end - start) / (steps - 1) : 0;
    Object made = call.allocate(dtype, Shape.of(steps));
    return each(
        call,
        made,
        (target, i) -> {
          double value = i < steps / 2 || steps == 1 ? start + i * by : end - (steps - 1 - i) * by;
          Elements.putDouble(target.segment(), dtype, i, value);
        });
  }

  private static Object eye(Call call, long columns, int dtypeAt) {
    long rows = call.integer(0);
    DType asked = call.optionalDType(dtypeAt);
    DType dtype = asked == null ? DType.FLOAT32 : asked;
    Fault complex = Promotion.unsupported("eye", dtype);
    if (complex != null || rows < 0 || columns < 0) {
      long wrong = rows < 0 ? rows : columns;
      return complex == null
          ? Fault.value("a size of eye must not be negative, but got " + wrong)
          : complex;
    }
    Object shape = Filling.shape(rows, columns);
    Object made = shape instanceof Shape known ? Filling.zeros(call, dtype, known) : shape;
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    Fault stop =
        new Lookout(call)
            .inPieces(
                Math.min(rows, columns),
                (first, count) -> {
                  for (long i = first; i < first + count; i++) {
                    Elements.putLong(target.segment(), dtype, i * columns + i, 1);
                  }
                });
    return Lookout.finished(target, stop);
  }
}
