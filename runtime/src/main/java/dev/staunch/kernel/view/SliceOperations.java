package dev.staunch.kernel.view;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Views;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;

/** Parts of one dimension, as views. */
final class SliceOperations {
  private SliceOperations() {}

  static void addTo(Catalog.Builder catalog) {
    Views.add(
        catalog.with(Trait.SELECTS),
        "aten::select.int(Tensor(a) self, int dim, int index) -> Tensor(a)",
        SliceOperations::select);
    Views.add(
        catalog,
        "aten::slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt"
            + " step=1) -> Tensor(a)",
        SliceOperations::slice);
    Views.add(
        catalog,
        "aten::narrow(Tensor(a) self, int dim, int start, int length) -> Tensor(a)",
        operands -> narrow(operands, operands.integer(2)));
    catalog
        .with(Trait.VIEWS)
        .withInference(Inference.OF_VALUES)
        .withDTypes(DType.of(DType.Kind.values()))
        .one(
            "aten::narrow.Tensor(Tensor(a) self, int dim, Tensor start, int length) -> Tensor(a)",
            SliceOperations::narrowAt);
    Views.add(
        catalog,
        "aten::unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]",
        SliceOperations::unbind);
    Views.add(
        catalog,
        "aten::split.Tensor(Tensor(a -> *) self, int split_size, int dim=0) -> Tensor(a)[]",
        SliceOperations::split);
    splitSizes(catalog, "split", "split_sizes");
    splitSizes(catalog, "split_with_sizes", "split_sizes");
    splitSizes(catalog, "split.sizes", "split_size");
    Views.add(
        catalog,
        "aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]",
        SliceOperations::chunk);
  }

  private static void splitSizes(Catalog.Builder catalog, String name, String sizes) {
    Views.add(
        catalog,
        "aten::" + name + "(Tensor(a -> *) self, int[] " + sizes + ", int dim=0) -> Tensor(a)[]",
        SliceOperations::splitSizes);
  }

  private static Object narrowAt(Call call) {
    DenseTensor start = call.tensor(2);
    if (start.rank() > 0 || start.dtype().kind() != DType.Kind.INTEGRAL) {
      return Fault.value(
          "`start` must be an integer without dimensions, but it is " + start.describe());
    }
    Object layout =
        narrow(call, Elements.asLong(start.segment(), start.dtype(), start.layout().offset()));
    return layout instanceof Layout part ? Views.of(call, call.tensor(0), part) : layout;
  }

  /** The dimension in argument {@code i}; or a fault, also for a tensor without dimensions. */
  private static Object dim(Operands operands, String name, int i) {
    int rank = operands.rank(0);
    return rank == 0
        ? Fault.index(name + " takes at least 1 dimension, but the tensor has none")
        : Dimensions.wrap(operands.integer(i), rank);
  }

  private static Object select(Operands operands) {
    Object dim = dim(operands, "select", 1);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    Layout layout = operands.layout(0);
    long size = layout.shape().size(at);
    long index = operands.integer(2);
    if (index < -size || index >= size) {
      String text = "index %d is out of range for dimension %d of a tensor of shape %s";
      return Fault.index(Message.of(text, index, at, layout.shape()))
          .withExpected(
              Message.of("an index from %d to %d", -size, size - 1), Long.toString(index));
    }
    return Views.selected(layout, at, index < 0 ? index + size : index);
  }

  private static Object slice(Operands operands) {
    Object dim = dim(operands, "slice", 1);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long step = operands.integer(4);
    if (step <= 0) {
      return Fault.value("`step` of a slice must be positive, but it is " + step);
    }
    Layout layout = operands.layout(0);
    long size = layout.shape().size(at);
    long start = bounded(operands.integerOr(2, 0), size);
    long end = Math.max(start, bounded(operands.integerOr(3, Long.MAX_VALUE), size));
    long[] sizes = layout.shape().toArray();
    long[] strides = layout.strides();
    sizes[at] = (end - start) / step + ((end - start) % step == 0 ? 0 : 1);
    boolean counted = Math.multiplyHigh(strides[at], step) == 0 && strides[at] * step >= 0;
    long offset = layout.offset() + start * strides[at];
    boolean empty = Shape.of(sizes).elements() == 0;
    strides[at] = counted ? strides[at] * step : strides[at];
    return new Layout(Shape.of(sizes), strides, empty ? layout.offset() : offset);
  }

