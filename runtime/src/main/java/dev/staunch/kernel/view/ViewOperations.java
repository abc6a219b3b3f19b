package dev.staunch.kernel.view;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Trait;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Views;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Other shapes for the same elements. */
public final class ViewOperations {
  private ViewOperations() {}

  /** Adds all operations of this package. */
  public static void addTo(Catalog.Builder catalog) {
    SizeOperations.addTo(catalog);
    reshapes(catalog);
    orders(catalog.with(Trait.VIEWS));
    SliceOperations.addTo(catalog);
    JoiningOperations.addTo(catalog);
    RearrangingOperations.addTo(catalog);
    ShapingOperations.addTo(catalog);
    ComplexViews.addTo(catalog);
    ArrangingOperations.addTo(catalog);
  }

  private static void reshapes(Catalog.Builder catalog) {
    Catalog.Builder views = catalog.with(Trait.VIEWS);
    views.one(
        "aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)",
        call -> reshaped(call, call.integers(1), false));
    views.one(
        "aten::view_as(Tensor(a) self, Tensor other) -> Tensor(a)",
        call -> reshaped(call, call.tensor(1).shape().toArray(), false));
    catalog.one(
        "aten::reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)",
        call -> reshaped(call, call.integers(1), true));
    catalog.one(
        "aten::reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)",
        call -> reshaped(call, call.tensor(1).shape().toArray(), true));
    catalog.one(
        "aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)",
        ViewOperations::flatten);
    views.one("aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)", ViewOperations::squeeze);
    views.one("aten::squeeze(Tensor(a) self) -> Tensor(a)", ViewOperations::squeezeAll);
    views.one("aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a)", ViewOperations::unsqueeze);
  }

  private static void orders(Catalog.Builder catalog) {
    catalog.one("aten::t(Tensor(a) self) -> Tensor(a)", ViewOperations::transposeMatrix);
    catalog.one(
        "aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)",
        call -> transpose(call, call.integer(1), call.integer(2)));
    catalog.one(
        "aten::swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)",
        call -> transpose(call, call.integer(1), call.integer(2)));
    catalog.one("aten::permute(Tensor(a) self, int[] dims) -> Tensor(a)", ViewOperations::permute);
    catalog.one(
        "aten::numpy_T(Tensor(a) self) -> Tensor(a)",
        call -> ordered(call, reversed(call.tensor(0).rank())));
    catalog.one(
        "aten::numpy_T.a(Tensor(a) self) -> Tensor(a)",
        call -> ordered(call, reversed(call.tensor(0).rank())));
    catalog.one(
        "aten::expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)",
        call -> expand(call, call.integers(1)));
    catalog.one(
        "aten::expand_as(Tensor(a) self, Tensor other) -> Tensor(a)",
        call -> expand(call, call.tensor(1).shape().toArray()));
  }

  private static int[] reversed(int rank) {
    return IntStream.range(0, rank).map(i -> rank - 1 - i).toArray();
  }

  /** The sizes with -1 filled in; or a fault. */
  private static Object inferred(DenseTensor self, long[] asked) {
    long[] sizes = asked.clone();
    int unknown = -1;
    long known = 1;
    for (int i = 0; i < sizes.length; i++) {
      if (sizes[i] == -1 && unknown < 0) {
        unknown = i;
      } else if (sizes[i] < 0) {
        String text =
            sizes[i] == -1
                ? "only one size can be left open with -1, but there are more in "
                    + Arrays.toString(sizes)
                : "a size must not be negative, but there is " + sizes[i];
        return Fault.value(text);
      } else {
        known = Math.multiplyHigh(known, sizes[i]) == 0 ? known * sizes[i] : Long.MAX_VALUE;
      }
    }
    boolean fits =
        unknown < 0 ? known == self.elements() : known > 0 && self.elements() % known == 0;
    if (!fits) {
      String text = "a tensor of shape %s has %d elements, which do not make the shape %s";
      return Fault.shape(Message.of(text, self.shape(), self.elements(), Arrays.toString(asked)))
          .withExpected(self.elements() + " elements", Arrays.toString(asked));
    }
    if (unknown >= 0) {
      sizes[unknown] = self.elements() / known;
    }
    return sizes;
  }

  private static Object reshaped(Call call, long[] asked, boolean mayCopy) {
    DenseTensor self = call.tensor(0);
    Object inferred = inferred(self, asked);
    if (!(inferred instanceof long[] sizes)) {
      return inferred;
    }
    long[] strides = Restriding.strides(self.layout(), sizes);
    if (strides != null) {
      return Views.of(call, call.tensor(0), sizes, strides, self.layout().offset());
    }
    if (!mayCopy) {
      return Fault.shape(
          "the elements of a tensor of shape "
              + self.shape()
              + " do not lie so that a view could have the shape "
              + Arrays.toString(sizes)
              + "; use `reshape`, which copies");
    }
    Object copy = Copying.toContiguous(call, self, self.dtype());
    if (!(copy instanceof DenseTensor tensor)) {
      return copy;
    }
    Object view = tensor.view(call.scope(), Layout.contiguous(Shape.of(sizes)));
    tensor.close();
    return view;
  }

