package dev.staunch.cli;

import dev.staunch.data.dataset.TensorBatch;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.ArrayText;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Map;

/**
 * The first rows of a batch, without its padding. If a floating-point tensor has only a few
 * columns, each column is formatted separately; everything else is printed as NumPy does. Whole
 * numbers have no decimal point.
 */
final class DataHead {
  /** More columns than this do not fit on a line. */
  private static final int MOST_COLUMNS = 12;

  /** Up to here, every integer has a distinct double. */
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
        out.println(text(batch.scope(), view));
      }
    }
  }

  /** Without a decimal point if it is whole, otherwise with the digits that its dtype needs. */
  static String number(double value, DType dtype) {
    if (isWhole(value)) {
      return Long.toString((long) value);
    }
    return dtype == DType.FLOAT64 ? Double.toString(value) : Float.toString((float) value);
  }

  static boolean isWhole(double value) {
    return value == Math.rint(value) && Math.abs(value) <= EXACT;
  }

  private static String text(ResourceScope scope, DenseTensor view) {
    if (!view.dtype().isFloating() || view.elements() == 0) {
      return ArrayText.of(view);
    }
    long columns = view.shape().size(view.rank() - 1);
    if (view.rank() <= 2 && columns <= MOST_COLUMNS) {
      return columns(view, (int) columns);
    }
    double[] values = HostTensors.toDoubles(view);
    boolean whole = Arrays.stream(values).allMatch(DataHead::isWhole);
    Object numbers = whole ? HostTensors.longs(scope, view.shape(), longs(values)) : view;
    return ArrayText.of(numbers instanceof DenseTensor made ? made : view);
  }

  private static long[] longs(double... values) {
    return Arrays.stream(values).mapToLong(value -> (long) value).toArray();
  }

  private static String columns(DenseTensor view, int columns) {
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
