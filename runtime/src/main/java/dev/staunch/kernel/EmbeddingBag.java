package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@code embedding_bag}: the sum, mean or maximum of the table's rows that each bag of ids picks.
 * Bag i holds the ids from offset i up to the next offset.
 */
final class EmbeddingBag {
  private static final long SUM = 0;
  private static final long MEAN = 1;
  private static final long MAX = 2;

  private final Call call;
  private final DenseTensor weight;
  private final DenseTensor indices;
  private final DenseTensor offsets;
  private final long mode;
  private final @Nullable DenseTensor sampleWeights;
  private final boolean lastIncluded;
  private final boolean padded;
  private final Lookout lookout;
  private long padding;

  private EmbeddingBag(Call call) {
    this.call = call;
    this.lookout = new Lookout(call);
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
        Demands.first(
            TableIds.table(weight),
            TableIds.integral("embedding_bag", "indices", indices),
            TableIds.integral("embedding_bag", "offsets", offsets),
            vector("input", indices),
            vector("offsets", offsets),
            Demands.floating("embedding_bag", weight));
    fault = fault != null ? fault : checkOptions();
    if (fault != null) {
      return fault;
    }
    long[] starts = Filling.longs(lookout, offsets);
    fault = lookout.fault() == null ? checkOffsets(starts, indices.elements()) : lookout.fault();
    if (fault != null) {
      return fault;
    }
    Object ids = TableIds.read(lookout, indices, weight.shape().size(0));
    return ids instanceof long[] rows ? reduce(rows, starts) : ids;
  }

  private static @Nullable Fault vector(String name, DenseTensor tensor) {
    return tensor.rank() == 1
        ? null
        : Demands.shape(
            "%s has to be a 1D Tensor, but got Tensor of dimension %d"
                .formatted(name, tensor.rank()),
            name + " [n]",
            tensor.shape());
  }

  private @Nullable Fault checkOptions() {
    if (mode != SUM && mode != MEAN && mode != MAX) {
      return Fault.value("embedding_bag has no mode " + mode)
          .withExpected("0 (sum), 1 (mean) or 2 (max)", Long.toString(mode));
    }
    long rows = weight.shape().size(0);
    if (padded && (padding < -rows || padding >= rows)) {
      return Fault.index("padding_idx must be within the number of embeddings")
          .withExpected(-rows + " <= padding_idx < " + rows, Long.toString(padding));
    }
    padding = padded && padding < 0 ? padding + rows : padding;
    if (sampleWeights == null) {
      return null;
    }
    if (mode != SUM) {
      return Fault.value("embedding_bag: per_sample_weights only supported with mode='sum'");
    }
    if (!sampleWeights.shape().equals(indices.shape())) {
      return Demands.shape(
          "expected per_sample_weights of the shape of the input " + indices.shape(),
          indices.shape().toString(),
          sampleWeights.shape());
    }
    return Demands.sameDType("embedding_bag", weight, "per_sample_weights", sampleWeights);
  }

  private @Nullable Fault checkOffsets(long[] starts, long count) {
    if (starts.length == 0) {
      return lastIncluded
          ? Fault.value("include_last_offset: number of offset should be at least 1")
          : null;
    }
    if (starts[0] != 0) {
      return Fault.value(
              "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from"
                  + " position 0. However, got "
                  + starts[0])
          .withExpected("0", Long.toString(starts[0]));
    }
    for (int i = 1; i < starts.length; i++) {
      if (starts[i] < starts[i - 1]) {
        return Fault.value(
                "offsets must not decrease, but offsets[%d] is %d after %d"
                    .formatted(i, starts[i], starts[i - 1]))
            .withExpected("at least " + starts[i - 1], Long.toString(starts[i]));
      }
    }
    long last = starts[starts.length - 1];
    return last <= count
        ? null
        : Fault.value(
                "offsets[-1] can not be greater than input's length %d but got offsets[-1] of %d"
                    .formatted(count, last))
            .withExpected("at most " + count, Long.toString(last));
  }

