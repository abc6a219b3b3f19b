package dev.staunch.kernel.reduce;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.formula.RealFunctions;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.operand.Demands;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Results that run along a dimension: extremes so far, differences, areas. */
final class RunningOperations {
  private RunningOperations() {}

  static void addTo(Catalog.Builder catalog) {
    for (boolean most : new boolean[] {true, false}) {
      catalog.many(
          "aten::"
              + (most ? "cummax" : "cummin")
              + "(Tensor self, int dim) -> (Tensor values, Tensor indices)",
          Steps.many((steps, call) -> extremes(steps, call, most)));
    }
    for (String name : new String[] {"logcumsumexp", "_logcumsumexp"}) {
      Steps.add(
          catalog,
          "aten::" + name + "(Tensor self, int dim) -> Tensor",
          (steps, call) -> logSums(call));
    }
    Steps.add(
        catalog,
        "aten::diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) ->"
            + " Tensor",
        RunningOperations::differences);
    for (String name : new String[] {"trapz", "trapezoid"}) {
      String step = name.equals("trapz") ? "float dx=1." : "Scalar dx=1";
      Steps.add(
          catalog,
          "aten::" + name + ".dx(Tensor y, *, " + step + ", int dim=-1) -> Tensor",
          (steps, call) -> area(steps, call, call.value(1)));
      Steps.add(
          catalog,
          "aten::" + name + ".x(Tensor y, Tensor x, *, int dim=-1) -> Tensor",
          (steps, call) -> area(steps, call, spacing(steps, call)));
    }
  }

  private static Object extremes(Steps steps, Call call, boolean most) {
    DenseTensor self = call.tensor(0);
    long[] dim = {call.integer(1)};
    String name = most ? "cummax" : "cummin";
    Object over = ReductionOperations.over(call, name, self.dtype(), dim, false);
    if (!(over instanceof Reduction from)) {
      return over;
    }
    Object places = call.allocate(DType.INT64, self.shape());
    if (!(places instanceof DenseTensor indices)) {
      return places;
    }
    Reduction to = (Reduction) Reduction.over(indices, dim, false);
    Lookout lookout = new Lookout(call);
    Fault stop =
        self.dtype().isFloating()
            ? reals(lookout, from, to, most)
            : integers(lookout, from, to, most);
    Object values = stop == null ? steps.run("gather", self, dim[0], indices) : stop;
    return values instanceof Fault ? values : new Object[] {values, indices};
  }

