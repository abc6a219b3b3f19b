package dev.staunch.kernel.reduce;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.operand.Marking;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;

/** Maxima and minima and where they stand. NaN is the extreme of any group that holds one. */
final class ExtremeOperations {
  private ExtremeOperations() {}

  static void addTo(Catalog.Builder catalog) {
    for (boolean most : new boolean[] {true, false}) {
      String name = most ? "max" : "min";
      catalog.one(
          "aten::" + name + "(Tensor self) -> Tensor",
          Marking.one(call -> values(call, name, new long[0], false, most)));
      catalog.one(
          "aten::a" + name + "(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
          Marking.one(call -> values(call, "a" + name, call.integers(1), call.bool(2), most)));
      catalog.one(
          "aten::arg" + name + "(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
          call -> places(call, "arg" + name, most));
      catalog.many(
          "aten::"
              + name
              + ".dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
          Marking.first(call -> both(call, name, most)));
    }
  }

  private static Object over(Call call, String name, long[] dims, boolean keep) {
    DType dtype = call.tensor(0).dtype();
    Object over = ReductionOperations.over(call, name, dtype, dims, keep);
    if (over instanceof Reduction reduction && reduction.count == 0) {
      String place = dims.length == 0 ? "; give `dim`" : " along dimension " + dims[0];
      return Fault.index(
              name + " finds no element in a tensor of shape " + call.tensor(0).shape() + place)
          .withExpected("at least one element", call.tensor(0).shape().toString());
    }
    return over;
  }

  private static Object values(Call call, String name, long[] dims, boolean keep, boolean most) {
    Object over = over(call, name, dims, keep);
    return over instanceof Reduction reduction ? values(call, reduction, most) : over;
  }

  private static Object values(Call call, Reduction reduction, boolean most) {
    DType dtype = call.tensor(0).dtype();
    return dtype.isFloating()
        ? reduction.reals(call, dtype, row -> row.element(best(row, most)))
        : reduction.integers(call, dtype, row -> row.element(best(row, most)));
  }

  private static Object places(Call call, Reduction reduction, boolean most) {
    return call.tensor(0).dtype().isFloating()
        ? reduction.spots(call, row -> best(row, most))
        : reduction.integers(call, DType.INT64, row -> best(row, most));
  }

  private static Object places(Call call, String name, boolean most) {
    long[] dims = call.isNone(1) ? new long[0] : new long[] {call.integer(1)};
    if (call.tensor(0).dtype() == DType.BOOL) {
      return Pointwise.refusal(name, DType.BOOL);
    }
    Object over = over(call, name, dims, call.bool(2));
    return over instanceof Reduction reduction ? places(call, reduction, most) : over;
  }

  private static Object both(Call call, String name, boolean most) {
    Object over = over(call, name, new long[] {call.integer(1)}, call.bool(2));
    if (!(over instanceof Reduction reduction)) {
      return over;
    }
    Object values = values(call, reduction, most);
    Object places = values instanceof Fault ? values : places(call, reduction, most);
    if (places instanceof Fault && values instanceof DenseTensor tensor) {
      tensor.close();
    }
    return places instanceof Fault ? places : new Object[] {values, places};
  }

  private static int best(RealRow row, boolean most) {
    int best = 0;
    double extreme = most ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    for (int n = row.first(); n > 0; n = row.next()) {
      double[] values = row.values();
      for (int i = 0; i < n; i++) {
        if (Double.isNaN(values[i])) {
          return row.start() + i;
        }
        if (most ? values[i] > extreme : values[i] < extreme) {
          extreme = values[i];
          best = row.start() + i;
        }
      }
    }
    return best;
  }

  private static int best(IntegerRow row, boolean most) {
    int best = 0;
    long extreme = most ? Long.MIN_VALUE : Long.MAX_VALUE;
    for (int n = row.first(); n > 0; n = row.next()) {
      long[] values = row.values();
      for (int i = 0; i < n; i++) {
        if (most ? values[i] > extreme : values[i] < extreme) {
          extreme = values[i];
          best = row.start() + i;
        }
      }
    }
    return best;
  }
}
