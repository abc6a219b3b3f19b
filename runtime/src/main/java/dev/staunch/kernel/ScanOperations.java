package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;

/** Running sums and products along one dimension. */
final class ScanOperations {
  private ScanOperations() {}

  static void addTo(Catalog.Builder catalog) {
    for (boolean sum : new boolean[] {true, false}) {
      String name = sum ? "cumsum" : "cumprod";
      catalog.one(
          "aten::" + name + "(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
          Marking.one(call -> scan(call, name, sum)));
    }
  }

  private static Object scan(Call call, String name, boolean sum) {
    DType dtype = ReductionOperations.accumulated(call, 2);
    long[] dim = {call.integer(1)};
    Object over = ReductionOperations.over(call, name, dtype, dim, false);
    Object made = over instanceof Fault ? over : call.allocate(dtype, call.tensor(0).shape());
    if (!(made instanceof DenseTensor target) || !(over instanceof Reduction from)) {
      return made;
    }
    Reduction to = (Reduction) Reduction.over(target, dim, false);
    Fault stop = dtype.isFloating() ? reals(call, from, to, sum) : integers(call, from, to, sum);
    if (stop != null) {
      target.close();
      return stop;
    }
    return target;
  }

  private static @org.jspecify.annotations.Nullable Fault reals(
      Call call, Reduction from, Reduction to, boolean sum) {
    double[] values = new double[from.count];
    return from.each(
        call,
        group -> {
          from.load(group, 0, values);
          for (int i = 1; i < values.length; i++) {
            values[i] = sum ? values[i - 1] + values[i] : values[i - 1] * values[i];
          }
          to.store(group, values);
        });
  }

  private static @org.jspecify.annotations.Nullable Fault integers(
      Call call, Reduction from, Reduction to, boolean sum) {
    long[] values = new long[from.count];
    return from.each(
        call,
        group -> {
          from.load(group, 0, values);
          for (int i = 1; i < values.length; i++) {
            values[i] = sum ? values[i - 1] + values[i] : values[i - 1] * values[i];
          }
          to.store(group, values);
        });
  }
}
