package dev.staunch.kernel.reduce;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.function.Function;

/** Vector norms, and the logarithm of summed exponentials. */
final class NormOperations {
  private NormOperations() {}

  static void addTo(Catalog.Builder catalog) {
    norm(catalog, "norm.Scalar(Tensor self, Scalar p=2)", call -> new long[0], 0, -1);
    norm(
        catalog.out("out"),
        "norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False)",
        call -> call.integers(2),
        3,
        -1);
    norm(
        catalog,
        "norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype)",
        call -> new long[0],
        0,
        2);
    norm(
        catalog.out("dtype_out"),
        "norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, ScalarType"
            + " dtype)",
        call -> call.integers(2),
        3,
        4);
    norm(
        catalog,
        "linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *,"
            + " ScalarType? dtype=None)",
        call -> ReductionOperands.dims(call, 2),
        3,
        4);
    catalog
        .with(Trait.AUTOCAST_WIDENS)
        .withInference(NormOperations::sumForm)
        .one(
            "aten::logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
            NormOperations::logSumExp);
  }

  /**
   * @param keepAt the index of the argument keepdim; 0 for none
   * @param dtypeAt the index of the argument dtype; -1 for none
   */
  private static void norm(
      Catalog.Builder catalog,
      String head,
      Function<Operands, long[]> dims,
      int keepAt,
      int dtypeAt) {
    catalog
        .withInference(call -> form(call, dims.apply(call), keeps(call, keepAt), dtypeAt))
        .one(
            "aten::" + head + " -> Tensor",
            call -> norm(call, dims.apply(call), keeps(call, keepAt), dtypeAt));
  }

  private static boolean keeps(Operands operands, int keepAt) {
    return keepAt > 0 && operands.bool(keepAt);
  }

  private static double order(Operands operands) {
    return operands.isNone(1) ? 2 : operands.real(1);
  }

  private static Object form(Operands operands, long[] dims, boolean keep, int dtypeAt) {
    DType asked = dtypeAt < 0 ? null : operands.optionalDType(dtypeAt);
    DType dtype = asked == null ? operands.dtype(0) : asked;
    Object shape = ReductionOperands.shape(operands, "norm", dtype, dims, keep);
    if (!(shape instanceof Shape left)) {
      return shape;
    }
    if (!dtype.isFloating()) {
      String place = asked == null ? "the tensor" : "`dtype`";
      return Fault.dtype("a norm is taken of a floating dtype, but " + place + " is " + dtype)
          .withExpected(ExpectedDType.FLOATING_POINT, dtype);
    }
    double p = order(operands);
    return Reduction.count(operands.shape(0), dims) == 0 && p < 0
        ? Fault.shape("norm of order " + p + " needs at least one element")
        : TensorForm.contiguous(dtype, left);
  }

  private static Object norm(Call call, long[] dims, boolean keep, int dtypeAt) {
    Object form = form(call, dims, keep, dtypeAt);
    if (!(form instanceof TensorForm known)) {
      return form;
    }
    Reduction reduction = (Reduction) Reduction.over(call.tensor(0), dims, keep);
    double p = order(call);
    return p == 2
        ? reduction.folded(call, known.dtype(), Fold.SQUARES, Math::sqrt)
        : reduction.reals(call, known.dtype(), row -> norm(row, p));
  }

  private static double norm(RealRow row, double p) {
    boolean least = p == Double.NEGATIVE_INFINITY;
    boolean extreme = Double.isInfinite(p);
    double total = least ? Double.POSITIVE_INFINITY : 0;
    for (row.rewind(); row.advance(); ) {
      int n = row.count();
      for (int i = 0; i < n; i++) {
        double size = Math.abs(row.values()[i]);
        total = extreme ? further(total, size, least) : total + power(size, p);
      }
    }
    return extreme || p == 0 || p == 1 ? total : Math.pow(total, 1 / p);
  }

  private static double further(double total, double size, boolean least) {
    return least ? Math.min(total, size) : Math.max(total, size);
  }

  private static double power(double size, double p) {
    return p == 1 ? size : p == 0 ? zeroOrOne(size) : Math.pow(size, p);
  }

  private static double zeroOrOne(double size) {
    return size == 0 ? 0 : 1;
  }

  private static Object sumForm(Operands operands) {
    Object shape =
        ReductionOperands.shape(
            operands, "logsumexp", operands.dtype(0), operands.integers(1), operands.bool(2));
    DType result = Promotion.of(operands.value(0)).floatingResult();
    return shape instanceof Shape left ? TensorForm.contiguous(result, left) : shape;
  }

  private static Object logSumExp(Call call) {
    Object form = sumForm(call);
    if (!(form instanceof TensorForm known)) {
      return form;
    }
    Reduction over = (Reduction) Reduction.over(call.tensor(0), call.integers(1), call.bool(2));
    Object fast = ExponentialSums.logarithms(call, known.dtype(), over);
    return fast == null ? over.reals(call, known.dtype(), NormOperations::logSumExp) : fast;
  }

  private static double logSumExp(RealRow row) {
    double most = Reduction.greatest(row);
    if (Double.isInfinite(most)) {
      return most;
    }
    double sum = 0;
    for (row.rewind(); row.advance(); ) {
      int n = row.count();
      double[] values = row.values();
      for (int i = 0; i < n; i++) {
        sum += Math.exp(values[i] - most);
      }
    }
    return most + Math.log(sum);
  }
}
