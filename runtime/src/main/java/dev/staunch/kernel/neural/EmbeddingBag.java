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
import dev.staunch.operation.None;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code embedding_bag}: the sum, mean or maximum of the table rows that each bag of ids selects.
 * Bag i holds the ids from offset i up to the next offset.
 */
final class EmbeddingBag {
  private static final long SUM = 0;
  private static final long MEAN = 1;
  private static final long MAX = 2;

  private final TensorForm weight;
  private final TensorForm indices;
  private final TensorForm offsets;
  private final long mode;
  private final @Nullable TensorForm sampleWeights;
  private final boolean lastIncluded;
  private final boolean padded;
  private final long padding;

  private EmbeddingBag(Operands operands) {
    this.weight = operands.form(0);
    this.indices = operands.form(1);
    this.offsets = operands.form(2);
    this.mode = operands.integer(4);
    this.sampleWeights = operands.optionalForm(6);
    this.lastIncluded = operands.bool(7);
    this.padded = operands.size() > 8 && !operands.isNone(8);
    this.padding = padded ? operands.integer(8) : -1;
  }

  /** The forms of the four results, provided that ids and offsets are valid. */
  static Object forms(Operands operands) {
    return new EmbeddingBag(operands).forms();
  }

  static Object run(Call call) {
    EmbeddingBag bag = new EmbeddingBag(call);
    Object forms = bag.forms();
    return forms instanceof Object[] known ? bag.run(call, known) : forms;
  }

  private Object run(Call call, Object[] forms) {
    FewBags few = isSumOnly() ? FewBags.of(call.tensor(0), call.tensor(1), call.tensor(2)) : null;
    if (few != null) {
      Fault fault = few.misfit();
      return fault == null ? filled(call, forms, results -> few.add(call, results)) : fault;
    }
    CancellationPoll poll = new CancellationPoll(call);
    Integers starts = Integers.of(poll, call.tensor(2));
    Integers ids = Integers.of(poll, call.tensor(1));
    Fault fault = BagOffsets.misfit(poll, starts, indices.elements());
    fault = fault == null ? TableIds.outside(poll, ids, weight.shape().size(0)) : fault;
    return fault == null ? reduced(call, poll, ids, starts, forms) : fault;
  }

  private @Nullable Fault misfit() {
    Fault fault =
        OperandChecks.first(
            TableIds.table(weight),
            TableIds.integral("embedding_bag", "indices", indices),
            TableIds.integral("embedding_bag", "offsets", offsets),
            vector("indices", indices),
            vector("offsets", offsets),
            OperandChecks.floating("embedding_bag", weight.dtype()));
    fault = fault != null ? fault : checkOptions();
    return fault == null && lastIncluded && offsets.elements() == 0
        ? Fault.value("`offsets` is empty, but `include_last_offset` needs one at least")
            .withInput("offsets")
        : fault;
  }

