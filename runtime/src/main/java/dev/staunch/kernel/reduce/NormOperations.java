package dev.staunch.kernel.reduce;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Marking;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.type.DType;

/** Norms of vectors, and the logarithm of summed exponentials. */
final class NormOperations {
  private NormOperations() {}

  static void addTo(Catalog.Builder catalog) {
    catalog.one(
        "aten::norm.Scalar(Tensor self, Scalar p=2) -> Tensor",
        Marking.one(call -> norm(call, new long[0], false, -1)));
    catalog.one(
        "aten::norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) ->"
            + " Tensor",
        Marking.one(call -> norm(call, call.integers(2), call.bool(3), -1)));
    catalog.one(
        "aten::norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor",
        Marking.one(call -> norm(call, new long[0], false, 2)));
    catalog.one(
        "aten::norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *,"
            + " ScalarType dtype) -> Tensor",
        Marking.one(call -> norm(call, call.integers(2), call.bool(3), 4)));
    catalog.one(
        "aten::linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False,"
            + " *, ScalarType? dtype=None) -> Tensor",
        Marking.one(call -> norm(call, ReductionOperations.dims(call, 2), call.bool(3), 4)));
    catalog.one(
        "aten::logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
        Marking.one(NormOperations::logSumExp));
  }

  private static Object norm(Call call, long[] dims, boolean keep, int dtypeAt) {
    DType asked = dtypeAt < 0 ? null : call.optionalDType(dtypeAt);
    DType own = call.tensor(0).dtype();
    DType dtype = asked == null ? own : asked;
    Object over = ReductionOperations.over(call, "norm", dtype, dims, keep);
    if (!(over instanceof Reduction reduction)) {
      return over;
    }
    if (!dtype.isFloating()) {
      String place = asked == null ? "the tensor" : "`dtype`";
      return Fault.dtype("a norm is taken of a floating dtype, but " + place + " is " + dtype)
          .withExpected("a floating point dtype", dtype.toString());
    }
    double p = call.isNone(1) ? 2 : Scalars.real(call.scalar(1));
    if (reduction.count == 0 && p < 0) {
      return Fault.shape("norm of order " + p + " needs at least one element");
    }
    return reduction.reals(call, dtype, row -> norm(row, p));
  }

  private static double norm(RealRow row, double p) {
    boolean least = p == Double.NEGATIVE_INFINITY;
    boolean extreme = Double.isInfinite(p);
    double total = least ? Double.POSITIVE_INFINITY : 0;
    for (int n = row.first(); n > 0; n = row.next()) {
      for (int i = 0; i < n; i++) {
        double size = Math.abs(row.values()[i]);
        total = extreme ? further(total, size, least) : total + power(size, p);
      }
    }
    return p == 2 ? Math.sqrt(total) : extreme || p == 0 || p == 1 ? total : Math.pow(total, 1 / p);
  }

  private static double further(double total, double size, boolean least) {
    return least ? Math.min(total, size) : Math.max(total, size);
  }

  private static double power(double size, double p) {
    return p == 2 ? size * size : p == 1 ? size : p == 0 ? zeroOrOne(size) : Math.pow(size, p);
  }

  private static double zeroOrOne(double size) {
    return size == 0 ? 0 : 1;
  }

  private static Object logSumExp(Call call) {
    DType dtype = call.tensor(0).dtype();
    Object over =
        ReductionOperations.over(call, "logsumexp", dtype, call.integers(1), call.bool(2));
    if (!(over instanceof Reduction reduction)) {
      return over;
    }
    DType result = Promotion.of(call.tensor(0)).floatingResult();
    return reduction.reals(call, result, NormOperations::logSumExp);
  }

  private static double logSumExp(RealRow row) {
    double most = SoftmaxOperations.greatest(row);
    if (Double.isInfinite(most)) {
      return most;
    }
    double sum = 0;
    for (int n = row.first(); n > 0; n = row.next()) {
      double[] values = row.values();
      for (int i = 0; i < n; i++) {
        sum += Math.exp(values[i] - most);
      }
    }
    return most + Math.log(sum);
  }
}
