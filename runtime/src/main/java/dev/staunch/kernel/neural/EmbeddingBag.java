package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.loop.Reals;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * {@code embedding_bag}: the sum, mean or maximum of the table's rows that each bag of ids picks.
 * Bag i holds the ids from offset i up to the next offset.
 */
final class EmbeddingBag {
  private static final long SUM = 0;
  private static final long MEAN = 1;
  private static final long MAX = 2;

  /** Offsets that are checked at a time. */
  private static final int SOME = 512;

  private final Call call;
  private final DenseTensor weight;
  private final DenseTensor indices;
  private final DenseTensor offsets;
  private final long mode;
  private final @Nullable DenseTensor sampleWeights;
  private final boolean lastIncluded;
  private final boolean padded;
  private final CancellationPoll poll;
  private long padding;

  private EmbeddingBag(Call call) {
    this.call = call;
    this.poll = new CancellationPoll(call);
    this.weight = call.tensor(0);
    this.indices = call.tensor(1);
    this.offsets = call.tensor(2);
    this.mode = call.integer(4);
    this.sampleWeights = call.optionalTensor(6);
    this.lastIncluded = call.bool(7);
    this.padded = call.size() > 8 && !call.isNone(8);
    this.padding = padded ? call.integer(8) : -1;
  }

  static Object run(Call call) {
    return new EmbeddingBag(call).run();
  }

  private Object run() {
    Fault fault =
        OperandChecks.first(
            TableIds.table(Call.formOf(weight)),
            TableIds.integral("embedding_bag", "indices", Call.formOf(indices)),
            TableIds.integral("embedding_bag", "offsets", Call.formOf(offsets)),
            vector("input", indices),
            vector("offsets", offsets),
            OperandChecks.floating("embedding_bag", weight));
    fault = fault != null ? fault : checkOptions();
    if (fault != null) {
      return fault;
    }
    Integers starts = Integers.of(poll, offsets);
    Integers ids = Integers.of(poll, indices);
    fault = checkOffsets(starts, indices.elements());
    fault = fault == null ? TableIds.outside(poll, ids, weight.shape().size(0)) : fault;
    return fault == null ? reduced(ids, starts) : fault;
  }

  private static @Nullable Fault vector(String name, DenseTensor tensor) {
    return tensor.rank() == 1
        ? null
        : OperandChecks.shape(
            Message.of("`%s` must be a vector, but its shape is %s", name, tensor.shape()),
            name + " [n]",
            tensor.shape());
  }

  private @Nullable Fault checkOptions() {
    if (mode != SUM && mode != MEAN && mode != MAX) {
      return Fault.value("`mode` takes 0 (sum), 1 (mean) or 2 (max), but got " + mode)
          .withExpected("0 (sum), 1 (mean) or 2 (max)", Long.toString(mode));
    }
    long rows = weight.shape().size(0);
    if (padded && (padding < -rows || padding >= rows)) {
      return Fault.index(
              Message.of(
                  "`padding_idx` %d is outside the embedding table of %d rows", padding, rows))
          .withExpected(-rows + " <= padding_idx < " + rows, Long.toString(padding));
    }
    padding = padded && padding < 0 ? padding + rows : padding;
    if (sampleWeights == null) {
      return null;
    }
    if (mode != SUM) {
      return Fault.value("`per_sample_weights` goes with the mode sum alone; give `mode` as 0");
    }
    if (!sampleWeights.shape().equals(indices.shape())) {
      return OperandChecks.shape(
          Message.of(
              "`per_sample_weights` must be %s as `indices` is, but its shape is %s",
              indices.shape(), sampleWeights.shape()),
          indices.shape().toString(),
          sampleWeights.shape());
    }
    return OperandChecks.sameDType("embedding_bag", weight, "per_sample_weights", sampleWeights);
  }

  private @Nullable Fault checkOffsets(Integers starts, long count) {
    if (starts.size() == 0) {
      return lastIncluded
          ? Fault.value("`offsets` is empty, but `include_last_offset` needs one at least")
          : null;
    }
    if (starts.at(0) != 0) {
      return Fault.value(
              "offsets[0] must be 0, where the first bag begins, but it is " + starts.at(0))
          .withExpected("0", Long.toString(starts.at(0)));
    }
    long[] some = new long[(int) Math.min(SOME, starts.size())];
    long last = 0;
    for (long i = 0; i < starts.size() && poll.fault() == null; i += SOME) {
      int length = (int) Math.min(SOME, starts.size() - i);
      starts.copy(i, length, some, 0);
      for (int j = 0; j < length; j++) {
        if (some[j] < last) {
          return decreases(i + j, some[j], last);
        }
        last = some[j];
      }
    }
    if (poll.fault() != null) {
      return poll.fault();
    }
    return last <= count
        ? null
        : Fault.value(Message.of("the last of `offsets` is %d, beyond the %d indices", last, count))
            .withExpected("at most " + count, Long.toString(last));
  }

