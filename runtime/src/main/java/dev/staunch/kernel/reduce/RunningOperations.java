package dev.staunch.kernel.reduce;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.formula.RealFunctions;
import dev.staunch.kernel.loop.Filled;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cumulative results along a dimension: extremes so far, differences, areas. */
final class RunningOperations {
  private RunningOperations() {}

  static void addTo(Catalog.Builder catalog) {
    for (boolean most : new boolean[] {true, false}) {
      Filled places = new Filled(RunningOperations::form, (to, call) -> extremes(to, call, most));
      Composite.addMany(
          catalog,
          "aten::"
              + (most ? "cummax" : "cummin")
              + "(Tensor self, int dim) -> (Tensor values, Tensor indices)",
          (steps, call) -> {
            String name = most ? "cummax" : "cummin";
            Object misfit = shape(call, name);
            Object at =
                misfit instanceof Fault
                    ? misfit
                    : steps.apply(places, call.value(0), call.value(1));
            Object values = steps.run("gather", call.value(0), call.value(1), at);
            return Steps.isTensor(values) ? new Object[] {values, at} : values;
          });
    }
    for (String name : new String[] {"logcumsumexp", "_logcumsumexp"}) {
      Filled.add(
          catalog,
          "aten::" + name + "(Tensor self, int dim) -> Tensor",
          RunningOperations::logSumForm,
          RunningOperations::logSums);
    }
    Composite.add(
        catalog,
        "aten::diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) ->"
            + " Tensor",
        RunningOperations::differences);
    Composite.add(
        catalog,
        "aten::cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor",
        (steps, call) -> areas(steps, call, call.value(1)));
    Composite.add(
        catalog,
        "aten::cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor",
        (steps, call) -> areas(steps, call, spacing(steps, call)));
    trapezoids(catalog, "trapz", "float dx=1.");
    trapezoids(catalog, "trapezoid", "Scalar dx=1");
  }

  private static void trapezoids(Catalog.Builder catalog, String name, String step) {
    Composite.add(
        catalog,
        "aten::" + name + ".dx(Tensor y, *, " + step + ", int dim=-1) -> Tensor",
        (steps, call) -> area(steps, call, call.value(1)));
    Composite.add(
        catalog,
        "aten::" + name + ".x(Tensor y, Tensor x, *, int dim=-1) -> Tensor",
        (steps, call) -> area(steps, call, spacing(steps, call)));
  }

  private static Object shape(Operands operands, String name) {
    long[] dim = {operands.integer(1)};
    return ReductionOperands.shape(operands, name, operands.dtype(0), dim, false);
  }

  private static Object form(Operands operands) {
    return TensorForm.contiguous(DType.INT64, operands.shape(0));
  }

  /** The groups along the dimension in argument 1. */
  private static Reduction along(DenseTensor tensor, Call call) {
    return (Reduction) Reduction.over(tensor, new long[] {call.integer(1)}, false);
  }

  private static @Nullable Fault extremes(DenseTensor target, Call call, boolean most) {
    Reduction from = along(call.tensor(0), call);
    Reduction to = along(target, call);
    CancellationPoll poll = new CancellationPoll(call);
    return call.dtype(0).isFloating()
        ? reals(poll, from, to, most)
        : integers(poll, from, to, most);
  }

  /**
   * Writes the index of the extreme of the elements so far; among equal ones, or NaNs, the last.
   */
  private static @Nullable Fault reals(
      CancellationPoll poll, Reduction from, Reduction to, boolean most) {
    RealRow row = RealRow.of(from, poll);
    long[] numbers = new long[Math.min(RealRow.CHUNK, from.count)];
    return from.each(
        poll,
        group -> {
          double best = most ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
          long place = 0;
          for (row.of(group).rewind(); row.advance(); ) {
            int n = row.count();
            double[] values = row.values();
            for (int i = 0; i < n; i++) {
              boolean better = most ? values[i] >= best : values[i] <= best;
              if (better || Double.isNaN(values[i])) {
                best = values[i];
                place = (long) row.start() + i;
              }
              numbers[i] = place;
            }
            to.store(group, row.start(), n, numbers);
          }
        });
  }

