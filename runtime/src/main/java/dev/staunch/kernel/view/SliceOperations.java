package dev.staunch.kernel.view;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Views;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Parts of one dimension, as views. */
final class SliceOperations {
  /** More parts of one tensor than anybody wants as a list, and fewer than take long to make. */
  private static final long MOST_PARTS = 1L << 20;

  private SliceOperations() {}

  static void addTo(Catalog.Builder catalog) {
    catalog.one(
        "aten::select.int(Tensor(a) self, int dim, int index) -> Tensor(a)",
        SliceOperations::select);
    catalog.one(
        "aten::slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt"
            + " step=1) -> Tensor(a)",
        SliceOperations::slice);
    catalog.one(
        "aten::narrow(Tensor(a) self, int dim, int start, int length) -> Tensor(a)",
        call -> narrow(call, call.integer(2)));
    catalog.one(
        "aten::narrow.Tensor(Tensor(a) self, int dim, Tensor start, int length) -> Tensor(a)",
        call -> {
          DenseTensor start = call.tensor(2);
          return start.rank() > 0 || start.dtype().kind() != dev.staunch.type.DType.Kind.INTEGRAL
              ? Fault.value("start must be an 0-dim integral Tensor.")
              : narrow(
                  call, Elements.asLong(start.segment(), start.dtype(), start.layout().offset()));
        });
    catalog.one(
        "aten::unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]", SliceOperations::unbind);
    catalog.one(
        "aten::split.Tensor(Tensor(a -> *) self, int split_size, int dim=0) -> Tensor(a)[]",
        SliceOperations::split);
    for (String name : new String[] {"split(", "split_with_sizes(", "split.sizes("}) {
      String sizes = name.equals("split.sizes(") ? "split_size" : "split_sizes";
      catalog.one(
          "aten::" + name + "Tensor(a -> *) self, int[] " + sizes + ", int dim=0) -> Tensor(a)[]",
          SliceOperations::splitSizes);
    }
    catalog.one(
        "aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]",
        SliceOperations::chunk);
  }

  /** The dimension at argument {@code i}; or a fault, also if there are no dimensions. */
  private static Object dim(Call call, String name, int i) {
    int rank = call.tensor(0).rank();
    return rank == 0
        ? Fault.index(name + "() cannot be applied to a 0-dim tensor.")
        : Dimensions.wrap(call.integer(i), rank);
  }

  private static Object select(Call call) {
    Object dim = dim(call, "select", 1);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    Layout layout = call.tensor(0).layout();
    long size = layout.shape().size(at);
    long index = call.integer(2);
    if (index < -size || index >= size) {
      String text = "select(): index %d out of range for tensor of size %s at dimension %d";
      return Fault.index(text.formatted(index, layout.shape(), at))
          .withExpected("an index from %d to %d".formatted(-size, size - 1), Long.toString(index));
    }
    return Views.of(
        call, call.tensor(0), Views.selected(layout, at, index < 0 ? index + size : index));
  }

  private static Object slice(Call call) {
    Object dim = dim(call, "slice", 1);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long step = call.integer(4);
    if (step <= 0) {
      return Fault.value("slice step must be positive");
    }
    Layout layout = call.tensor(0).layout();
    long size = layout.shape().size(at);
    long start = bounded(call.integerOr(2, 0), size);
    long end = Math.max(start, bounded(call.integerOr(3, Long.MAX_VALUE), size));
    long[] sizes = layout.shape().toArray();
    long[] strides = layout.strides();
    sizes[at] = (end - start) / step + ((end - start) % step == 0 ? 0 : 1);
    boolean counted = Math.multiplyHigh(strides[at], step) == 0 && strides[at] * step >= 0;
    long offset = layout.offset() + start * strides[at];
    boolean empty = Shape.of(sizes).elements() == 0;
    strides[at] = counted ? strides[at] * step : strides[at];
    return Views.of(call, call.tensor(0), sizes, strides, empty ? layout.offset() : offset);
  }

  private static long bounded(long index, long size) {
    return Math.clamp(index < 0 ? index + size : index, 0, size);
  }

