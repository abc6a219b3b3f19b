package dev.staunch.kernel.reduce;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;

/** Sums, means, products, and tests for any and all; other reductions have files of their own. */
public final class ReductionOperations {
  private static final String DTYPE = "*, ScalarType? dtype=None) -> Tensor";
  private static final String DIMS = "(Tensor self, int[1]? dim, bool keepdim=False, " + DTYPE;

  private ReductionOperations() {}

  /** All operations of this package. */
  public static List<Catalog.Group> groups() {
    return List.of(
        ReductionOperations::sums,
        ReductionOperations::truths,
        ExtremeOperations::addTo,
        VarianceOperations::addTo,
        NormOperations::addTo,
        SoftmaxOperations::addTo,
        ScanOperations::addTo,
        SortOperations::addTo,
        RankOperations::addTo,
        Quantiles::addTo,
        RunningOperations::addTo,
        CountingOperations::addTo,
        Histograms::addTo,
        SegmentReductions::addTo);
  }

  private static void sums(Catalog.Builder catalog) {
    Catalog.Builder widened = catalog.with(Trait.AUTOCAST_WIDENS);
    reduction(widened, "sum", "(Tensor self, " + DTYPE, 1, ReductionOperations::sum);
    reduction(widened.out("IntList_out"), "sum.dim_IntList", DIMS, 3, ReductionOperations::sum);
    Catalog.Builder agnostic = catalog.with(Trait.LAYOUT_AGNOSTIC);
    means(agnostic, "mean(Tensor self, " + DTYPE, 1);
    means(agnostic.out("out"), "mean.dim" + DIMS, 3);
    reduction(widened, "prod", "(Tensor self, " + DTYPE, 1, ReductionOperations::product);
    reduction(
        widened.out("int_out"),
        "prod.dim_int",
        "(Tensor self, int dim, bool keepdim=False, " + DTYPE,
        3,
        ReductionOperations::product);
  }

  /** Reduces in the dtype of the accumulation. */
  private interface Body {
    Object run(Call call, DType dtype, Reduction reduction);
  }

  /**
   * @param dtypeAt the index of the dtype argument; if it is 3, dimensions and keepdim come before
   *     it
   */
  private static void reduction(
      Catalog.Builder catalog, String name, String tail, int dtypeAt, Body body) {
    String plain = name.substring(0, (name + ".").indexOf('.'));
    ReductionOperands.casting(
        catalog,
        name,
        tail,
        dtypeAt,
        operands ->
            form(operands, plain, ReductionOperands.accumulated(operands, dtypeAt), dtypeAt),
        call -> {
          DType dtype = ReductionOperands.accumulated(call, dtypeAt);
          Object over =
              ReductionOperands.over(
                  call, plain, dtype, reduced(call, dtypeAt), keeps(call, dtypeAt));
          return over instanceof Reduction groups ? body.run(call, dtype, groups) : over;
        });
  }

  private static long[] reduced(Operands operands, int dtypeAt) {
    if (dtypeAt < 3) {
      return new long[0];
    }
    return operands.value(1) instanceof Long dim
        ? new long[] {dim}
        : ReductionOperands.dims(operands, 1);
  }

  private static boolean keeps(Operands operands, int dtypeAt) {
    return dtypeAt >= 3 && operands.bool(2);
  }

  private static Object form(Operands operands, String name, DType dtype, int dtypeAt) {
    Object shape =
        ReductionOperands.shape(
            operands, name, dtype, reduced(operands, dtypeAt), keeps(operands, dtypeAt));
    return shape instanceof Shape left ? TensorForm.contiguous(dtype, left) : shape;
  }

  private static Object sum(Call call, DType dtype, Reduction reduction) {
    if (dtype == DType.BOOL) {
      return reduction.reals(call, dtype, row -> truth(row, true));
    }
    if (dtype.isFloating()) {
      return reduction.sums(call, dtype, 1);
    }
    return reduction.self().dtype() == DType.BOOL
        ? TruthCounts.of(call, dtype, reduction, count -> count)
        : reduction.integers(call, dtype, ReductionOperations::total);
  }

