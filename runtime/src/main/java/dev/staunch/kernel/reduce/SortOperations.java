package dev.staunch.kernel.reduce;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.DenseStrides;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Sorts elements along one dimension; stable, with NaN above all numbers. */
final class SortOperations {
  private static final long ALL = Long.MAX_VALUE;

  private SortOperations() {}

  static void addTo(Catalog.Builder catalog) {
    String pair = " -> (Tensor values, Tensor indices)";
    many(
        catalog,
        "topk(Tensor self, int k, int dim=-1, bool largest=True, bool sorted=True)" + pair,
        2,
        call -> Math.min(call.integer(1), ALL - 1));
    many(catalog, "sort(Tensor self, int dim=-1, bool descending=False)" + pair, 1, call -> ALL);
    many(
        catalog,
        "sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False)" + pair,
        2,
        call -> ALL);
    places(catalog, "argsort(Tensor self, int dim=-1, bool descending=False)", 1);
    places(
        catalog,
        "argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False)",
        2);
  }

  private static void many(
      Catalog.Builder catalog, String schema, int dimAt, ToLongFunction<Operands> most) {
    catalog
        .withInference(operands ->
            switch (form(operands, dimAt, most.applyAsLong(operands))) {
              case TensorForm known -> new Object[] {known, places(known)};
              case Object fault -> fault;
            })
        .many(
            "aten::" + schema,
            call -> ordered(call, dimAt, call.bool(dimAt + 1), most.applyAsLong(call)));
  }

  private static void places(Catalog.Builder catalog, String head, int dimAt) {
    catalog
        .withInference(operands ->
            switch (form(operands, dimAt, ALL)) {
              case TensorForm known -> places(known);
              case Object fault -> fault;
            })
        .one(
            "aten::" + head + " -> Tensor",
            call -> places(ordered(call, dimAt, call.bool(dimAt + 1), ALL)));
  }

  /** The form of the first {@code k} of each group, or of all for {@code ALL}; or a fault. */
  private static Object form(Operands operands, int dimAt, long k) {
    Shape self = operands.shape(0);
    long[] dim = {operands.integer(dimAt)};
    DType dtype = operands.dtype(0);
    Object shape = ReductionOperands.shape(operands, "sort", dtype, dim, false);
    if (shape instanceof Fault) {
      return shape;
    }
    long count = Reduction.count(self, dim);
    if (k != ALL && (k < 0 || k > count)) {
      return Fault.index(
              Message.of("`k` is %d, but the dimension has %s", k, Message.count(count, "element")))
          .withExpected("0 <= k <= " + count, Long.toString(k));
    }
    long[] sizes = self.toArray();
    if (k != ALL && sizes.length > 0) {
      sizes[(Integer) Dimensions.wrap(dim[0], self.rank())] = k;
    }
    return k == ALL
        ? new TensorForm(dtype, DenseStrides.like(operands.layout(0)))
        : TensorForm.contiguous(dtype, Shape.of(sizes));
  }

  private static TensorForm places(TensorForm values) {
    return new TensorForm(DType.INT64, values.layout());
  }

  private static Object places(Object results) {
    if (results instanceof Object[] pair && pair[0] instanceof DenseTensor values) {
      values.close();
      return pair[1];
    }
    return results;
  }

  /** The first {@code k} of each group, or all for {@code ALL}: values and indices; or a fault. */
  private static Object ordered(Call call, int dimAt, boolean descending, long k) {
    Object form = form(call, dimAt, k);
    if (!(form instanceof TensorForm known)) {
      return form;
    }
    long[] dim = {call.integer(dimAt)};
    Reduction from = (Reduction) Reduction.over(call.tensor(0), dim, false);
    Object values = DenseStrides.allocate(call, known);
    Object indices = values instanceof Fault ? values : DenseStrides.allocate(call, places(known));
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

  private static @Nullable Fault fill(
      Call call,
      Reduction from,
      DenseTensor values,
      DenseTensor indices,
      long[] dim,
      boolean descending) {
    CancellationPoll poll = new CancellationPoll(call);
    try (Temporaries made = new Temporaries()) {
      Object order = StableOrder.of(call, poll, made, from, descending);
      return order instanceof StableOrder known
          ? fill(poll, from, known, values, indices, dim)
          : (Fault) order;
    }
  }

  private static @Nullable Fault fill(
      CancellationPoll poll,
      Reduction from,
      StableOrder order,
      DenseTensor values,
      DenseTensor indices,
      long[] dim) {
    Reduction toValues = (Reduction) Reduction.over(values, dim, false);
    Reduction toIndices = (Reduction) Reduction.over(indices, dim, false);
    long[] places = new long[Math.min(RealRow.CHUNK, toIndices.count)];
    return from.each(
        poll,
        group -> {
          boolean sorted = toIndices.count > 0 && order.sort(group, toIndices.count);
          for (int i = 0, count; sorted && i < toIndices.count; i += count) {
            count = Math.min(places.length, toIndices.count - i);
            for (int k = 0; k < count; k++) {
              places[k] = order.at(i + k);
            }
            move(from, toValues, group, places, i, count);
            toIndices.store(group, i, count, places);
            sorted = poll.mayContinue(4L * count);
          }
        });
  }

  /** Moves the elements at {@code places} to {@code first} and the positions after it. */
  private static void move(
      Reduction from, Reduction to, int group, long[] places, int first, int count) {
    MemorySegment source = from.self.segment();
    MemorySegment target = to.self.segment();
    int bytes = from.self.dtype().bytes();
    for (int k = 0; k < count; k++) {
      long at = from.at(group, (int) places[k]);
      Copying.element(source, at, target, to.at(group, first + k), bytes);
    }
  }
}