  /** Writes where the extreme of the elements so far stands; the last of equal ones, or of NaN. */
  private static @Nullable Fault reals(
      Lookout lookout, Reduction from, Reduction to, boolean most) {
    RealRow row = RealRow.of(from, lookout);
    long[] numbers = new long[Math.min(RealRow.CHUNK, from.count)];
    return from.each(
        lookout,
        group -> {
          double best = most ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
          long place = 0;
          for (int n = row.of(group).first(); n > 0; n = row.next()) {
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
      Lookout lookout, Reduction from, Reduction to, boolean most) {
    IntegerRow row = new IntegerRow(from, lookout);
    long[] numbers = new long[Math.min(RealRow.CHUNK, from.count)];
    return from.each(
        lookout,
        group -> {
          long best = most ? Long.MIN_VALUE : Long.MAX_VALUE;
          long place = 0;
          for (int n = row.of(group).first(); n > 0; n = row.next()) {
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

  private static Object logSums(Call call) {
    DenseTensor self = call.tensor(0);
    long[] dim = {call.integer(1)};
    Object over = ReductionOperations.over(call, "logcumsumexp", self.dtype(), dim, false);
    if (!(over instanceof Reduction from)) {
      return over;
    }
    if (!self.dtype().isFloating()) {
      return Pointwise.refusal("logcumsumexp", self.dtype());
    }
    Object made = call.allocate(self.dtype(), self.shape());
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    Reduction to = (Reduction) Reduction.over(target, dim, false);
    Lookout lookout = new Lookout(call);
    RealRow row = RealRow.of(from, lookout);
    Fault stop =
        from.each(
            lookout,
            group -> {
              double carried = Double.NEGATIVE_INFINITY;
              for (int n = row.of(group).first(); n > 0; n = row.next()) {
                double[] values = row.values();
                for (int i = 0; i < n; i++) {
                  carried = RealFunctions.logSum(carried, values[i]);
                  values[i] = carried;
                }
                to.store(group, row.start(), n, values);
              }
            });
    return Lookout.finished(target, stop);
  }

  private static Object differences(Steps steps, Call call) {
    DenseTensor self = call.tensor(0);
    long order = call.integer(1);
    long dim = call.integer(2);
    Object wrapped = Dimensions.wrap(dim, self.rank());
    if (wrapped instanceof Fault || self.rank() == 0) {
      return wrapped instanceof Fault
          ? wrapped
          : Demands.shape(
              "diff takes at least 1 dimension, but the tensor has none",
              "at least 1 dimension",
              self.shape());
    }
    if (order < 0) {
      return Fault.value("`n` must not be negative, but it is " + order);
    }
    if (order == 0) {
      return steps.run("clone", self);
    }
    Object value = extended(steps, call, self, dim);
    int at = (Integer) wrapped;
    boolean flags = value instanceof DenseTensor whole && whole.dtype() == DType.BOOL;
    for (long i = 0; i < order && value instanceof DenseTensor known; i++) {
      long rest = Math.max(0, known.shape().size(at) - 1);
      Object later = steps.run("narrow", known, dim, Math.min(1, known.shape().size(at)), rest);
      Object earlier = steps.run("narrow", known, dim, 0L, rest);
      value = steps.run(flags ? "logical_xor" : "sub.Tensor", later, earlier);
      if (rest == 0) {
        break;
      }
    }
    return value;
  }

  private static Object extended(Steps steps, Call call, DenseTensor self, long dim) {
    List<Object> parts = Steps.list();
    @Nullable DenseTensor before = call.optionalTensor(3);
    @Nullable DenseTensor after = call.optionalTensor(4);
    if (before != null) {
      parts.add(before);
    }
    parts.add(self);
    if (after != null) {
      parts.add(after);
    }
    return parts.size() == 1 ? self : steps.run("cat", parts, dim);
  }

  /** Half the sum of neighbours, each times its step; integers are summed as reals. */
  private static Object area(Steps steps, Call call, Object by) {
    DenseTensor self = call.tensor(0);
    long dim = call.integer(2);
    Object wrapped = Dimensions.wrap(dim, self.rank());
    if (wrapped instanceof Fault || by instanceof Fault) {
      return wrapped instanceof Fault ? wrapped : by;
    }
    if (self.dtype() == DType.BOOL) {
      return Fault.dtype("trapezoid takes numbers, but there are bools")
          .withExpected("numbers", self.dtype().toString());
    }
    if (self.rank() == 0) {
      return Demands.shape(
          "`y` must have at least 1 dimension, but it has none",
          "at least 1 dimension",
          self.shape());
    }
    long size = self.shape().size((Integer) wrapped);
    Object y = self.dtype().isFloating() ? self : steps.cast(self, DType.FLOAT64);
    Object pairs =
        steps.sum(
            steps.run("narrow", y, dim, Math.min(1, size), Math.max(0, size - 1)),
            steps.run("narrow", y, dim, 0L, Math.max(0, size - 1)));
    Object areas = by instanceof DenseTensor ? steps.product(pairs, by) : steps.scaled(pairs, by);
    Object sum = steps.run("sum.dim_IntList", areas, Steps.ints(dim));
    Object half = steps.run("div.Scalar", sum, 2.0);
    boolean real = by instanceof DenseTensor spacing && spacing.dtype().isFloating();
    return self.dtype().isFloating()
        ? half
        : steps.cast(half, real ? ((DenseTensor) by).dtype() : DType.FLOAT32);
  }

  private static Object spacing(Steps steps, Call call) {
    DenseTensor y = call.tensor(0);
    DenseTensor x = call.tensor(1);
    Object wrapped = Dimensions.wrap(call.integer(2), y.rank());
    if (!(wrapped instanceof Integer at) || y.rank() == 0) {
      return wrapped;
    }
    if (x.dtype() == DType.BOOL) {
      return Fault.dtype("trapezoid takes numbers, but there are bools")
          .withExpected("numbers", x.dtype().toString());
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
    return steps.run("diff", steps.view(x, sizes), 1L, call.integer(2));
  }
}
