package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.Comparator;

/** Sums, means, variances, maxima and what else turns several elements into one. */
final class ReductionOperations {
  private ReductionOperations() {}

  static void addTo(Catalog.Builder catalog) {
    catalog.one(
        "aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor",
        Marking.one(call -> sum(call, new long[0], false, 1)));
    catalog.one(
        "aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType?"
            + " dtype=None) -> Tensor",
        Marking.one(call -> sum(call, dims(call, 1), call.bool(2), 3)));
    catalog.one(
        "aten::mean(Tensor self, *, ScalarType? dtype=None) -> Tensor",
        Marking.one(call -> mean(call, new long[0], false, 1)));
    catalog.one(
        "aten::mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType?"
            + " dtype=None) -> Tensor",
        Marking.one(call -> mean(call, dims(call, 1), call.bool(2), 3)));
    catalog.many(
        "aten::var_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) ->"
            + " (Tensor, Tensor)",
        ReductionOperations::varianceAndMean);
    truths(catalog);
    extremes(catalog);
    softmax(catalog);
    catalog.many(
        "aten::topk(Tensor self, int k, int dim=-1, bool largest=True, bool sorted=True) ->"
            + " (Tensor values, Tensor indices)",
        ReductionOperations::topk);
  }

  private static long[] dims(Call call, int i) {
    return call.isNone(i) ? new long[0] : call.integers(i);
  }

  private static Object sum(Call call, long[] dims, boolean keep, int dtypeAt) {
    DenseTensor self = call.tensor(0);
    DType asked = call.optionalDType(dtypeAt);
    DType dtype = asked != null ? asked : self.dtype().isFloating() ? self.dtype() : DType.INT64;
    Fault unsupported = Promotion.unsupported("sum", dtype);
    Object over = unsupported == null ? Reduction.over(self, dims, keep) : unsupported;
    if (!(over instanceof Reduction reduction)) {
      return over;
    }
    return dtype.isFloating()
        ? reduction.reals(call, dtype, reduction::sum)
        : reduction.integers(call, dtype, reduction::integerSum);
  }

  private static Object mean(Call call, long[] dims, boolean keep, int dtypeAt) {
    DType asked = call.optionalDType(dtypeAt);
    DType dtype = asked == null ? call.tensor(0).dtype() : asked;
    if (!dtype.isFloating()) {
      return Fault.dtype(
          "mean(): could not infer output dtype. Input dtype must be a floating point dtype. Got: "
              + dtype);
    }
    Object over = Reduction.over(call.tensor(0), dims, keep);
    return over instanceof Reduction reduction
        ? reduction.reals(call, dtype, group -> reduction.sum(group) / reduction.members.length)
        : over;
  }

  private static Object varianceAndMean(Call call) {
    DenseTensor self = call.tensor(0);
    if (!self.dtype().isFloating()) {
      return Fault.dtype("var_mean only support floating point and complex dtypes");
    }
    Object over = Reduction.over(self, dims(call, 1), call.bool(3));
    if (!(over instanceof Reduction reduction)) {
      return over;
    }
    int count = reduction.members.length;
    int divisor = call.bool(2) ? count - 1 : count;
    Object variance =
        reduction.reals(
            call,
            self.dtype(),
            group -> {
              double mean = reduction.sum(group) / count;
              double squares = 0;
              for (int i = 0; i < count; i++) {
                double off = reduction.real(group, i) - mean;
                squares += off * off;
              }
              return squares / Math.max(divisor, 0);
            });
    Object mean = reduction.reals(call, self.dtype(), group -> reduction.sum(group) / count);
    return new Object[] {variance, mean};
  }

  private static void truths(Catalog.Builder catalog) {
    catalog.one("aten::any(Tensor self) -> Tensor", call -> truth(call, new long[0], false, true));
    catalog.one("aten::all(Tensor self) -> Tensor", call -> truth(call, new long[0], false, false));
    catalog.one(
        "aten::any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
        call -> truth(call, new long[] {call.integer(1)}, call.bool(2), true));
    catalog.one(
        "aten::all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
        call -> truth(call, new long[] {call.integer(1)}, call.bool(2), false));
  }

  private static Object truth(Call call, long[] dims, boolean keep, boolean any) {
    DType dtype = call.tensor(0).dtype() == DType.UINT8 ? DType.UINT8 : DType.BOOL;
    Object over = Reduction.over(call.tensor(0), dims, keep);
    if (!(over instanceof Reduction reduction)) {
      return over;
    }
    return reduction.integers(
        call,
        dtype,
        group -> {
          for (int i = 0; i < reduction.members.length; i++) {
            if ((reduction.real(group, i) != 0) == any) {
              return any ? 1 : 0;
            }
          }
          return any ? 0 : 1;
        });
  }

  private static void extremes(Catalog.Builder catalog) {
    for (boolean largest : new boolean[] {true, false}) {
      String name = largest ? "max" : "min";
      catalog.one(
          "aten::" + name + "(Tensor self) -> Tensor",
          Marking.one(call -> extreme(call, new long[0], false, largest)));
      catalog.one(
          "aten::a" + name + "(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
          Marking.one(call -> extreme(call, call.integers(1), call.bool(2), largest)));
      catalog.one(
          "aten::arg" + name + "(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
          call -> argument(call, largest));
    }
  }

  private static int best(Reduction reduction, int group, boolean largest) {
    int best = 0;
    for (int i = 1; i < reduction.members.length; i++) {
      double value = reduction.real(group, i);
      double before = reduction.real(group, best);
      boolean better = largest ? value > before : value < before;
      if (!Double.isNaN(before) && (better || Double.isNaN(value))) {
        best = i;
      }
    }
    return best;
  }

