package dev.staunch.cli;

import dev.staunch.data.dataset.TensorBatch;
import dev.staunch.fault.Message;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/** Summaries of the tensors of batches, without padding: shapes, smallest and largest values. */
final class DataRanges {
  /** What has been seen of one tensor. */
  private static final class Range {
    final DType dtype;
    final long[] sizes;
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    long nans;

    Range(DenseTensor first) {
      dtype = first.dtype();
      sizes = first.shape().toArray();
      sizes[0] = 0;
    }

    void add(double value) {
      if (Double.isNaN(value)) {
        nans++;
      } else {
        least = Math.min(least, value);
        greatest = Math.max(greatest, value);
      }
    }

    @Override
    public String toString() {
      String range =
          least > greatest
              ? ""
              : Message.of(
                  ", from %s to %s",
                  DataHead.number(least, dtype), DataHead.number(greatest, dtype));
      return dtype
          + Shape.of(sizes).toString()
          + range
          + (nans == 0 ? "" : Message.of(", %d not a number", nans));
    }
  }

  private final Map<String, Range> ranges = new LinkedHashMap<>();

  void add(TensorBatch batch) {
    batch.tensors().forEach((name, tensor) -> add(batch, name, tensor));
  }

  private void add(TensorBatch batch, String name, DenseTensor tensor) {
    Range range = ranges.computeIfAbsent(name, unseen -> new Range(tensor));
    double[] values = HostTensors.toDoubles(tensor);
    long rows = unpadded(batch, name, tensor);
    long shown = values.length / Math.max(1, tensor.shape().size(0)) * rows;
    for (int i = 0; i < shown; i++) {
      range.add(values[i]);
    }
    // the offsets of sparse rows start anew in each batch
    boolean again = range.sizes[0] > 0 && tensor.shape().size(0) > batch.examples();
    range.sizes[0] += again && name.endsWith(".offsets") ? rows - 1 : rows;
  }

  /** How much of a tensor's first dimension is not padding. */
  static long unpadded(TensorBatch batch, String name, DenseTensor tensor) {
    long size = tensor.shape().size(0);
    int dot = name.lastIndexOf('.');
    boolean elements =
        dot >= 0
            && !name.endsWith(".offsets")
            && batch.tensors().containsKey(name.substring(0, dot) + ".offsets");
    return elements ? size : size - batch.pad();
  }

  void print(PrintWriter out) {
    ranges.forEach((name, range) -> out.println(name + ": " + range));
  }
}
