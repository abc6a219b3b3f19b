package dev.staunch.kernel.reduce;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.operand.Marking;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Sums, means, products and truths; the other reductions have files of their own. */
public final class ReductionOperations {
  private static final String DTYPE = "*, ScalarType? dtype=None) -> Tensor";
  private static final String DIMS = "(Tensor self, int[1]? dim, bool keepdim=False, " + DTYPE;

  private ReductionOperations() {}

  /** Adds all operations of this package. */
  public static void addTo(Catalog.Builder catalog) {
    casting(catalog, "sum", "(Tensor self, " + DTYPE, 1, call -> sum(call, new long[0], false, 1));
    casting(catalog, "sum.dim_IntList", DIMS, 3, call -> sum(call, dims(call, 1), call.bool(2), 3));
    catalog.one(
        "aten::mean(Tensor self, " + DTYPE, Marking.one(call -> mean(call, new long[0], false, 1)));
    catalog.one(
        "aten::mean.dim" + DIMS, Marking.one(call -> mean(call, dims(call, 1), call.bool(2), 3)));
    casting(
        catalog, "prod", "(Tensor self, " + DTYPE, 1, call -> product(call, new long[0], false, 1));
    casting(
        catalog,
        "prod.dim_int",
        "(Tensor self, int dim, bool keepdim=False, " + DTYPE,
        3,
        call -> product(call, dim(call), call.bool(2), 3));
    truths(catalog);
    ExtremeOperations.addTo(catalog);
    VarianceOperations.addTo(catalog);
    NormOperations.addTo(catalog);
    SoftmaxOperations.addTo(catalog);
    ScanOperations.addTo(catalog);
    SortOperations.addTo(catalog);
    RankOperations.addTo(catalog);
    RunningOperations.addTo(catalog);
    CountingOperations.addTo(catalog);
  }

  /** An operation that casts what the integers or bools that it is asked for would not hold. */
  static void casting(
      Catalog.Builder catalog, String name, String tail, int dtypeAt, Kernel.One kernel) {
    catalog.one(
        "aten::" + name + tail,
        Marking.one(call ->
            casts(call.tensor(0).dtype(), call.optionalDType(dtypeAt))
                ? Steps.within(call, (steps, inner) -> cast(steps, inner, name, dtypeAt))
                : kernel.run(call)));
  }

  private static boolean casts(DType own, @Nullable DType asked) {
    return asked == DType.BOOL
        ? own != DType.BOOL
        : asked != null && asked.kind() == DType.Kind.INTEGRAL && own.isFloating();
  }

  private static Object cast(Steps steps, Call call, String name, int dtypeAt) {
    Object[] arguments = new Object[call.size()];
    Arrays.setAll(arguments, call::value);
    arguments[0] = steps.cast(call.tensor(0), accumulated(call, dtypeAt));
    return steps.run(name, arguments);
  }

  /** An optional list of dimensions; none means all. */
  static long[] dims(Call call, int i) {
    return call.isNone(i) ? new long[0] : call.integers(i);
  }

  private static long[] dim(Call call) {
    return new long[] {call.integer(1)};
  }

  /** The dtype of sums and products: integers become int64. */
  static DType accumulated(Call call, int dtypeAt) {
    DType asked = call.optionalDType(dtypeAt);
    DType own = call.tensor(0).dtype();
    boolean exact = own.kind() == DType.Kind.INTEGRAL || own.kind() == DType.Kind.BOOL;
    return asked != null ? asked : exact ? DType.INT64 : own;
  }

  /** The groups to reduce; or a fault, also for complex dtypes. */
  static Object over(Call call, String name, DType dtype, long[] dims, boolean keep) {
    DenseTensor self = call.tensor(0);
    boolean complex =
        dtype.kind() == DType.Kind.COMPLEX || self.dtype().kind() == DType.Kind.COMPLEX;
    return complex
        ? Fault.unsupported(
            name + " is not implemented for complex numbers; reduce `real` and `imag` apart")
        : Reduction.over(self, dims, keep);
  }

  private static Object sum(Call call, long[] dims, boolean keep, int dtypeAt) {
    DType dtype = accumulated(call, dtypeAt);
    Object over = over(call, "sum", dtype, dims, keep);
    if (!(over instanceof Reduction reduction)) {
      return over;
    }
    if (dtype == DType.BOOL) {
      return reduction.reals(call, dtype, row -> truth(row, true));
    }
    if (dtype.isFloating()) {
      return reduction.sums(call, dtype, 1);
    }
    return reduction.integers(call, dtype, ReductionOperations::total);
  }

  private static long total(IntegerRow row) {
    long sum = 0;
    for (int n = row.first(); n > 0; n = row.next()) {
      long[] values = row.values();
      for (int i = 0; i < n; i++) {
        sum += values[i];
      }
    }
    return sum;
  }

  private static Object product(Call call, long[] dims, boolean keep, int dtypeAt) {
    DType dtype = accumulated(call, dtypeAt);
    Object over = over(call, "prod", dtype, dims, keep);
    if (!(over instanceof Reduction reduction)) {
      return over;
    }
    if (dtype == DType.BOOL) {
      return reduction.reals(call, dtype, row -> truth(row, false));
    }
    return dtype.isFloating()
        ? reduction.reals(call, dtype, ReductionOperations::product)
        : reduction.integers(call, dtype, ReductionOperations::product);
  }

  private static double product(RealRow row) {
    double product = 1;
    for (int n = row.first(); n > 0; n = row.next()) {
      double[] values = row.values();
      for (int i = 0; i < n; i++) {
        product *= values[i];
      }
    }
    return product;
  }

  private static long product(IntegerRow row) {
    long product = 1;
    for (int n = row.first(); n > 0; n = row.next()) {
      long[] values = row.values();
      for (int i = 0; i < n; i++) {
        product *= values[i];
      }
    }
    return product;
  }

  private static Object mean(Call call, long[] dims, boolean keep, int dtypeAt) {
    DType asked = call.optionalDType(dtypeAt);
    DType dtype = asked == null ? call.tensor(0).dtype() : asked;
    Object over = over(call, "mean", dtype, dims, keep);
    if (!(over instanceof Reduction reduction)) {
      return over;
    }
    if (!dtype.isFloating()) {
      return Fault.dtype("a mean is taken of a floating dtype, but it is " + dtype)
          .withExpected("a floating point dtype", dtype.toString());
    }
    return reduction.sums(call, dtype, reduction.count);
  }

  private static void truths(Catalog.Builder catalog) {
    for (boolean any : new boolean[] {true, false}) {
      String name = any ? "aten::any" : "aten::all";
      catalog.one(name + "(Tensor self) -> Tensor", call -> truth(call, new long[0], false, any));
      catalog.one(
          name + ".dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
          call -> truth(call, dim(call), call.bool(2), any));
    }
  }

  private static Object truth(Call call, long[] dims, boolean keep, boolean any) {
    DType own = call.tensor(0).dtype();
    Object over = over(call, any ? "any" : "all", own, dims, keep);
    if (!(over instanceof Reduction reduction)) {
      return over;
    }
    DType dtype = own == DType.UINT8 ? DType.UINT8 : DType.BOOL;
    return reduction.reals(call, dtype, row -> truth(row, any));
  }

  private static double truth(RealRow row, boolean any) {
    for (int n = row.first(); n > 0; n = row.next()) {
      double[] values = row.values();
      for (int i = 0; i < n; i++) {
        if ((values[i] != 0) == any) {
          return any ? 1 : 0;
        }
      }
    }
    return any ? 0 : 1;
  }
}
