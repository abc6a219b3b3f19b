package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Other looks at the same elements, and copies that join or cast them. */
final class ViewOperations {
  private ViewOperations() {}

  static void addTo(Catalog.Builder catalog) {
    sizes(catalog);
    shapes(catalog);
    selections(catalog);
    copies(catalog);
    JoiningOperations.addTo(catalog);
  }

  private static void sizes(Catalog.Builder catalog) {
    catalog.one(
        "aten::size(Tensor self) -> int[]", call -> integers(call.tensor(0).shape().toArray()));
    catalog.one(
        "aten::size.int(Tensor self, int dim) -> int",
        call -> {
          DenseTensor self = call.tensor(0);
          if (self.rank() == 0) {
            return Fault.index(
                "dimension specified as " + call.integer(1) + " but tensor has no dimensions");
          }
          Object dim = Dimensions.wrap(call.integer(1), self.rank());
          return dim instanceof Integer at ? (Object) self.shape().size(at) : dim;
        });
    catalog.one("aten::dim(Tensor self) -> int", call -> (long) call.tensor(0).rank());
    catalog.one("aten::numel(Tensor self) -> int", call -> call.tensor(0).elements());
    catalog.one(
        "aten::stride(Tensor self) -> int[]", call -> integers(call.tensor(0).layout().strides()));
    catalog.one(
        "aten::storage_offset(Tensor self) -> int", call -> call.tensor(0).layout().offset());
    catalog.one("aten::is_contiguous(Tensor self) -> bool", call -> call.tensor(0).isContiguous());
    catalog.one(
        "aten::is_floating_point(Tensor self) -> bool",
        call -> call.tensor(0).dtype().isFloating());
  }

  private static List<Object> integers(long[] values) {
    List<Object> list = new ArrayList<>();
    for (long value : values) {
      list.add(value);
    }
    return list;
  }

  private static void shapes(Catalog.Builder catalog) {
    catalog.one(
        "aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)",
        call -> reshaped(call, call.integers(1), false));
    catalog.one(
        "aten::reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)",
        call -> reshaped(call, call.integers(1), true));
    catalog.one(
        "aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)",
        ViewOperations::flatten);
    catalog.one("aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)", ViewOperations::squeeze);
    catalog.one("aten::squeeze(Tensor(a) self) -> Tensor(a)", ViewOperations::squeezeAll);
    catalog.one("aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a)", ViewOperations::unsqueeze);
    catalog.one("aten::t(Tensor(a) self) -> Tensor(a)", ViewOperations::transposeMatrix);
    catalog.one(
        "aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)",
        call -> transpose(call, call.integer(1), call.integer(2)));
    catalog.one("aten::permute(Tensor(a) self, int[] dims) -> Tensor(a)", ViewOperations::permute);
    catalog.one(
        "aten::expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)",
        ViewOperations::expand);
  }