  private static Object flatten(Call call) {
    DenseTensor self = call.tensor(0);
    Object first = Dimensions.wrap(call.integer(1), self.rank());
    Object last = Dimensions.wrap(call.integer(2), self.rank());
    if (!(first instanceof Integer start) || !(last instanceof Integer end)) {
      return first instanceof Fault ? first : last;
    }
    if (start > end) {
      return Fault.value(Message.of("`start_dim` %d comes after `end_dim` %d", start, end));
    }
    if (self.rank() == 0) {
      return reshaped(call, new long[] {1}, true);
    }
    List<Long> sizes = new ArrayList<>();
    long flat = 1;
    for (int i = 0; i < self.rank(); i++) {
      flat *= i >= start && i <= end ? self.shape().size(i) : 1;
      if (i == end) {
        sizes.add(flat);
      } else if (i < start || i > end) {
        sizes.add(self.shape().size(i));
      }
    }
    return reshaped(call, sizes.stream().mapToLong(Long::longValue).toArray(), true);
  }

  private static Object squeeze(Call call) {
    DenseTensor self = call.tensor(0);
    Object dim = Dimensions.wrap(call.integer(1), self.rank());
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    if (self.rank() == 0 || self.shape().size(at) != 1) {
      return self.view(call.scope(), self.layout());
    }
    Layout layout = self.layout();
    return Views.of(
        call,
        call.tensor(0),
        Views.without(self.shape().toArray(), at),
        Views.without(layout.strides(), at),
        layout.offset());
  }

  private static Object squeezeAll(Call call) {
    Layout layout = call.tensor(0).layout();
    int[] kept =
        IntStream.range(0, layout.shape().rank())
            .filter(i -> layout.shape().size(i) != 1)
            .toArray();
    long[] sizes = Arrays.stream(kept).mapToLong(layout.shape()::size).toArray();
    long[] strides = Arrays.stream(kept).mapToLong(layout::stride).toArray();
    return Views.of(call, call.tensor(0), sizes, strides, layout.offset());
  }

  private static Object unsqueeze(Call call) {
    Layout layout = call.tensor(0).layout();
    int rank = layout.shape().rank();
    Object dim = Dimensions.wrap(call.integer(1), rank + 1);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long stride = at < rank ? layout.stride(at) * layout.shape().size(at) : 1;
    return Views.of(
        call,
        call.tensor(0),
        Views.with(layout.shape().toArray(), at, 1),
        Views.with(layout.strides(), at, stride),
        layout.offset());
  }

  private static Object transposeMatrix(Call call) {
    int rank = call.tensor(0).rank();
    if (rank > 2) {
      return Fault.shape(
          "t takes at most 2 dimensions, but the shape is "
              + call.tensor(0).shape()
              + "; use `transpose`");
    }
    return rank < 2
        ? call.tensor(0).view(call.scope(), call.tensor(0).layout())
        : transpose(call, 0, 1);
  }

  private static Object transpose(Call call, long a, long b) {
    Layout layout = call.tensor(0).layout();
    Object first = Dimensions.wrap(a, layout.shape().rank());
    Object second = Dimensions.wrap(b, layout.shape().rank());
    if (!(first instanceof Integer left) || !(second instanceof Integer right)) {
      return first instanceof Fault ? first : second;
    }
    int[] order = IntStream.range(0, layout.shape().rank()).toArray();
    if (order.length > 0) {
      order[left] = right;
      order[right] = left;
    }
    return ordered(call, order);
  }

  private static Object ordered(Call call, int[] order) {
    Layout layout = call.tensor(0).layout();
    long[] sizes = Arrays.stream(order).mapToLong(layout.shape()::size).toArray();
    long[] strides = Arrays.stream(order).mapToLong(layout::stride).toArray();
    return Views.of(call, call.tensor(0), sizes, strides, layout.offset());
  }

  private static Object permute(Call call) {
    long[] dims = call.integers(1);
    int rank = call.tensor(0).rank();
    if (dims.length != rank) {
      String text = "`dims` %s must name each dimension of the tensor %s";
      return Fault.shape(Message.of(text, Arrays.toString(dims), call.tensor(0).shape()));
    }
    int[] order = new int[rank];
    boolean[] seen = new boolean[rank];
    for (int i = 0; i < rank; i++) {
      Object dim = Dimensions.wrap(dims[i], rank);
      if (!(dim instanceof Integer at)) {
        return dim;
      }
      if (seen[at]) {
        return Fault.value("`dims` " + Arrays.toString(dims) + " names a dimension twice");
      }
      seen[at] = true;
      order[i] = at;
    }
    return ordered(call, order);
  }

  private static Object expand(Call call, long[] sizes) {
    Layout layout = call.tensor(0).layout();
    int lead = sizes.length - layout.shape().rank();
    long[] strides = new long[sizes.length];
    for (int i = 0; i < sizes.length; i++) {
      long size = i < lead || lead < 0 ? 1 : layout.shape().size(i - lead);
      boolean keeps = i >= lead && (sizes[i] == -1 || sizes[i] == size);
      if (lead < 0 || sizes[i] < -1 || (!keeps && (size != 1 || sizes[i] < 0))) {
        return doesNotExpand(layout.shape(), sizes);
      }
      strides[i] = keeps ? layout.stride(i - lead) : 0;
      sizes[i] = keeps ? size : sizes[i];
    }
    return lead < 0
        ? doesNotExpand(layout.shape(), sizes)
        : Views.of(call, call.tensor(0), sizes, strides, layout.offset());
  }

  private static Fault doesNotExpand(Shape shape, long[] sizes) {
    return Fault.shape(
        "a tensor of shape " + shape + " does not expand to " + Arrays.toString(sizes));
  }
}
