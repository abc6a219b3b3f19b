package dev.staunch.kernel.view;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Views;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** Operations that give the same elements another shape. */
public final class ViewOperations {
  private ViewOperations() {}

  /** All operations of this package. */
  public static List<Catalog.Group> groups() {
    return List.of(
        SizeOperations::addTo,
        ViewOperations::reshapes,
        ViewOperations::orders,
        SliceOperations::addTo,
        JoiningOperations::addTo,
        RearrangingOperations::addTo,
        ShapingOperations::addTo,
        ComplexViews::addTo,
        ArrangingOperations::addTo);
  }

  private static void reshapes(Catalog.Builder catalog) {
    Views.add(
        catalog,
        "aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)",
        operands -> viewed(operands, operands.integers(1)));
    Views.add(
        catalog,
        "aten::view_as(Tensor(a) self, Tensor other) -> Tensor(a)",
        operands -> viewed(operands, operands.shape(1).toArray()));
    reshape(
        catalog,
        "aten::reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)",
        operands -> operands.integers(1));
    reshape(
        catalog,
        "aten::reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)",
        operands -> operands.shape(1).toArray());
    reshape(
        catalog,
        "aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)",
        ViewOperations::flattened);
    Views.add(
        catalog,
        "aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)",
        ViewOperations::squeeze);
    Views.add(catalog, "aten::squeeze(Tensor(a) self) -> Tensor(a)", ViewOperations::squeezeAll);
    Views.add(
        catalog,
        "aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a)",
        ViewOperations::unsqueeze);
  }

  /**
   * @param sizes returns the sizes of the result, one of which may be -1; or a fault
   */
  private static void reshape(
      Catalog.Builder catalog, String schema, Function<Operands, Object> sizes) {
    catalog
        .withInference(operands -> {
          Object layout = reshaped(operands, sizes.apply(operands));
          return switch (layout) {
            case Layout view -> new TensorForm(operands.dtype(0), view);
            case Shape copied -> TensorForm.contiguous(operands.dtype(0), copied);
            default -> layout;
          };
        })
        .one(schema, call -> reshape(call, reshaped(call, sizes.apply(call))));
  }

  private static void orders(Catalog.Builder catalog) {
    Views.add(catalog, "aten::t(Tensor(a) self) -> Tensor(a)", ViewOperations::transposeMatrix);
    Views.add(
        catalog,
        "aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)",
        operands -> transpose(operands, operands.integer(1), operands.integer(2)));
    Views.add(
        catalog,
        "aten::swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)",
        operands -> transpose(operands, operands.integer(1), operands.integer(2)));
    Views.add(
        catalog,
        "aten::permute(Tensor(a) self, int[] dims) -> Tensor(a)",
        operands -> permute(operands, operands.integers(1)));
    for (String name : new String[] {"numpy_T", "numpy_T.a"}) {
      Views.add(
          catalog,
          "aten::" + name + "(Tensor(a) self) -> Tensor(a)",
          operands -> ordered(operands.layout(0), reversed(operands.rank(0))));
    }
    Views.add(
        catalog,
        "aten::expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)",
        operands -> expand(operands, operands.integers(1)));
    Views.add(
        catalog,
        "aten::expand_as(Tensor(a) self, Tensor other) -> Tensor(a)",
        operands -> expand(operands, operands.shape(1).toArray()));
  }

  private static int[] reversed(int rank) {
    int[] order = new int[rank];
    for (int i = 0; i < rank; i++) {
      order[i] = rank - 1 - i;
    }
    return order;
  }

  /** The sizes with -1 filled in; or a fault. */
  private static Object inferred(Shape shape, long[] asked) {
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
        unknown < 0 ? known == shape.elements() : known > 0 && shape.elements() % known == 0;
    if (!fits) {
      String text = "a tensor of shape %s has %s, so it cannot take the shape %s";
      return Fault.shape(
              Message.of(
                  text, shape, Message.count(shape.elements(), "element"), Arrays.toString(asked)))
          .withExpected(Message.count(shape.elements(), "element"), Arrays.toString(asked));
    }
    if (unknown >= 0) {
      sizes[unknown] = shape.elements() / known;
    }
    return sizes;
  }

  /** The layout of a view; the shape of a copy if no view can have these sizes; or a fault. */
  private static Object reshaped(Operands operands, Object asked) {
    if (!(asked instanceof long[] wanted)) {
      return asked;
    }
    Layout layout = operands.layout(0);
    Object inferred = inferred(layout.shape(), wanted);
    if (!(inferred instanceof long[] sizes)) {
      return inferred;
    }
    long[] strides = Restriding.strides(layout, sizes);
    return strides == null ? Shape.of(sizes) : Views.laid(layout, sizes, strides);
  }