  /** An index, which counts from the end if it is negative, moved to the nearest valid end. */
  static long bounded(long index, long size) {
    return Math.clamp(index < 0 ? index + size : index, 0, size);
  }

  private static Object narrow(Operands operands, long asked) {
    Object dim = dim(operands, "narrow", 1);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long size = operands.shape(0).size(at);
    long length = operands.integer(3);
    if (length < 0) {
      return Fault.value("`length` must not be negative, but it is " + length);
    }
    long start = asked < 0 && asked >= -size ? asked + size : asked;
    if (start < 0 || start > size || length > size - start) {
      String text = "`start` %d and `length` %d reach outside dimension %d of size %d";
      return Fault.index(Message.of(text, asked, length, at, size))
          .withExpected("at most " + size + " elements", start + " + " + length);
    }
    return Views.narrowed(operands.layout(0), at, start, length);
  }

  private static Object unbind(Operands operands) {
    Object dim = dim(operands, "unbind", 1);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    Layout layout = operands.layout(0);
    return new Views.Parts(layout.shape().size(at), i -> Views.selected(layout, at, i));
  }

  private static Object split(Operands operands) {
    Object dim = dim(operands, "split", 2);
    long width = operands.integer(1);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long size = operands.shape(0).size(at);
    if (width < 0) {
      return Fault.value("`split_size` must not be negative, but it is " + width);
    }
    if (width == 0 && size != 0) {
      return Fault.value("`split_size` is 0, but dimension " + at + " has " + size + " elements");
    }
    return parts(operands, at, width, size);
  }

  /**
   * Parts of {@code width}, the last with the remainder; one empty part if there are no elements.
   */
  private static Object parts(Operands operands, int dim, long width, long size) {
    Layout layout = operands.layout(0);
    return new Views.Parts(
        size == 0 ? 1 : (size - 1) / width + 1,
        i -> Views.narrowed(layout, dim, i * width, Math.min(width, size - i * width)));
  }

  private static Object splitSizes(Operands operands) {
    Object dim = dim(operands, "split_with_sizes", 2);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long[] widths = operands.integers(1);
    long size = operands.shape(0).size(at);
    long[] starts = starts(widths, size);
    if (starts[widths.length] != size) {
      String text = "the sizes %s must sum to %d, the size of dimension %d";
      return Fault.shape(Message.of(text, Arrays.toString(widths), size, at))
          .withExpected("sizes that sum to " + size, Arrays.toString(widths));
    }
    Layout layout = operands.layout(0);
    return new Views.Parts(
        widths.length, i -> Views.narrowed(layout, at, starts[(int) i], widths[(int) i]));
  }

  /** The start of each part and, last, the sum of the widths; -1 there if a part is not valid. */
  private static long[] starts(long[] widths, long size) {
    long[] starts = new long[widths.length + 1];
    for (int i = 0; i < widths.length; i++) {
      if (widths[i] < 0 || widths[i] > size - starts[i]) {
        starts[widths.length] = -1;
        break;
      }
      starts[i + 1] = starts[i] + widths[i];
    }
    return starts;
  }

  private static Object chunk(Operands operands) {
    Object dim = dim(operands, "chunk", 2);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long chunks = operands.integer(1);
    if (chunks <= 0) {
      return Fault.value("`chunks` must be positive, but it is " + chunks);
    }
    long size = operands.shape(0).size(at);
    if (size == 0) {
      return new Views.Parts(chunks, i -> operands.layout(0));
    }
    return parts(operands, at, (size - 1) / chunks + 1, size);
  }
}