  private static Object viewed(Call call, long[] sizes, long[] strides, long offset) {
    return call.tensor(0).view(call.scope(), new Layout(Shape.of(sizes), strides, offset));
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
                ? "only one dimension can be inferred"
                : "invalid shape dimension " + sizes[i];
        return Fault.value(text);
      } else {
        known = Math.multiplyHigh(known, sizes[i]) == 0 ? known * sizes[i] : Long.MAX_VALUE;
      }
    }
    boolean fits =
        unknown < 0 ? known == self.elements() : known > 0 && self.elements() % known == 0;
    if (!fits) {
      String text = "shape '%s' is invalid for input of size %d";
      return Fault.shape(text.formatted(Arrays.toString(asked), self.elements()))
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
      return viewed(call, sizes, strides, self.layout().offset());
    }
    if (!mayCopy) {
      return Fault.shape(
          "view size is not compatible with input tensor's size and stride (at least one dimension"
              + " spans across two contiguous subspaces). Use .reshape(...) instead.");
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
      return Fault.value("flatten() has invalid args: start_dim cannot come after end_dim");
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
    return viewed(
        call, without(self.shape().toArray(), at), without(layout.strides(), at), layout.offset());
  }

  private static Object squeezeAll(Call call) {
    Layout layout = call.tensor(0).layout();
    int[] kept =
        java.util.stream.IntStream.range(0, layout.shape().rank())
            .filter(i -> layout.shape().size(i) != 1)
            .toArray();
    long[] sizes = Arrays.stream(kept).mapToLong(layout.shape()::size).toArray();
    long[] strides = Arrays.stream(kept).mapToLong(layout::stride).toArray();
    return viewed(call, sizes, strides, layout.offset());
  }

  private static long[] without(long[] values, int at) {
    long[] rest = new long[values.length - 1];
    System.arraycopy(values, 0, rest, 0, at);
    System.arraycopy(values, at + 1, rest, at, rest.length - at);
    return rest;
  }

  private static long[] with(long[] values, int at, long value) {
    long[] more = new long[values.length + 1];
    System.arraycopy(values, 0, more, 0, at);
    more[at] = value;
    System.arraycopy(values, at, more, at + 1, values.length - at);
    return more;
  }

  private static Object unsqueeze(Call call) {
    Layout layout = call.tensor(0).layout();
    int rank = layout.shape().rank();
    Object dim = Dimensions.wrap(call.integer(1), rank + 1);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long stride = at < rank ? layout.stride(at) * layout.shape().size(at) : 1;
    return viewed(
        call,
        with(layout.shape().toArray(), at, 1),
        with(layout.strides(), at, stride),
        layout.offset());
  }

  private static Object transposeMatrix(Call call) {
    int rank = call.tensor(0).rank();
    if (rank > 2) {
      return Fault.shape("t() expects a tensor with <= 2 dimensions, but self is " + rank + "D");
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
    int[] order = java.util.stream.IntStream.range(0, layout.shape().rank()).toArray();
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
    return viewed(call, sizes, strides, layout.offset());
  }

  private static Object permute(Call call) {
    long[] dims = call.integers(1);
    int rank = call.tensor(0).rank();
    if (dims.length != rank) {
      String text =
          "permute(sparse_coo): number of dimensions in the tensor input does not match the"
              + " length of the desired ordering of dimensions i.e. input.dim() = %d is not equal to len(dims) = %d";
      return Fault.shape(text.replace("(sparse_coo)", "").formatted(rank, dims.length));
    }
    int[] order = new int[rank];
    boolean[] seen = new boolean[rank];
    for (int i = 0; i < rank; i++) {
      Object dim = Dimensions.wrap(dims[i], rank);
      if (!(dim instanceof Integer at)) {
        return dim;
      }
      if (seen[at]) {
        return Fault.value("repeated dim in permute");
      }
      seen[at] = true;
      order[i] = at;
    }
    return ordered(call, order);
  }

  private static Object expand(Call call) {
    Layout layout = call.tensor(0).layout();
    long[] sizes = call.integers(1);
    int lead = sizes.length - layout.shape().rank();
    long[] strides = new long[sizes.length];
    for (int i = 0; i < sizes.length; i++) {
      long size = i < lead || lead < 0 ? 1 : layout.shape().size(i - lead);
      boolean keeps = i >= lead && (sizes[i] == -1 || sizes[i] == size);
      if (lead < 0 || sizes[i] < -1 || (!keeps && (size != 1 || sizes[i] < 0))) {
        String text =
            "The expanded size of the tensor (%d) must match the existing size (%d) at"
                + " non-singleton dimension %d.  Target sizes: %s.  Tensor sizes: %s";
        return Fault.shape(
            text.formatted(sizes[i], size, i, Arrays.toString(sizes), layout.shape()));
      }
      strides[i] = keeps ? layout.stride(i - lead) : 0;
      sizes[i] = keeps ? size : sizes[i];
    }
    return lead < 0
        ? Fault.shape("the number of sizes provided must be at least the tensor's dimensions")
        : viewed(call, sizes, strides, layout.offset());
  }

  private static void selections(Catalog.Builder catalog) {
    catalog.one(
        "aten::select.int(Tensor(a) self, int dim, int index) -> Tensor(a)",
        ViewOperations::select);
    catalog.one(
        "aten::slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt"
            + " step=1) -> Tensor(a)",
        ViewOperations::slice);
  }

  private static Object select(Call call) {
    Layout layout = call.tensor(0).layout();
    if (layout.shape().rank() == 0) {
      return Fault.index("select() cannot be applied to a 0-dim tensor.");
    }
    Object dim = Dimensions.wrap(call.integer(1), layout.shape().rank());
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long size = layout.shape().size(at);
    long index = call.integer(2);
    if (index < -size || index >= size) {
      String text = "select(): index %d out of range for tensor of size %s at dimension %d";
      return Fault.index(text.formatted(index, layout.shape(), at))
          .withExpected("an index from %d to %d".formatted(-size, size - 1), Long.toString(index));
    }
    long offset = layout.offset() + (index < 0 ? index + size : index) * layout.stride(at);
    return viewed(
        call, without(layout.shape().toArray(), at), without(layout.strides(), at), offset);
  }

  private static Object slice(Call call) {
    Layout layout = call.tensor(0).layout();
    if (layout.shape().rank() == 0) {
      return Fault.index("slice() cannot be applied to a 0-dim tensor.");
    }
    Object dim = Dimensions.wrap(call.integer(1), layout.shape().rank());
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long step = call.integer(4);
    if (step <= 0) {
      return Fault.value("slice step must be positive");
    }
    long size = layout.shape().size(at);
    long start = bounded(call.integerOr(2, 0), size);
    long end = Math.max(start, bounded(call.integerOr(3, Long.MAX_VALUE), size));
    long[] sizes = layout.shape().toArray();
    long[] strides = layout.strides();
    sizes[at] = (end - start) / step + ((end - start) % step == 0 ? 0 : 1);
    long offset = layout.offset() + (sizes[at] == 0 ? 0 : start * strides[at]);
    strides[at] = Math.multiplyHigh(strides[at], step) == 0 ? strides[at] * step : strides[at];
    return viewed(call, sizes, strides, offset);
  }

  private static long bounded(long index, long size) {
    return Math.clamp(index < 0 ? index + size : index, 0, size);
  }

  private static void copies(Catalog.Builder catalog) {
    catalog.one(
        "aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=contiguous_format) ->"
            + " Tensor(a)",
        Marking.one(call ->
            call.tensor(0).isContiguous()
                ? call.tensor(0)
                : Copying.toContiguous(call, call.tensor(0), call.tensor(0).dtype())));
    catalog.one(
        "aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor",
        Marking.one(call -> Copying.toContiguous(call, call.tensor(0), call.tensor(0).dtype())));
    catalog.one(
        "aten::detach(Tensor(a) self) -> Tensor(a)",
        call -> call.tensor(0).requiringGrad(call.scope(), false));
    catalog.one(
        "aten::requires_grad_(Tensor(a!) self, bool requires_grad=True) -> Tensor(a!)",
        call ->
            call.bool(1) && !call.tensor(0).dtype().isFloating()
                ? Fault.dtype("only Tensors of floating point dtype can require gradients")
                : call.tensor(0).requiringGrad(call.scope(), call.bool(1)));
    catalog.one(
        "aten::to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False,"
            + " MemoryFormat? memory_format=None) -> Tensor(a)",
        Marking.one(ViewOperations::to));
  }

  private static Object to(Call call) {
    DType dtype = DType.ofCode(call.integer(1));
    if (dtype == null) {
      return Fault.unsupported("dtype number " + call.integer(1) + " is not supported");
    }
    boolean same = dtype == call.tensor(0).dtype() && !call.bool(3);
    return same ? call.tensor(0) : Copying.toContiguous(call, call.tensor(0), dtype);
  }
}