  /** The layout of a view with other sizes; or a fault. */
  static Object viewed(Operands operands, long[] asked) {
    Object layout = reshaped(operands, asked);
    return layout instanceof Shape shape
        ? Fault.shape(
            Message.of(
                "the elements of a tensor of shape %s do not lie so that a view could have the shape"
                    + " %s; use `reshape`, which copies",
                operands.shape(0), shape))
        : layout;
  }

  private static Object reshape(Call call, Object layout) {
    DenseTensor self = call.tensor(0);
    if (!(layout instanceof Shape shape)) {
      return layout instanceof Layout view ? Views.of(call, self, view) : layout;
    }
    Object copy = Copying.toContiguous(call, self, self.dtype());
    if (!(copy instanceof DenseTensor tensor)) {
      return copy;
    }
    Object view = tensor.view(call.scope(), Layout.contiguous(shape));
    tensor.close();
    return view;
  }

  private static Object flattened(Operands operands) {
    Shape shape = operands.shape(0);
    Object first = Dimensions.wrap(operands.integer(1), shape.rank());
    Object last = Dimensions.wrap(operands.integer(2), shape.rank());
    if (!(first instanceof Integer start) || !(last instanceof Integer end)) {
      return first instanceof Fault ? first : last;
    }
    if (start > end) {
      return Fault.value(Message.of("`start_dim` %d comes after `end_dim` %d", start, end));
    }
    if (shape.rank() == 0) {
      return new long[] {1};
    }
    long[] sizes = new long[shape.rank() - (end - start)];
    Arrays.fill(sizes, 1);
    for (int i = 0; i < shape.rank(); i++) {
      int to = i < start ? i : i > end ? i - (end - start) : start;
      sizes[to] *= shape.size(i);
    }
    return sizes;
  }

  private static Object squeeze(Operands operands) {
    Layout layout = operands.layout(0);
    int rank = layout.shape().rank();
    Object dim = Dimensions.wrap(operands.integer(1), rank);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    if (rank == 0 || layout.shape().size(at) != 1) {
      return layout;
    }
    return Views.laid(
        layout, Views.without(layout.shape().toArray(), at), Views.without(layout.strides(), at));
  }

  private static Object squeezeAll(Operands operands) {
    Layout layout = operands.layout(0);
    int[] kept = new int[layout.shape().rank()];
    int count = 0;
    for (int i = 0; i < kept.length; i++) {
      if (layout.shape().size(i) != 1) {
        kept[count++] = i;
      }
    }
    return ordered(layout, Arrays.copyOf(kept, count));
  }

  private static Object unsqueeze(Operands operands) {
    Layout layout = operands.layout(0);
    int rank = layout.shape().rank();
    Object dim = Dimensions.wrap(operands.integer(1), rank + 1);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long stride = at < rank ? layout.stride(at) * layout.shape().size(at) : 1;
    return Views.laid(
        layout,
        Views.with(layout.shape().toArray(), at, 1),
        Views.with(layout.strides(), at, stride));
  }

  private static Object transposeMatrix(Operands operands) {
    int rank = operands.rank(0);
    if (rank > 2) {
      return Fault.shape(
          "t takes at most 2 dimensions, but the shape is "
              + operands.shape(0)
              + "; use `transpose`");
    }
    return rank < 2 ? operands.layout(0) : transpose(operands, 0, 1);
  }

  static Object transpose(Operands operands, long a, long b) {
    Layout layout = operands.layout(0);
    Object first = Dimensions.wrap(a, layout.shape().rank());
    Object second = Dimensions.wrap(b, layout.shape().rank());
    if (!(first instanceof Integer left) || !(second instanceof Integer right)) {
      return first instanceof Fault ? first : second;
    }
    int[] order = new int[layout.shape().rank()];
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
    }
    if (order.length > 0) {
      order[left] = right;
      order[right] = left;
    }
    return ordered(layout, order);
  }

  /** The given dimensions of a layout, in their order. */
  private static Object ordered(Layout layout, int[] dims) {
    long[] sizes = new long[dims.length];
    long[] strides = new long[dims.length];
    for (int i = 0; i < dims.length; i++) {
      sizes[i] = layout.shape().size(dims[i]);
      strides[i] = layout.stride(dims[i]);
    }
    return Views.laid(layout, sizes, strides);
  }

  static Object permute(Operands operands, long[] dims) {
    int rank = operands.rank(0);
    if (dims.length != rank) {
      String text = "`dims` %s must name each dimension of the tensor %s";
      return Fault.shape(Message.of(text, Arrays.toString(dims), operands.shape(0)));
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
    return ordered(operands.layout(0), order);
  }

  static Object expand(Operands operands, long[] sizes) {
    Layout layout = operands.layout(0);
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
    return lead < 0 ? doesNotExpand(layout.shape(), sizes) : Views.laid(layout, sizes, strides);
  }

  private static Fault doesNotExpand(Shape shape, long[] sizes) {
    return Fault.shape(
        "a tensor of shape " + shape + " does not expand to " + Arrays.toString(sizes));
  }
}
