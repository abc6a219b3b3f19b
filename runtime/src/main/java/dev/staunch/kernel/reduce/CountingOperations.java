package dev.staunch.kernel.reduce;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.create.NewTensors;
import dev.staunch.kernel.loop.Filled;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Reals;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Counts of values. */
final class CountingOperations {
  private CountingOperations() {}

  static void addTo(Catalog.Builder catalog) {
    Steps.add(
        catalog
            .withInference(operands -> Inference.Unknown.UNBOUNDED)
            .withDTypes(DType.of(DType.Kind.INTEGRAL)),
        "aten::bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor",
        (steps, call) -> counts(call));
    Filled.add(
        catalog.with(Trait.FAILS_ON_VALUES),
        "aten::histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor",
        CountingOperations::histogram,
        CountingOperations::histogram);
    nonzeros(
        catalog,
        "count_nonzero(Tensor self, int? dim=None)",
        call -> call.isNone(1) ? new long[0] : new long[] {call.integer(1)});
    nonzeros(
        catalog, "count_nonzero.dim_IntList(Tensor self, int[] dim)", call -> call.integers(1));
  }

  private static void nonzeros(
      Catalog.Builder catalog, String head, Function<Operands, long[]> dims) {
    Inference inference =
        call -> {
          Object shape =
              ReductionOperands.shape(
                  call, "count_nonzero", call.dtype(0), dims.apply(call), false);
          return shape instanceof Shape left ? TensorForm.contiguous(DType.INT64, left) : shape;
        };
    catalog
        .withInference(inference)
        .one(
            "aten::" + head + " -> Tensor",
            call ->
                inference.infer(call) instanceof Fault fault
                    ? fault
                    : nonzeros(call, dims.apply(call)));
  }

  private static Object nonzeros(Call call, long[] dims) {
    Reduction groups = (Reduction) Reduction.over(call.tensor(0), dims, false);
    return groups.reals(
        call,
        DType.INT64,
        row -> {
          long count = 0;
          for (row.rewind(); row.advance(); ) {
            int n = row.count();
            double[] values = row.values();
            for (int i = 0; i < n; i++) {
              count += values[i] == 0 ? 0 : 1;
            }
          }
          return count;
        });
  }

  private static Object counts(Call call) {
    DenseTensor self = call.tensor(0);
    DenseTensor weights = self.elements() == 0 ? null : call.optionalTensor(1);
    Fault fault = uncountable(self, weights, call.integer(2));
    if (fault != null) {
      return fault;
    }
    CancellationPoll poll = new CancellationPoll(call);
    Integers values = Integers.of(poll, self);
    long[] ends = {0, -1};
    values.each((first, count, tile) -> {
      long most = ends[1];
      for (int i = 0; i < count; i++) {
        ends[0] = ends[0] < 0 ? ends[0] : tile[i]; // keeps the first number below 0
        most = Math.max(most, tile[i]);
      }
      ends[1] = most;
    });
    if (poll.fault() != null) {
      return poll.fault();
    }
    if (ends[0] < 0) {
      return Fault.value("bincount takes numbers from 0 on, but there is " + ends[0])
          .withExpected("values of 0 or more", Long.toString(ends[0]));
    }
    long most = ends[1];
    if (most == Long.MAX_VALUE) {
      return NewTensors.tooLong(0x1p63);
    }
    Object shape = Filling.shape(Math.max(most + 1, call.integer(2)));
    DType dtype =
        weights == null
            ? DType.INT64
            : weights.dtype() == DType.FLOAT32 ? DType.FLOAT32 : DType.FLOAT64;
    Object made = shape instanceof Shape known ? Filling.zeros(call, dtype, known) : shape;
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    if (weights == null) {
      MemorySegment counts = target.segment();
      values.each((first, count, tile) -> {
        for (int i = 0; i < count; i++) {
          counts.setAtIndex(JAVA_LONG, tile[i], counts.getAtIndex(JAVA_LONG, tile[i]) + 1);
        }
      });
      return CancellationPoll.finished(target, poll.fault());
    }
    double[] added = new double[Integers.TILE];
    Reals all = Reals.of(poll, weights);
    values.each((first, count, tile) -> {
      all.load(first, count, added);
      add(target, tile, added, count);
    });
    return CancellationPoll.finished(target, poll.fault());
  }

  /** Adds each number to the element of {@code target} at its place. */
  private static void add(DenseTensor target, long[] places, double[] added, int count) {
    MemorySegment sums = target.segment();
    if (target.dtype() == DType.FLOAT32) {
      for (int i = 0; i < count; i++) {
        double sum = sums.getAtIndex(JAVA_FLOAT, places[i]) + added[i];
        sums.setAtIndex(JAVA_FLOAT, places[i], (float) sum);
      }
    } else {
      for (int i = 0; i < count; i++) {
        sums.setAtIndex(JAVA_DOUBLE, places[i], sums.getAtIndex(JAVA_DOUBLE, places[i]) + added[i]);
      }
    }
  }