  private static Object extreme(Call call, long[] dims, boolean keep, boolean largest) {
    Object over = Reduction.over(call.tensor(0), dims, keep);
    if (!(over instanceof Reduction reduction)) {
      return over;
    }
    if (reduction.members.length == 0) {
      return Fault.shape("a maximum or minimum of no elements does not exist");
    }
    DType dtype = call.tensor(0).dtype();
    return dtype.isFloating()
        ? reduction.reals(call, dtype, g -> reduction.real(g, best(reduction, g, largest)))
        : reduction.integers(call, dtype, g -> reduction.integer(g, best(reduction, g, largest)));
  }

  private static Object argument(Call call, boolean largest) {
    long[] dims = call.isNone(1) ? new long[0] : new long[] {call.integer(1)};
    Object over = Reduction.over(call.tensor(0), dims, !call.isNone(1) && call.bool(2));
    if (!(over instanceof Reduction reduction)) {
      return over;
    }
    if (reduction.members.length == 0) {
      return Fault.shape("the position of a maximum or minimum of no elements does not exist");
    }
    return reduction.integers(call, DType.INT64, group -> best(reduction, group, largest));
  }

  private static void softmax(Catalog.Builder catalog) {
    for (boolean log : new boolean[] {false, true}) {
      String name = log ? "aten::log_softmax.int" : "aten::softmax.int";
      catalog.one(
          name + "(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
          Marking.one(call -> softmax(call, log)));
    }
  }

  private static Object softmax(Call call, boolean log) {
    DenseTensor self = call.tensor(0);
    DType asked = call.optionalDType(2);
    DType dtype = asked == null ? self.dtype() : asked;
    if (!dtype.isFloating()) {
      return Fault.dtype("softmax is not implemented for " + dtype + "; cast with `to(float32)`");
    }
    Object over = Reduction.over(self, new long[] {call.integer(1)}, false);
    Object made = over instanceof Reduction ? call.allocate(dtype, self.shape()) : over;
    if (!(made instanceof DenseTensor target) || !(over instanceof Reduction from)) {
      return made;
    }
    Reduction to = (Reduction) Reduction.over(target, new long[] {call.integer(1)}, false);
    for (int group = 0; group < from.groups.length; group++) {
      softmaxGroup(from, to, group, log);
    }
    return target;
  }

  private static void softmaxGroup(Reduction from, Reduction to, int group, boolean log) {
    double most = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < from.members.length; i++) {
      most = Math.max(most, from.real(group, i));
    }
    double sum = 0;
    for (int i = 0; i < from.members.length; i++) {
      sum += Math.exp(from.real(group, i) - most);
    }
    for (int i = 0; i < from.members.length; i++) {
      double off = from.real(group, i) - most;
      double value = log ? off - Math.log(sum) : Math.exp(off) / sum;
      long at = to.groups[group] + to.members[i];
      Elements.putDouble(to.self.segment(), to.self.dtype(), at, value);
    }
  }

  private static Object topk(Call call) {
    DenseTensor self = call.tensor(0);
    Object over = Reduction.over(self, new long[] {call.integer(2)}, false);
    if (!(over instanceof Reduction from)) {
      return over;
    }
    long k = call.integer(1);
    if (k < 0 || k > from.members.length) {
      return Fault.index("selected index k out of range")
          .withExpected("0 <= k <= " + from.members.length, Long.toString(k));
    }
    int dim = self.rank() == 0 ? 0 : (Integer) Dimensions.wrap(call.integer(2), self.rank());
    long[] sizes = self.shape().toArray();
    if (sizes.length > 0) {
      sizes[dim] = k;
    }
    Object values = call.allocate(self.dtype(), Shape.of(sizes));
    Object indices = call.allocate(DType.INT64, Shape.of(sizes));
    if (!(values instanceof DenseTensor valueTensor)
        || !(indices instanceof DenseTensor indexTensor)) {
      return values instanceof Fault ? values : indices;
    }
    long[] along = {call.integer(2)};
    Reduction toValues = (Reduction) Reduction.over(valueTensor, along, false);
    Reduction toIndices = (Reduction) Reduction.over(indexTensor, along, false);
    for (int group = 0; group < from.groups.length; group++) {
      Integer[] order = order(from, group, call.bool(3));
      for (int i = 0; i < (int) k; i++) {
        copy(from, group, order[i], toValues, i);
        long at = toIndices.groups[group] + toIndices.members[i];
        Elements.putLong(indexTensor.segment(), DType.INT64, at, order[i]);
      }
    }
    return new Object[] {values, indices};
  }

  /** Member numbers of a group by value; NaN counts as largest. */
  private static Integer[] order(Reduction from, int group, boolean descending) {
    Integer[] order = new Integer[from.members.length];
    Arrays.setAll(order, i -> i);
    Comparator<Integer> rising =
        from.self.dtype().isFloating()
            ? Comparator.comparingDouble(i -> from.real(group, i))
            : Comparator.comparingLong(i -> from.integer(group, i));
    Arrays.sort(order, descending ? rising.reversed() : rising);
    return order;
  }

  private static void copy(Reduction from, int group, int member, Reduction to, int target) {
    long at = to.groups[group] + to.members[target];
    if (from.self.dtype().isFloating()) {
      Elements.putDouble(to.self.segment(), to.self.dtype(), at, from.real(group, member));
    } else {
      Elements.putLong(to.self.segment(), to.self.dtype(), at, from.integer(group, member));
    }
  }
}