  private static Fault decreases(long at, long start, long last) {
    String text = "offsets must not decrease, but offsets[%d] is %d after %d";
    return Fault.value(Message.of(text, at, start, last))
        .withExpected("at least " + last, Long.toString(start));
  }

  /**
   * The bags, and what the backward pass of libtorch would use, shaped as its forward pass does:
   * the bag of each id, the ids of each bag, and the id of each maximum.
   */
  private Object reduced(Integers ids, Integers starts) {
    long bags = lastIncluded ? starts.size() - 1 : starts.size();
    boolean narrow = indices.dtype() == DType.INT32 && offsets.dtype() == DType.INT32;
    DType numbers = narrow ? DType.INT32 : DType.INT64;
    Object shape = Filling.shape(bags, weight.shape().size(1));
    if (!(shape instanceof Shape whole)) {
      return shape;
    }
    Shape counts = Shape.of(mode == SUM ? starts.size() : bags);
    Object[] results = {
      call.allocate(weight.dtype(), whole),
      Filling.zeros(call, numbers, Shape.of(isPlainSum() ? 0 : ids.size())),
      Filling.zeros(call, numbers, counts),
      Filling.zeros(call, numbers, mode == MAX ? whole : counts)
    };
    Fault fault = null;
    for (Object result : results) {
      fault = fault == null && result instanceof Fault found ? found : fault;
    }
    if (fault == null) {
      fault =
          isPlainSum() && sampleWeights == null
              ? RowSums.of(
                  call.environment().kernels().rowSum(),
                  poll,
                  weight,
                  ids,
                  starts,
                  (DenseTensor) results[0])
              : reduce(ids, starts, bags, results);
    }
    for (Object result : fault == null ? new Object[0] : results) {
      if (result instanceof DenseTensor tensor) {
        tensor.close();
      }
    }
    return fault == null ? results : fault;
  }

  private @Nullable Fault reduce(Integers ids, Integers starts, long bags, Object[] results) {
    DenseTensor sums = (DenseTensor) results[0];
    DenseTensor owners = (DenseTensor) results[1];
    Reals factors = sampleWeights == null ? null : Reals.of(poll, sampleWeights);
    RowReader rows = new RowReader(weight);
    double[] sum = new double[rows.values().length];
    long[] largest = new long[mode == MAX ? sum.length : 0];
    for (long bag = 0; bag < bags && poll.mayContinue(sum.length); bag++) {
      Arrays.fill(sum, 0);
      Arrays.fill(largest, 0);
      long size = 0;
      long start = starts.at(bag);
      long end = bag + 1 < starts.size() ? starts.at(bag + 1) : ids.size();
      for (long i = start; i < end && poll.mayContinue(2L * sum.length + 1); i++) {
        long id = ids.at(i);
        if (!padded || id != padding) {
          rows.read(id);
          double factor = factors == null ? 1 : factors.at(i);
          accumulate(rows.values(), factor, sum, size++ == 0, id, largest);
        }
        if (owners.elements() > 0) {
          Elements.putLong(owners.segment(), owners.dtype(), i, bag);
        }
      }
      for (int column = 0; mode == MEAN && size > 0 && column < sum.length; column++) {
        sum[column] /= size;
      }
      Operand.of(sums).store(sum, bag * sum.length, 1, sum.length);
      storeNumbers(results, bag, size, largest);
    }
    return poll.fault();
  }

  /** Writes the size of a bag, in place of its maxima as well if there are none. */
  private void storeNumbers(Object[] results, long bag, long size, long[] largest) {
    if (mode == SUM) {
      return;
    }
    Operand maxima = Operand.of((DenseTensor) results[3]);
    long[] sizes = {size};
    Operand.of((DenseTensor) results[2]).store(sizes, bag, 1, 1);
    if (mode == MAX) {
      maxima.store(largest, bag * largest.length, 1, largest.length);
    } else {
      maxima.store(sizes, bag, 1, 1);
    }
  }

  private void accumulate(
      double[] row, double factor, double[] sum, boolean first, long id, long[] largest) {
    for (int i = 0; i < row.length; i++) {
      if (mode != MAX) {
        sum[i] += row[i] * factor;
      } else if (first || row[i] > sum[i]) {
        sum[i] = row[i];
        largest[i] = id;
      }
    }
  }

  /** Whether libtorch takes its fast path, which leaves out the owners of ids. */
  private boolean isPlainSum() {
    return mode == SUM
        && !padded
        && weight.dtype() == DType.FLOAT32
        && weight.layout().stride(1) == 1
        && (sampleWeights == null || sampleWeights.layout().stride(0) == 1);
  }
}