  private static @Nullable Fault uncountable(
      DenseTensor self, @Nullable DenseTensor weights, long least) {
    if (self.dtype().kind() != DType.Kind.INTEGRAL) {
      return Pointwise.refusal("bincount", self.dtype(), true);
    }
    if (self.rank() != 1) {
      return OperandChecks.shape(
          "bincount takes a vector, but the shape is " + self.shape(), "1 dimension", self.shape());
    }
    if (least < 0) {
      return Fault.value("`minlength` must not be negative, but it is " + least);
    }
    if (weights != null && weights.dtype().kind() == DType.Kind.COMPLEX) {
      return Pointwise.refusal("bincount", weights.dtype(), true);
    }
    if (weights != null && !weights.shape().equals(self.shape())) {
      return OperandChecks.shape(
          Message.of(
              "`weights` must be %s as the input is, but its shape is %s",
              self.shape(), weights.shape()),
          self.shape().toString(),
          weights.shape());
    }
    return null;
  }

  private static Object histogram(Operands operands) {
    DType dtype = operands.dtype(0);
    long bins = operands.integer(1);
    if (dtype != DType.FLOAT32 && dtype != DType.FLOAT64) {
      return Pointwise.refusal("histogram", dtype);
    }
    if (bins <= 0 || bins > Integer.MAX_VALUE) {
      return Fault.value("`bins` must be positive, but it is " + bins)
          .withExpected("a positive number of bins", Long.toString(bins));
    }
    return TensorForm.contiguous(dtype, Shape.of(bins));
  }

  private static @Nullable Fault histogram(DenseTensor target, Call call) {
    long bins = target.elements();
    CancellationPoll poll = new CancellationPoll(call);
    Reals values = Reals.of(poll, call.tensor(0));
    double[] range = {call.real(2), call.real(3)};
    Fault fault = widen(poll, range, values);
    fault = fault == null ? Filling.zero(call, target) : fault;
    if (fault != null) {
      return fault;
    }
    boolean single = target.dtype() == DType.FLOAT32;
    double low = single ? (float) range[0] : range[0];
    double high = single ? (float) range[1] : range[1];
    MemorySegment counts = target.segment();
    return single
        ? values.each((i, size, tile) -> count(tile, size, (float) low, (float) high, counts, bins))
        : values.each((i, size, tile) -> count(tile, size, low, high, counts, bins));
  }

  private static void count(
      double[] values, int size, float low, float high, MemorySegment counts, long bins) {
    for (int i = 0; i < size; i++) {
      float value = (float) values[i];
      if (value >= low && value <= high) {
        long at = Math.min(bins - 1, (long) ((value - low) / (high - low) * bins));
        counts.setAtIndex(JAVA_FLOAT, at, counts.getAtIndex(JAVA_FLOAT, at) + 1);
      }
    }
  }

  private static void count(
      double[] values, int size, double low, double high, MemorySegment counts, long bins) {
    for (int i = 0; i < size; i++) {
      double value = values[i];
      if (value >= low && value <= high) {
        long at = Math.min(bins - 1, (long) ((value - low) / (high - low) * bins));
        counts.setAtIndex(JAVA_DOUBLE, at, counts.getAtIndex(JAVA_DOUBLE, at) + 1);
      }
    }
  }

  /**
   * Takes the range from the values if it is empty; returns the fault for a range that is not
   * finite, or of a cancellation.
   */
  private static @Nullable Fault widen(CancellationPoll poll, double[] range, Reals values) {
    if (range[0] == range[1] && values.size() > 0) {
      range[0] = Double.POSITIVE_INFINITY;
      range[1] = Double.NEGATIVE_INFINITY;
      values.each((first, size, tile) -> {
        double least = range[0];
        double most = range[1];
        for (int i = 0; i < size; i++) {
          least = Math.min(least, tile[i]);
          most = Math.max(most, tile[i]);
        }
        range[0] = least;
        range[1] = most;
      });
    }
    if (poll.fault() != null) {
      return poll.fault();
    }
    if (range[0] == range[1]) {
      range[0] -= 1;
      range[1] += 1;
    }
    if (!Double.isFinite(range[0]) || !Double.isFinite(range[1])) {
      return Fault.value(
          "the range of histc must be finite, but it goes from " + range[0] + " to " + range[1]);
    }
    return range[0] < range[1]
        ? null
        : Fault.value(
                "`max` of histc must be above `min`, but they are " + range[1] + " and " + range[0])
            .withExpected("min < max", range[0] + " and " + range[1]);
  }
}
