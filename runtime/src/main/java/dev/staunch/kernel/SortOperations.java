package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;

/** Orders elements along one dimension; stable, with NaN above all numbers. */
final class SortOperations {
  private static final long ALL = Long.MAX_VALUE;

  private SortOperations() {}

  static void addTo(Catalog.Builder catalog) {
    String pair = " -> (Tensor values, Tensor indices)";
    catalog.many(
        "aten::topk(Tensor self, int k, int dim=-1, bool largest=True, bool sorted=True)" + pair,
        Marking.first(call -> ordered(call, 2, call.bool(3), Math.min(call.integer(1), ALL - 1))));
    catalog.many(
        "aten::sort(Tensor self, int dim=-1, bool descending=False)" + pair,
        Marking.first(call -> ordered(call, 1, call.bool(2), ALL)));
    catalog.many(
        "aten::sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False)" + pair,
        Marking.first(call -> ordered(call, 2, call.bool(3), ALL)));
    catalog.one(
        "aten::argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor",
        call -> places(ordered(call, 1, call.bool(2), ALL)));
    catalog.one(
        "aten::argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) ->"
            + " Tensor",
        call -> places(ordered(call, 2, call.bool(3), ALL)));
  }

  private static Object places(Object results) {
    if (results instanceof Object[] pair && pair[0] instanceof DenseTensor values) {
      values.close();
      return pair[1];
    }
    return results;
  }

  /** The first {@code k} of each group, or {@code ALL}: values and indices; or a fault. */
  private static Object ordered(Call call, int dimAt, boolean descending, long k) {
    DenseTensor self = call.tensor(0);
    long[] dim = {call.integer(dimAt)};
    Object over = ReductionOperations.over(call, "sort", self.dtype(), dim, false);
    if (!(over instanceof Reduction from)) {
      return over;
    }
    if (k != ALL && (k < 0 || k > from.count)) {
      return Fault.index("selected index k out of range")
          .withExpected("0 <= k <= " + from.count, Long.toString(k));
    }
    long[] sizes = self.shape().toArray();
    if (k != ALL && sizes.length > 0) {
      sizes[(Integer) Dimensions.wrap(dim[0], self.rank())] = k;
    }
    Object values = call.allocate(self.dtype(), Shape.of(sizes));
    Object indices = values instanceof Fault ? values : call.allocate(DType.INT64, Shape.of(sizes));
    if (!(values instanceof DenseTensor valueTensor)) {
      return values;
    }
    if (!(indices instanceof DenseTensor indexTensor)) {
      valueTensor.close();
      return indices;
    }
    Fault stop = fill(call, from, valueTensor, indexTensor, dim, descending);
    if (stop != null) {
      valueTensor.close();
      indexTensor.close();
      return stop;
    }
    return new Object[] {valueTensor, indexTensor};
  }

  private static @org.jspecify.annotations.Nullable Fault fill(
      Call call,
      Reduction from,
      DenseTensor values,
      DenseTensor indices,
      long[] dim,
      boolean descending) {
    Reduction toValues = (Reduction) Reduction.over(values, dim, false);
    Reduction toIndices = (Reduction) Reduction.over(indices, dim, false);
    long[] places = new long[toIndices.count];
    int width = values.dtype().bytes();
    return from.each(
        call,
        group -> {
          long[] order = order(from, group, descending);
          for (int i = 0; i < places.length; i++) {
            places[i] = order[i];
            MemorySegment.copy(
                from.self.segment(),
                from.at(group, (int) order[i]) * width,
                values.segment(),
                toValues.at(group, i) * width,
                width);
          }
          toIndices.store(group, places);
        });
  }

  /** Numbers of a group's elements in order. */
  private static long[] order(Reduction from, int group, boolean descending) {
    if (from.self.dtype() == DType.FLOAT32) {
      return packedOrder(from, group, descending);
    }
    Integer[] order = new Integer[from.count];
    Arrays.setAll(order, i -> i);
    Comparator<Integer> rising;
    if (from.self.dtype().isFloating()) {
      double[] values = new double[from.count];
      from.load(group, 0, values);
      rising = Comparator.comparingDouble(i -> values[i] + 0.0);
    } else {
      long[] values = new long[from.count];
      from.load(group, 0, values);
      rising = Comparator.comparingLong(i -> values[i]);
    }
    Arrays.sort(order, descending ? rising.reversed() : rising);
    return Arrays.stream(order).mapToLong(Integer::longValue).toArray();
  }

  /** Sorts value and number as one long each: the value's rank above, its number below. */
  private static long[] packedOrder(Reduction from, int group, boolean descending) {
    double[] values = new double[from.count];
    from.load(group, 0, values);
    long[] keys = new long[values.length];
    for (int i = 0; i < keys.length; i++) {
      int bits = Float.floatToIntBits((float) values[i] + 0f);
      int rank = bits < 0 ? bits ^ Integer.MAX_VALUE : bits;
      keys[i] = ((long) (descending ? ~rank : rank) << 32) | i;
    }
    Arrays.sort(keys);
    for (int i = 0; i < keys.length; i++) {
      keys[i] &= 0xffffffffL;
    }
    return keys;
  }
}
