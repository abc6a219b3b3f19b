package dev.staunch.cli;

import dev.staunch.data.dataset.TensorBatch;
import dev.staunch.tensor.ArrayText;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.io.PrintWriter;
import java.util.Map;

/**
 * The first rows of a batch, without its padding. A few columns of floating numbers are printed
 * each in its own way, whole numbers without a point; everything else as NumPy does.
 */
final class DataHead {
  /** More columns than these do not fit a line. */
  private static final int MOST_COLUMNS = 12;

  /** Up to here every whole double is a number of its own. */
  private static final double EXACT = 1L << 53;

  private DataHead() {}

  static void print(PrintWriter out, TensorBatch batch, int rows) {
    for (Map.Entry<String, DenseTensor> entry : batch.tensors().entrySet()) {
      DenseTensor tensor = entry.getValue();
      long[] sizes = tensor.shape().toArray();
      sizes[0] = Math.min(rows, DataRanges.unpadded(batch, entry.getKey(), tensor));
      Layout head =
          new Layout(Shape.of(sizes), tensor.layout().strides(), tensor.layout().offset());
      if (tensor.view(batch.scope(), head) instanceof DenseTensor view) {
        out.println(entry.getKey() + ":");
        out.println(text(view));
      }
    }
  }

  /** Without a point if it is whole, else with the digits that its dtype needs. */
  static String number(double value, DType dtype) {
    if (isWhole(value)) {
      return Long.toString((long) value);
    }
    return dtype == DType.FLOAT64 ? Double.toString(value) : Float.toString((float) value);
  }

  static boolean isWhole(double value) {
    return value == Math.rint(value) && Math.abs(value) <= EXACT;
  }

  private static String text(DenseTensor view) {
    int rank = view.rank();
    if (!view.dtype().isFloating()
        || rank > 2
        || view.elements() == 0
        || view.shape().size(rank - 1) > MOST_COLUMNS) {
      return ArrayText.of(view);
    }
    int columns = (int) view.shape().size(rank - 1);
    double[] values = HostTensors.toDoubles(view);
    String[] texts = new String[values.length];
    int[] widths = new int[columns];
    for (int i = 0; i < values.length; i++) {
      texts[i] = number(values[i], view.dtype());
      widths[i % columns] = Math.max(widths[i % columns], texts[i].length());
    }
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < values.length; i++) {
      all.append(i > 0 && i % columns == 0 ? "\n  " : "  ");
      all.repeat(' ', widths[i % columns] - texts[i].length()).append(texts[i]);
    }
    return all.toString();
  }
}