  private static @Nullable Fault integers(
      CancellationPoll poll, Reduction from, Reduction to, boolean most) {
    IntegerRow row = new IntegerRow(from, poll);
    long[] numbers = new long[Math.min(RealRow.CHUNK, from.count)];
    return from.each(
        poll,
        group -> {
          long best = most ? Long.MIN_VALUE : Long.MAX_VALUE;
          long place = 0;
          for (row.of(group).rewind(); row.advance(); ) {
            int n = row.count();
            long[] values = row.values();
            for (int i = 0; i < n; i++) {
              if (most ? values[i] >= best : values[i] <= best) {
                best = values[i];
                place = (long) row.start() + i;
              }
              numbers[i] = place;
            }
            to.store(group, row.start(), n, numbers);
          }
        });
  }

  private static Object logSumForm(Operands operands) {
    Object shape = shape(operands, "logcumsumexp");
    if (shape instanceof Fault) {
      return shape;
    }
    DType dtype = operands.dtype(0);
    return dtype.isFloating()
        ? TensorForm.contiguous(dtype, operands.shape(0))
        : Pointwise.refusal("logcumsumexp", dtype);
  }

  private static @Nullable Fault logSums(DenseTensor target, Call call) {
    Reduction from = along(call.tensor(0), call);
    Reduction to = along(target, call);
    CancellationPoll poll = new CancellationPoll(call);
    RealRow row = RealRow.of(from, poll);
    return from.each(
        poll,
        group -> {
          double carried = Double.NEGATIVE_INFINITY;
          for (row.of(group).rewind(); row.advance(); ) {
            int n = row.count();
            double[] values = row.values();
            for (int i = 0; i < n; i++) {
              carried = RealFunctions.logSum(carried, values[i]);
              values[i] = carried;
            }
            to.store(group, row.start(), n, values);
          }
        });
  }

  private static Object differences(Steps steps, Operands call) {
    TensorForm self = call.form(0);
    long order = call.integer(1);
    long dim = call.integer(2);
    Object wrapped = Dimensions.wrap(dim, self.rank());
    if (wrapped instanceof Fault || self.rank() == 0) {
      return wrapped instanceof Fault
          ? wrapped
          : OperandChecks.shape(
              "diff takes at least 1 dimension, but the tensor has none",
              "at least 1 dimension",
              self.shape());
    }
    if (order < 0) {
      return Fault.value("`n` must not be negative, but it is " + order);
    }
    if (order == 0) {
      return steps.run("clone", call.value(0));
    }
    Object value = extended(steps, call, dim);
    int at = (Integer) wrapped;
    boolean flags = Steps.isTensor(value) && Steps.form(value).dtype() == DType.BOOL;
    for (long i = 0; i < order && Steps.isTensor(value); i++) {
      long rest = Math.max(0, Steps.form(value).shape().size(at) - 1);
      Object later =
          steps.run("narrow", value, dim, Math.min(1, Steps.form(value).shape().size(at)), rest);
      Object earlier = steps.run("narrow", value, dim, 0L, rest);
      value = steps.run(flags ? "logical_xor" : "sub.Tensor", later, earlier);
      if (rest == 0) {
        break;
      }
    }
    return value;
  }

  private static Object extended(Steps steps, Operands call, long dim) {
    List<Object> parts = Steps.list();
    for (int i : new int[] {3, 0, 4}) {
      if (!call.isNone(i)) {
        parts.add(call.value(i));
      }
    }
    return parts.size() == 1 ? call.value(0) : steps.run("cat", parts, dim);
  }

  /** Half the sum of neighbours, each times its step, in a dtype that holds the terms. */
  private static Object area(Steps steps, Operands call, Object by) {
    TensorForm self = call.form(0);
    Object wrapped = dimension(call, by);
    if (wrapped instanceof Fault) {
      return wrapped;
    }
    long dim = (Integer) wrapped;
    long size = self.shape().size((Integer) wrapped);
    if (size == 0) {
      return steps.run(
          "sum.dim_IntList", call.value(0), Steps.ints(dim), false, (long) self.dtype().code());
    }
    boolean exact = self.dtype().kind() == DType.Kind.INTEGRAL;
    if (exact && !Steps.isTensor(by)) {
      return evenArea(steps, call.value(0), dim, by);
    }
    Object pairs = pairs(steps, wide(steps, call, 0), dim, size);
    Object areas = Steps.isTensor(by) ? steps.product(pairs, by) : steps.scaled(pairs, by);
    Object sum = steps.run("sum.dim_IntList", areas, Steps.ints(dim));
    Object half = steps.run("div.Scalar", sum, 2.0);
    DType promoted = Promotion.of(self, call.value(1)).result();
    return steps.cast(half, Promotion.floating(promoted));
  }