  private static Object narrow(Call call, long asked) {
    Object dim = dim(call, "narrow", 1);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long size = call.tensor(0).shape().size(at);
    long length = call.integer(3);
    if (length < 0) {
      return Fault.value("narrow(): length must be non-negative.");
    }
    long start = asked < 0 && asked >= -size ? asked + size : asked;
    if (start < 0 || start > size || length > size - start) {
      String text = "start (%d) + length (%d) exceeds dimension size (%d).";
      return Fault.index(text.formatted(asked, length, size))
          .withExpected("at most " + size + " elements", start + " + " + length);
    }
    return Views.of(
        call, call.tensor(0), Views.narrowed(call.tensor(0).layout(), at, start, length));
  }

  private static Object unbind(Call call) {
    Object dim = dim(call, "unbind", 1);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long size = call.tensor(0).shape().size(at);
    if (size > MOST_PARTS) {
      return tooMany(size);
    }
    List<Layout> layouts = new ArrayList<>();
    for (long i = 0; i < size; i++) {
      layouts.add(Views.selected(call.tensor(0).layout(), at, i));
    }
    return Views.list(call, call.tensor(0), layouts);
  }

  private static Object split(Call call) {
    Object dim = dim(call, "split", 2);
    long width = call.integer(1);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long size = call.tensor(0).shape().size(at);
    if (width < 0) {
      return Fault.value("split expects split_size be non-negative, but got split_size=" + width);
    }
    if (width == 0 && size != 0) {
      return Fault.value(
          "split_size can only be 0 if dimension size is 0, but got dimension size of " + size);
    }
    return parts(call, at, width, size);
  }

  /** Parts of {@code width} and a last one of what is left; one empty part if there is nothing. */
  private static Object parts(Call call, int dim, long width, long size) {
    if (width > 0 && size / width > MOST_PARTS) {
      return tooMany(size / width);
    }
    List<Layout> layouts = new ArrayList<>();
    for (long from = 0; from < size; from += width) {
      long length = Math.min(width, size - from);
      layouts.add(Views.narrowed(call.tensor(0).layout(), dim, from, length));
      if (width >= size - from) {
        break;
      }
    }
    if (layouts.isEmpty()) {
      layouts.add(call.tensor(0).layout());
    }
    return Views.list(call, call.tensor(0), layouts);
  }

  private static Fault tooMany(long parts) {
    return Fault.of(FaultType.OUT_OF_MEMORY, "a list cannot hold " + parts + " parts of a tensor");
  }

  private static Object splitSizes(Call call) {
    Object dim = dim(call, "split_with_sizes", 2);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long[] widths = call.integers(1);
    long size = call.tensor(0).shape().size(at);
    long left = size;
    List<Layout> layouts = new ArrayList<>();
    for (long width : widths) {
      if (width < 0 || width > left) {
        left = -1;
        break;
      }
      layouts.add(Views.narrowed(call.tensor(0).layout(), at, size - left, width));
      left -= width;
    }
    if (left != 0) {
      String text =
          "split_with_sizes expects split_sizes to sum exactly to %d (input tensor's size at"
              + " dimension %d), but got split_sizes=%s";
      return Fault.shape(text.formatted(size, at, Arrays.toString(widths)))
          .withExpected("sizes that sum to " + size, Arrays.toString(widths));
    }
    return Views.list(call, call.tensor(0), layouts);
  }

  private static Object chunk(Call call) {
    Object dim = dim(call, "chunk", 2);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long chunks = call.integer(1);
    if (chunks <= 0) {
      return Fault.value("chunk expects `chunks` to be greater than 0, got: " + chunks);
    }
    long size = call.tensor(0).shape().size(at);
    if (size == 0) {
      return chunks > 1 << 20
          ? Fault.value("chunk into " + chunks + " parts is not possible")
          : Views.list(
              call,
              call.tensor(0),
              java.util.Collections.nCopies((int) chunks, call.tensor(0).layout()));
    }
    return parts(call, at, (size - 1) / chunks + 1, size);
  }
}