  private static long total(IntegerRow row) {
    long sum = 0;
    for (row.rewind(); row.advance(); ) {
      int n = row.count();
      long[] values = row.values();
      for (int i = 0; i < n; i++) {
        sum += values[i];
      }
    }
    return sum;
  }

  private static Object product(Call call, DType dtype, Reduction reduction) {
    if (dtype == DType.BOOL) {
      return reduction.reals(call, dtype, row -> truth(row, false));
    }
    return dtype.isFloating()
        ? reduction.folded(call, dtype, Fold.PRODUCT, product -> product)
        : reduction.integers(call, dtype, ReductionOperations::product);
  }

  private static long product(IntegerRow row) {
    long product = 1;
    for (row.rewind(); row.advance(); ) {
      int n = row.count();
      long[] values = row.values();
      for (int i = 0; i < n; i++) {
        product *= values[i];
      }
    }
    return product;
  }

  private static void means(Catalog.Builder catalog, String head, int dtypeAt) {
    Inference inference =
        operands -> {
          DType asked = operands.optionalDType(dtypeAt);
          DType dtype = asked == null ? operands.dtype(0) : asked;
          Object form = form(operands, "mean", dtype, dtypeAt);
          return form instanceof TensorForm && !dtype.isFloating()
              ? Fault.dtype("a mean is taken of a floating dtype, but it is " + dtype)
                  .withExpected(ExpectedDType.FLOATING_POINT, dtype)
              : form;
        };
    String name = head.substring(0, head.indexOf('('));
    catalog
        .withInference(operands ->
            ReductionOperands.makesComplex(operands, dtypeAt)
                ? Inference.Unknown.NOT_INFERRED
                : inference.infer(operands))
        .one(
            "aten::" + head,
            call ->
                ReductionOperands.makesComplex(call, dtypeAt)
                    ? Steps.within(
                        call, (steps, inner) -> ReductionOperands.cast(steps, inner, name, dtypeAt))
                    : mean(call, inference.infer(call), dtypeAt));
  }

  private static Object mean(Call call, Object form, int dtypeAt) {
    return groups(call, form, dtypeAt) instanceof Reduction groups
        ? groups.sums(call, ((TensorForm) form).dtype(), groups.count)
        : form;
  }

  /** The groups to reduce, if {@code form} is the form of the result; or its fault. */
  private static Object groups(Call call, Object form, int dtypeAt) {
    return form instanceof TensorForm
        ? Reduction.over(call.tensor(0), reduced(call, dtypeAt), keeps(call, dtypeAt))
        : form;
  }

  private static void truths(Catalog.Builder catalog) {
    for (boolean any : new boolean[] {true, false}) {
      truth(catalog, any, "(Tensor self) -> Tensor", 1);
      truth(catalog, any, ".dim(Tensor self, int dim, bool keepdim=False) -> Tensor", 3);
    }
  }

  /**
   * @param end the index that a dtype argument would have
   */
  private static void truth(Catalog.Builder catalog, boolean any, String tail, int end) {
    String name = any ? "any" : "all";
    Inference inference =
        operands -> {
          DType own = operands.dtype(0);
          Object shape =
              ReductionOperands.shape(
                  operands, name, own, reduced(operands, end), keeps(operands, end));
          DType dtype = own == DType.UINT8 ? DType.UINT8 : DType.BOOL;
          return shape instanceof Shape left ? TensorForm.contiguous(dtype, left) : shape;
        };
    catalog
        .withInference(inference)
        .one("aten::" + name + tail, call -> truth(call, inference.infer(call), end, any));
  }

  private static Object truth(Call call, Object form, int end, boolean any) {
    if (groups(call, form, end) instanceof Reduction bools && TruthCounts.areSideBySide(bools)) {
      long least = any ? 1 : bools.count;
      return TruthCounts.of(call, DType.BOOL, bools, count -> count >= least ? 1 : 0);
    }
    return groups(call, form, end) instanceof Reduction groups
        ? groups.reals(call, ((TensorForm) form).dtype(), row -> truth(row, any))
        : form;
  }

  private static double truth(RealRow row, boolean any) {
    for (row.rewind(); row.advance(); ) {
      int n = row.count();
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