  /** The area below integers in equal steps. As in libtorch, only the sum of the ends wraps. */
  private static Object evenArea(Steps steps, Object y, long dim, Object step) {
    Object ends =
        steps.sum(steps.run("select.int", y, dim, 0L), steps.run("select.int", y, dim, -1L));
    Object sum = steps.run("sum.dim_IntList", y, Steps.ints(dim));
    return steps.scaled(steps.difference(sum, steps.scaled(ends, 0.5)), step);
  }

  /** Half the running sum of neighbours, each times its step. */
  private static Object areas(Steps steps, Operands call, Object by) {
    TensorForm self = call.form(0);
    Object wrapped = dimension(call, by);
    if (wrapped instanceof Fault) {
      return wrapped;
    }
    long dim = (Integer) wrapped;
    long size = self.shape().size((Integer) wrapped);
    Object pairs = pairs(steps, call.value(0), dim, size);
    Object half =
        by instanceof Number step
            ? steps.run("cumsum", steps.scaled(pairs, step.doubleValue() / 2), dim)
            : steps.run("div.Scalar", steps.run("cumsum", steps.product(pairs, by), dim), 2.0);
    DType promoted = Promotion.of(self, call.value(1)).result();
    return steps.cast(half, Promotion.floating(promoted));
  }

  /** The sums of neighbours along a dimension of {@code size} elements. */
  private static Object pairs(Steps steps, Object y, long dim, long size) {
    long count = Math.max(0, size - 1);
    return steps.sum(
        steps.run("narrow", y, dim, Math.min(1, size), count),
        steps.run("narrow", y, dim, 0L, count));
  }

  /** The dimension along which to integrate, or a fault. */
  private static Object dimension(Operands call, Object by) {
    TensorForm y = call.form(0);
    Object dim = Dimensions.wrap(call.integer(2), y.rank());
    Fault misfit = misfit(y, dim, by);
    return misfit == null ? dim : misfit;
  }

  private static @Nullable Fault misfit(TensorForm y, Object dim, Object by) {
    if (dim instanceof Fault || by instanceof Fault) {
      return (Fault) (dim instanceof Fault ? dim : by);
    }
    if (y.dtype() == DType.BOOL) {
      return Fault.dtype("trapezoid takes numbers, but there are bools")
          .withExpected("numbers", y.dtype());
    }
    return y.rank() > 0
        ? null
        : OperandChecks.shape(
            "`y` must have at least 1 dimension, but it has none",
            "at least 1 dimension",
            y.shape());
  }

  /** An operand, in float32 if it is narrower. */
  private static Object wide(Steps steps, Operands call, int at) {
    DType dtype = call.dtype(at);
    boolean narrow = dtype.isFloating() && dtype.bytes() < DType.FLOAT32.bytes();
    return narrow ? steps.cast(call.value(at), DType.FLOAT32) : call.value(at);
  }

  private static Object spacing(Steps steps, Operands call) {
    TensorForm y = call.form(0);
    TensorForm x = call.form(1);
    Object wrapped = Dimensions.wrap(call.integer(2), y.rank());
    if (!(wrapped instanceof Integer at) || y.rank() == 0) {
      return wrapped;
    }
    if (x.dtype() == DType.BOOL) {
      return Fault.dtype("trapezoid takes numbers, but there are bools")
          .withExpected("numbers", x.dtype());
    }
    if (x.rank() == 1 && x.elements() != y.shape().size(at)) {
      String text = "`x` has %d elements for %d of `y` along dimension %d";
      return Fault.shape(Message.of(text, x.elements(), y.shape().size(at), at))
          .withExpected(y.shape().size(at) + " values", x.elements() + " values");
    }
    long[] sizes = new long[Math.max(x.rank(), y.rank())];
    Arrays.fill(sizes, 1);
    if (x.rank() == 1) {
      sizes = Dimensions.single(y.rank(), at, x.elements()).toArray();
    } else {
      System.arraycopy(x.shape().toArray(), 0, sizes, sizes.length - x.rank(), x.rank());
    }
    return steps.run("diff", steps.view(wide(steps, call, 1), sizes), 1L, (long) at);
  }
}
