package dev.staunch.kernel.reduce;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.function.Function;
import java.util.function.Predicate;

/** Maxima and minima, and their indices. NaN is the extreme of any group that contains it. */
final class ExtremeOperations {
  private ExtremeOperations() {}

  static void addTo(Catalog.Builder catalog) {
    for (boolean most : new boolean[] {true, false}) {
      String name = most ? "max" : "min";
      values(catalog, name, name + "(Tensor self)", call -> new long[0], call -> false, most);
      values(
          catalog,
          "a" + name,
          "a" + name + "(Tensor self, int[1] dim=[], bool keepdim=False)",
          call -> call.integers(1),
          call -> call.bool(2),
          most);
      Inference places = operands -> place(operands, "arg" + name);
      catalog
          .withInference(places)
          .one(
              "aten::arg" + name + "(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
              call ->
                  places.infer(call) instanceof Fault fault
                      ? fault
                      : places(call, over(call, dim(call), call.bool(2)), most));
      Inference pair = operands -> pair(operands, name);
      catalog
          .withInference(pair)
          .many(
              "aten::"
                  + name
                  + ".dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor"
                  + " indices)",
              call -> pair.infer(call) instanceof Fault fault ? fault : both(call, most));
    }
  }

  private static void values(
      Catalog.Builder catalog,
      String name,
      String head,
      Function<Operands, long[]> dims,
      Predicate<Operands> keep,
      boolean most) {
    Inference inference = call -> form(call, name, dims.apply(call), keep.test(call));
    catalog
        .withInference(inference)
        .one(
            "aten::" + head + " -> Tensor",
            call ->
                inference.infer(call) instanceof Fault fault
                    ? fault
                    : values(call, over(call, dims.apply(call), keep.test(call)), most));
  }

  /** The form of the extremes along {@code dims}; or the fault. */
  private static Object form(Operands operands, String name, long[] dims, boolean keep) {
    DType dtype = operands.dtype(0);
    Shape self = operands.shape(0);
    Object shape = ReductionOperands.shape(operands, name, dtype, dims, keep);
    if (shape instanceof Shape && Reduction.count(self, dims) == 0) {
      String place = operands.size() == 1 ? "" : "; give `dim`";
      place = dims.length == 0 ? place : " along dimension " + dims[0];
      return Fault.index(name + " finds no element in a tensor of shape " + self + place)
          .withExpected("at least one element", self.toString());
    }
    return shape instanceof Shape left ? TensorForm.contiguous(dtype, left) : shape;
  }

  private static Object place(Operands operands, String name) {
    if (operands.dtype(0) == DType.BOOL) {
      return Pointwise.refusal(name, DType.BOOL);
    }
    Object form = form(operands, name, dim(operands), operands.bool(2));
    return form instanceof TensorForm known ? known.cast(DType.INT64) : form;
  }

  private static Object pair(Operands operands, String name) {
    Object form = form(operands, name, new long[] {operands.integer(1)}, operands.bool(2));
    return form instanceof TensorForm known ? new Object[] {known, known.cast(DType.INT64)} : form;
  }

  /** The dimension in argument 1; none means all. */
  private static long[] dim(Operands operands) {
    return operands.isNone(1) ? new long[0] : new long[] {operands.integer(1)};
  }

  private static Reduction over(Call call, long[] dims, boolean keep) {
    return (Reduction) Reduction.over(call.tensor(0), dims, keep);
  }

  private static Object values(Call call, Reduction reduction, boolean most) {
    DType dtype = call.tensor(0).dtype();
    return dtype.isFloating()
        ? reduction.folded(call, dtype, most ? Fold.GREATEST : Fold.LEAST, value -> value)
        : reduction.integers(call, dtype, row -> row.element(best(row, most)));
  }

  private static Object places(Call call, Reduction reduction, boolean most) {
    if (!call.tensor(0).dtype().isFloating()) {
      return reduction.integers(call, DType.INT64, row -> best(row, most));
    }
    Object values = values(call, reduction, most);
    if (!(values instanceof DenseTensor extremes)) {
      return values;
    }
    try (extremes) {
      return ExtremePlaces.of(call, reduction, extremes);
    }
  }

  private static Object both(Call call, boolean most) {
    Reduction reduction = over(call, new long[] {call.integer(1)}, call.bool(2));
    Object values = values(call, reduction, most);
    Object places =
        values instanceof DenseTensor extremes && extremes.dtype().isFloating()
            ? ExtremePlaces.of(call, reduction, extremes)
            : values instanceof Fault ? values : places(call, reduction, most);
    return Temporaries.both(values, places);
  }

  private static int best(IntegerRow row, boolean most) {
    int best = 0;
    long extreme = most ? Long.MIN_VALUE : Long.MAX_VALUE;
    for (row.rewind(); row.advance(); ) {
      int n = row.count();
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
