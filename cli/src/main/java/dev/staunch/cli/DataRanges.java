package dev.staunch.cli;

import dev.staunch.data.dataset.TensorBatch;
import dev.staunch.fault.Message;
import dev.staunch.tensor.ArrayText;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/** The tensors of batches in short: shapes, the least and the greatest value, the first rows. */
final class DataRanges {
  /** What was seen of one tensor. */
  private static final class Range {
    final String form;
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    long nans;

    Range(String form) {
      this.form = form;
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
      String range = least > greatest ? "" : Message.of(", from %s to %s", least, greatest);
      return form + range + (nans == 0 ? "" : Message.of(", %d not a number", nans));
    }
  }

  private final Map<String, Range> ranges = new LinkedHashMap<>();

  void add(TensorBatch batch) {
    for (Map.Entry<String, DenseTensor> entry : batch.tensors().entrySet()) {
      DenseTensor tensor = entry.getValue();
      Range range =
          ranges.computeIfAbsent(
              entry.getKey(), name -> new Range(tensor.dtype() + tensor.shape().toString()));
      long real = tensor.shape().size(0) == batch.examples() ? batch.pad() : 0;
      double[] values = HostTensors.toDoubles(tensor);
      long rows = Math.max(1, tensor.shape().size(0));
      long shown = values.length / rows * (rows - real);
      for (int i = 0; i < shown; i++) {
        range.add(values[i]);
      }
    }
  }

  void print(PrintWriter out) {
    ranges.forEach((name, range) -> out.println(name + ": " + range));
  }

  /** Prints the first rows of each tensor. */
  static void printHead(PrintWriter out, TensorBatch batch, int rows) {
    for (Map.Entry<String, DenseTensor> entry : batch.tensors().entrySet()) {
      DenseTensor tensor = entry.getValue();
      long[] sizes = tensor.shape().toArray();
      boolean isRows = sizes[0] == batch.examples();
      sizes[0] = Math.min(sizes[0], isRows ? Math.min(rows, batch.examples() - batch.pad()) : rows);
      Layout head =
          new Layout(Shape.of(sizes), tensor.layout().strides(), tensor.layout().offset());
      if (tensor.view(batch.scope(), head) instanceof DenseTensor view) {
        out.println(entry.getKey() + ":");
        out.println(ArrayText.of(view));
      }
    }
  }
}
