package dev.staunch.kernel.create;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Filled;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Placement;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/** Evenly spaced powers, and the indices of triangles. */
final class SeriesOperations {
  private SeriesOperations() {}

  static void addTo(Catalog.Builder catalog) {
    Composite.add(
        catalog,
        "aten::logspace(Scalar start, Scalar end, int steps, float base=10., *, ScalarType?"
            + " dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None)"
            + " -> Tensor",
        SeriesOperations::powers);
    for (boolean lower : new boolean[] {true, false}) {
      Filled.add(
          catalog,
          "aten::"
              + (lower ? "tril" : "triu")
              + "_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout?"
              + " layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
          call -> triangle(call, lower),
          (target, call) -> fill(target, call, lower));
    }
  }

  private static Object powers(Steps steps, Operands call) {
    DType asked = call.optionalDType(4);
    DType dtype = asked == null ? DType.FLOAT32 : asked;
    Fault complex = NewTensors.complex("logspace", dtype, call.scalar(0), call.scalar(1));
    Fault fault = complex == null ? Placement.fault(call, 5) : complex;
    if (fault != null) {
      return fault;
    }
    double base = call.real(3);
    long code = DType.FLOAT64.code();
    boolean single = call.integer(2) == 1; // libtorch does not round it
    Object first = single ? call.scalar(0) : bound(call.scalar(0), dtype);
    Object last = bound(call.scalar(1), dtype);
    Object exponents = steps.run("linspace", first, last, call.value(2), code);
    return steps.cast(steps.run("pow.Scalar", base, exponents), dtype);
  }

  /** A bound of a series; truncated to an integer for integer dtypes. */
  private static Object bound(Object number, DType dtype) {
    return dtype.isFloating() ? number : (Object) Scalars.integer(number);
  }

  private static Object triangle(Operands operands, boolean lower) {
    long rows = operands.integer(0);
    long columns = operands.integer(1);
    DType asked = operands.optionalDType(3);
    DType dtype = asked == null ? DType.INT64 : asked;
    if (rows < 0 || columns < 0) {
      return Fault.value(
          "`row` and `col` must not be negative, but got " + rows + " and " + columns);
    }
    Fault elsewhere = Placement.fault(operands, 4);
    if (elsewhere != null) {
      return elsewhere;
    }
    if (dtype.kind() != DType.Kind.INTEGRAL) {
      return Pointwise.refusal((lower ? "tril" : "triu") + "_indices", dtype, true);
    }
    if (rows > Integer.MAX_VALUE || columns > Integer.MAX_VALUE) {
      return NewTensors.tooLong(Math.max(rows, columns));
    }
    long offset = Math.clamp(operands.integer(2), -rows, columns);
    long below = below(rows, columns, lower ? offset : offset - 1);
    Object shape = Filling.shape(2, lower ? below : rows * columns - below);
    return shape instanceof Shape known ? TensorForm.contiguous(dtype, known) : shape;
  }

  /** The number of elements on or below the diagonal {@code offset}. */
  private static long below(long rows, long columns, long offset) {
    long first = Math.clamp(-offset, 0, rows); // the first row with such an element
    long full = Math.clamp(columns - 1 - offset, first, rows); // the first row with nothing else
    long partial = full - first;
    long smallest = first + offset + 1;
    return partial * smallest + partial * (partial - 1) / 2 + (rows - full) * columns;
  }

  private static @Nullable Fault fill(DenseTensor target, Call call, boolean lower) {
    long rows = call.integer(0);
    long columns = call.integer(1);
    long offset = Math.clamp(call.integer(2), -rows, columns);
    CancellationPoll poll = new CancellationPoll(call);
    long count = target.shape().size(1);
    long next = 0;
    for (long row = 0; row < rows && poll.mayContinue(1); row++) {
      long column = start(row, columns, offset, lower);
      long end = end(row, columns, offset, lower);
      for (; column < end && poll.mayContinue(2); column++) {
        Elements.putLong(target.segment(), target.dtype(), next, row);
        Elements.putLong(target.segment(), target.dtype(), count + next++, column);
      }
    }
    return poll.fault();
  }

  private static long start(long row, long columns, long offset, boolean lower) {
    return lower ? 0 : Math.clamp(row + offset, 0, columns);
  }

  private static long end(long row, long columns, long offset, boolean lower) {
    return lower ? Math.clamp(row + offset + 1, 0, columns) : columns;
  }
}