  private Object reduce(long[] ids, long[] starts) {
    int bags = lastIncluded ? starts.length - 1 : starts.length;
    int width = Math.toIntExact(weight.shape().size(1));
    double[] results = new double[Math.multiplyExact(bags, width)];
    double[] samples = sampleWeights == null ? null : Filling.read(lookout, sampleWeights);
    long[] sizes = new long[bags];
    long[] largest = new long[mode == MAX ? results.length : 0];
    RowReader rows = new RowReader(weight);
    for (int bag = 0; bag < bags; bag++) {
      int end = Math.toIntExact(bag + 1 < starts.length ? starts[bag + 1] : ids.length);
      for (int i = (int) starts[bag]; i < end; i++) {
        if (!lookout.goesOn(2L * width + 1)) {
          return Objects.requireNonNull(lookout.fault());
        }
        if (!padded || ids[i] != padding) {
          rows.read(ids[i]);
          double factor = samples == null ? 1 : samples[i];
          accumulate(
              rows.values(), factor, bag * width, results, sizes[bag]++ == 0, ids[i], largest);
        }
      }
      if (mode == MEAN && sizes[bag] > 0) {
        for (int column = bag * width; column < (bag + 1) * width; column++) {
          results[column] /= sizes[bag];
        }
      }
    }
    return outputs(ids, starts, results, sizes, largest);
  }

  private void accumulate(
      double[] row,
      double factor,
      int at,
      double[] results,
      boolean first,
      long id,
      long[] largest) {
    for (int i = 0; i < row.length; i++) {
      if (mode != MAX) {
        results[at + i] += row[i] * factor;
      } else if (first || row[i] > results[at + i]) {
        results[at + i] = row[i];
        largest[at + i] = id;
      }
    }
  }

  /**
   * The bags, and what the backward pass of libtorch would use: shaped as its forward pass does.
   */
  private Object outputs(
      long[] ids, long[] starts, double[] results, long[] sizes, long[] largest) {
    int bags = sizes.length;
    int width = Math.toIntExact(weight.shape().size(1));
    boolean plainSum = isPlainSum();
    long[] owners = new long[plainSum ? 0 : ids.length];
    for (int bag = 0; bag < bags && !plainSum; bag++) {
      int end = Math.toIntExact(bag + 1 < starts.length ? starts[bag + 1] : ids.length);
      Arrays.fill(owners, (int) starts[bag], end, bag);
    }
    long[] counts = mode == SUM ? new long[starts.length] : sizes;
    Object maxima =
        mode == MAX
            ? longs(Shape.of(bags, width), largest)
            : longs(Shape.of(counts.length), counts);
    Object reduced = Filling.of(call, weight.dtype(), Shape.of(bags, width), results);
    if (reduced instanceof Fault) {
      if (maxima instanceof DenseTensor tensor) {
        tensor.close();
      }
      return reduced;
    }
    return new Object[] {
      reduced,
      longs(Shape.of(owners.length), owners),
      longs(Shape.of(counts.length), counts),
      maxima
    };
  }

  /** Whether libtorch takes its fast path, which leaves out the owners of ids. */
  private boolean isPlainSum() {
    return mode == SUM
        && !padded
        && weight.dtype() == DType.FLOAT32
        && weight.layout().stride(1) == 1
        && (sampleWeights == null || sampleWeights.layout().stride(0) == 1);
  }

  private Object longs(Shape shape, long[] values) {
    boolean narrow = indices.dtype() == DType.INT32 && offsets.dtype() == DType.INT32;
    if (narrow) {
      int[] ints = Arrays.stream(values).mapToInt(value -> (int) value).toArray();
      return HostTensors.ints(call.scope(), shape, ints);
    }
    return HostTensors.longs(call.scope(), shape, values);
  }
}
