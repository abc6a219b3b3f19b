package dev.staunch.eager;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The expected state of an int64 tensor, by plain loops: a view of cells that others may view too,
 * and the faults that keep it from being read. A fault is the number of the operation that failed;
 * the earliest leads (F6).
 */
final class PlainTensor {
  /** No fault. */
  static final int FINE = Integer.MAX_VALUE;

  /** Cells that views share, and the fault that the last write left. */
  static final class Cells {
    long[] values;
    int fault = FINE;

    Cells(long... values) {
      this.values = values;
    }
  }

  /** Maps two elements to one. */
  @FunctionalInterface
  interface Pointwise {
    long of(long left, long right);
  }

  final Cells cells;
  private int offset;
  private int[] sizes;
  private int[] strides;

  /** Why the tensor does not exist. */
  private int own;

  private PlainTensor(Cells cells, int offset, int[] sizes, int[] strides, int own) {
    this.cells = cells;
    this.offset = offset;
    this.sizes = sizes;
    this.strides = strides;
    this.own = own;
  }

  static PlainTensor of(long[] values, int rows, int columns) {
    return new PlainTensor(
        new Cells(values), 0, new int[] {rows, columns}, new int[] {columns, 1}, FINE);
  }

  /**
   * A tensor that was not made; it shares cells with nothing, whether or not it was meant as a
   * view.
   */
  static PlainTensor failed(int fault) {
    return new PlainTensor(new Cells(), 0, new int[2], new int[2], fault);
  }

  int rows() {
    return sizes[0];
  }

  int columns() {
    return sizes[1];
  }

  boolean exists() {
    return own == FINE;
  }

  /** The fault that a read of this throws, or {@link #FINE}. */
  int fault() {
    return Math.min(own, cells.fault);
  }

  boolean hasSizesOf(PlainTensor other) {
    return Arrays.equals(sizes, other.sizes);
  }

  /** Whether this covers all cells, in whatever order; no view has a cell twice. */
  private boolean isWhole() {
    return rows() * columns() == cells.values.length;
  }

  private int at(int row, int column) {
    return offset + row * strides[0] + column * strides[1];
  }

  /** All elements, row by row. */
  long[] elements() {
    long[] all = new long[rows() * columns()];
    for (int i = 0; i < all.length; i++) {
      all[i] = cells.values[at(i / columns(), i % columns())];
    }
    return all;
  }

  PlainTensor transposed() {
    int[] otherSizes = {sizes[1], sizes[0]};
    return view(offset, otherSizes, new int[] {strides[1], strides[0]});
  }

  /** Rows from {@code start} up to {@code end}, every {@code step}-th. */
  PlainTensor rows(int start, int end, int step) {
    int[] fewer = {(end - start + step - 1) / step, sizes[1]};
    return view(offset + start * strides[0], fewer, new int[] {strides[0] * step, strides[1]});
  }

  private PlainTensor view(int from, int[] otherSizes, int[] otherStrides) {
    return fault() == FINE
        ? new PlainTensor(cells, from, otherSizes, otherStrides, FINE)
        : failed(fault());
  }

  /** A new tensor of the same sizes. */
  PlainTensor with(PlainTensor other, Pointwise function) {
    int fault = Math.min(fault(), other.fault());
    if (fault != FINE) {
      return failed(fault);
    }
    return of(mapped(elements(), other.elements(), function), rows(), columns());
  }

  private static long[] mapped(long[] left, long[] right, Pointwise function) {
    long[] result = new long[left.length];
    Arrays.setAll(result, i -> function.of(left[i], right[i]));
    return result;
  }

  /** Writes {@code function} of this and {@code other} into this. */
  void update(PlainTensor other, Pointwise function) {
    cells.fault = Math.min(cells.fault, other.fault());
    if (cells.fault == FINE) {
      write(mapped(elements(), other.elements(), function));
    }
  }

  private void write(long[] elements) {
    for (int i = 0; i < elements.length; i++) {
      cells.values[at(i / columns(), i % columns())] = elements[i];
    }
  }

  /**
   * Writes {@code value} everywhere; this heals if it covers all of the cells, but not if it covers
   * a part (F4).
   */
  void fill(long value) {
    if (isWhole()) {
      cells.fault = FINE;
    }
    if (cells.fault == FINE) {
      long[] all = new long[rows() * columns()];
      Arrays.fill(all, value);
      write(all);
    }
  }

  /**
   * Writes {@code source} over this; heals as {@link #fill} does, and also a tensor that does not
   * exist.
   */
  void copy(PlainTensor source) {
    int kept = exists() && !isWhole() ? cells.fault : FINE;
    long[] elements = source.fault() == FINE ? source.elements() : new long[0];
    cells.fault = Math.min(kept, source.fault());
    if (cells.fault != FINE) {
      return;
    }
    if (exists()) {
      write(elements);
      return;
    }
    own = FINE;
    offset = 0;
    sizes = source.sizes.clone();
    strides = new int[] {sizes[1], 1};
    cells.values = elements;
  }

  @Nullable String faultText() {
    return fault() == FINE ? null : "index " + fault() + " ";
  }
}