  private static @Nullable Fault vector(String name, TensorForm tensor) {
    return tensor.rank() == 1
        ? null
        : OperandChecks.shape(
                Message.of("`%s` must be a vector, but its shape is %s", name, tensor.shape()),
                name + " [n]",
                tensor.shape())
            .withInput(name);
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
                  "`padding_idx` %d is outside the embedding table of %s",
                  padding, Message.count(rows, "row")))
          .withExpected(-rows + " <= padding_idx < " + rows, Long.toString(padding));
    }
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
    return OperandChecks.sameDType(
        "embedding_bag", weight.dtype(), "per_sample_weights", sampleWeights.dtype());
  }

  /**
   * The forms of the bags and of what libtorch's backward pass would use, shaped as in its forward
   * pass: the bag of each id, the ids of each bag, and the id of each maximum.
   */
  private Object forms() {
    Fault fault = misfit();
    if (fault != null) {
      return fault;
    }
    long bags = lastIncluded ? offsets.elements() - 1 : offsets.elements();
    boolean narrow = indices.dtype() == DType.INT32 && offsets.dtype() == DType.INT32;
    DType numbers = narrow ? DType.INT32 : DType.INT64;
    Object shape = Filling.shape(bags, weight.shape().size(1));
    if (!(shape instanceof Shape whole)) {
      return shape;
    }
    Shape counts = Shape.of(mode == SUM ? offsets.elements() : bags);
    return new Object[] {
      TensorForm.contiguous(weight.dtype(), whole),
      TensorForm.contiguous(numbers, Shape.of(isPlainSum() ? 0 : indices.elements())),
      TensorForm.contiguous(numbers, counts),
      TensorForm.contiguous(numbers, mode == MAX ? whole : counts)
    };
  }

  private Object reduced(
      Call call, CancellationPoll poll, Integers ids, Integers starts, Object[] forms) {
    return filled(
        call,
        forms,
        results ->
            isSumOnly()
                ? RowSums.of(
                    call.environment().kernels().rowSum(),
                    poll,
                    call.tensor(0),
                    ids,
                    starts,
                    (DenseTensor) results[0])
                : reduce(call, poll, ids, starts, results));
  }

  /**
   * New results, filled by {@code work}; or the fault of allocating one of them or of {@code work}.
   */
  private Object filled(Call call, Object[] forms, Function<Object[], @Nullable Fault> work) {
    Object[] results = new Object[forms.length];
    boolean mayLeaveOut = isSumOnly();
    Fault fault = null;
    for (int i = 0; i < results.length; i++) {
      results[i] =
          i > 0 && mayLeaveOut && call.isUnread(i)
              ? None.NONE
              : made(call, (TensorForm) forms[i], i);
      fault = fault == null && results[i] instanceof Fault found ? found : fault;
    }
    fault = fault == null ? work.apply(results) : fault;
    for (Object result : fault == null ? new Object[0] : results) {
      if (result instanceof DenseTensor tensor) {
        tensor.close();
      }
    }
    return fault == null ? results : fault;
  }

  /** The sums are written in any case; everything else starts as zeros. */
  private static Object made(Call call, TensorForm form, int result) {
    return result == 0
        ? call.allocate(form.dtype(), form.shape())
        : Filling.zeros(call, form.dtype(), form.shape());
  }

  private @Nullable Fault reduce(
      Call call, CancellationPoll poll, Integers ids, Integers starts, Object[] results) {
    DenseTensor sums = (DenseTensor) results[0];
    DenseTensor owners = (DenseTensor) results[1];
    Reals factors = sampleWeights == null ? null : Reals.of(poll, call.tensor(6));
    RowReader rows = new RowReader(call.tensor(0));
    long skipped = padding < 0 ? padding + weight.shape().size(0) : padding;
    double[] sum = new double[rows.values().length];
    long[] largest = new long[mode == MAX ? sum.length : 0];
    for (long bag = 0; bag < sums.shape().size(0) && poll.mayContinue(sum.length); bag++) {
      Arrays.fill(sum, 0);
      Arrays.fill(largest, 0);
      long size = 0;
      long start = starts.at(bag);
      long end = bag + 1 < starts.size() ? starts.at(bag + 1) : ids.size();
      for (long i = start; i < end && poll.mayContinue(2L * sum.length + 1); i++) {
        long id = ids.at(i);
        if (!padded || id != skipped) {
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

  /** Writes the size of a bag, also in place of its maxima if there are none. */
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

  /** Whether only the sums have to be computed. */
  private boolean isSumOnly() {
    return isPlainSum() && sampleWeights == null;
  }

  /** Whether libtorch takes its fast path, which omits the bag of each id. */
  private boolean isPlainSum() {
    return mode == SUM
        && !padded
        && weight.dtype() == DType.FLOAT32
        && weight.layout().stride(1) == 1
        && (sampleWeights == null || sampleWeights.layout().stride(0) == 1);
  }
}
