package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;

/** Joins tensors, and gathers elements by index tensors. */
final class JoiningOperations {
  private JoiningOperations() {}

  static void addTo(Catalog.Builder catalog) {
    catalog.one(
        "aten::cat(Tensor[] tensors, int dim=0) -> Tensor",
        call -> Gradients.marked(call, tensors(call), cat(call, tensors(call), call.integer(1))));
    catalog.one(
        "aten::stack(Tensor[] tensors, int dim=0) -> Tensor",
        call -> Gradients.marked(call, tensors(call), stack(call)));
    catalog.one(
        "aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor",
        Marking.one(JoiningOperations::index));
  }

  private static List<DenseTensor> tensors(Call call) {
    return call.list(0).stream().map(DenseTensor.class::cast).toList();
  }

  private static Object cat(Call call, List<DenseTensor> given, long asked) {
    List<DenseTensor> tensors = new ArrayList<>(given);
    tensors.removeIf(tensor -> tensor.rank() == 1 && tensor.elements() == 0);
    if (tensors.isEmpty()) {
      return given.isEmpty()
          ? Fault.value("torch.cat(): expected a non-empty list of Tensors")
          : given.get(0).view(call.scope(), given.get(0).layout());
    }
    for (DenseTensor tensor : tensors) {
      if (tensor.rank() == 0) {
        return Fault.shape("zero-dimensional tensor cannot be concatenated");
      }
    }
    Object dim = Dimensions.wrap(asked, tensors.get(0).rank());
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long[] sizes = tensors.get(0).shape().toArray();
    DType dtype = tensors.get(0).dtype();
    for (int i = 1; i < tensors.size(); i++) {
      Fault fault = mismatch(tensors.get(0), tensors.get(i), i, at);
      if (fault != null) {
        return fault;
      }
      sizes[at] += tensors.get(i).shape().size(at);
      dtype = DType.promote(dtype, tensors.get(i).dtype());
    }
    return joined(call, tensors, dtype, sizes, at);
  }

  private static @org.jspecify.annotations.Nullable Fault mismatch(
      DenseTensor first, DenseTensor other, int number, int dim) {
    if (first.rank() != other.rank()) {
      return Fault.shape(
          "Tensors must have same number of dimensions: got %d and %d"
              .formatted(first.rank(), other.rank()));
    }
    for (int i = 0; i < first.rank(); i++) {
      if (i != dim && first.shape().size(i) != other.shape().size(i)) {
        String text =
            "Sizes of tensors must match except in dimension %d. Expected size %d but got size %d"
                + " for tensor number %d in the list.";
        return Fault.shape(
                text.formatted(dim, first.shape().size(i), other.shape().size(i), number))
            .withExpected(first.shape().toString(), other.shape().toString());
      }
    }
    return null;
  }

  private static Object joined(
      Call call, List<DenseTensor> tensors, DType dtype, long[] sizes, int dim) {
    Object made = call.allocate(dtype, Shape.of(sizes));
    if (made instanceof DenseTensor target) {
      long offset = 0;
      for (DenseTensor tensor : tensors) {
        Layout part = new Layout(tensor.shape(), target.layout().strides(), offset);
        Copying.copy(tensor, tensor.layout(), target, part);
        offset += tensor.shape().size(dim) * target.layout().stride(dim);
      }
    }
    return made;
  }

  private static Object stack(Call call) {
    List<DenseTensor> tensors = tensors(call);
    if (tensors.isEmpty()) {
      return Fault.value("stack expects a non-empty TensorList");
    }
    Shape shape = tensors.get(0).shape();
    Object dim = Dimensions.wrap(call.integer(1), shape.rank() + 1);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    List<DenseTensor> views = new ArrayList<>();
    Object result = null;
    for (int i = 0; i < tensors.size() && result == null; i++) {
      DenseTensor tensor = tensors.get(i);
      if (!tensor.shape().equals(shape)) {
        String text =
            "stack expects each tensor to be equal size, but got %s at entry 0 and %s at entry %d";
        result = Fault.shape(text.formatted(shape, tensor.shape(), i));
      } else if (unsqueezed(call, tensor, at) instanceof DenseTensor view) {
        views.add(view);
      }
    }
    result = result == null ? cat(call, views, at) : result;
    views.forEach(DenseTensor::close);
    return result;
  }

  private static Object unsqueezed(Call call, DenseTensor tensor, int at) {
    int rank = tensor.rank();
    long[] sizes = new long[rank + 1];
    long[] strides = new long[rank + 1];
    for (int i = 0; i <= rank; i++) {
      sizes[i] = i == at ? 1 : tensor.shape().size(i < at ? i : i - 1);
      strides[i] = i == at ? 1 : tensor.layout().stride(i < at ? i : i - 1);
    }
    return tensor.view(
        call.scope(), new Layout(Shape.of(sizes), strides, tensor.layout().offset()));
  }

  /** Index tensors of int64 on leading dimensions, None for a whole dimension. */
  private static Object index(Call call) {
    DenseTensor self = call.tensor(0);
    List<Object> indices = call.list(1);
    if (indices.size() > self.rank()) {
      String text = "too many indices for tensor of dimension %d (got %d)";
      return Fault.index(text.formatted(self.rank(), indices.size()));
    }
    Object common = Shape.SCALAR;
    int first = -1;
    int last = -1;
    int count = 0;
    for (int i = 0; i < indices.size(); i++) {
      if (indices.get(i) instanceof DenseTensor index) {
        if (index.dtype() != DType.INT64 && index.dtype() != DType.INT32) {
          return Fault.unsupported(
              "indexing with a tensor of " + index.dtype() + " is not supported yet");
        }
        common = Broadcast.shape((Shape) common, index.shape());
        if (common instanceof Fault) {
          return Fault.index("shape mismatch: indexing tensors could not be broadcast together");
        }
        first = first < 0 ? i : first;
        last = i;
        count++;
      }
    }
    boolean adjacent = count == last - first + 1;
    return gathered(call, self, indices, (Shape) common, adjacent ? Math.max(first, 0) : 0);
  }

  /** The indexed dimensions are replaced by the indices' shape, put at {@code place}. */
  private static Object gathered(
      Call call, DenseTensor self, List<Object> indices, Shape common, int place) {
    List<Long> keptSizes = new ArrayList<>();
    List<Long> keptStrides = new ArrayList<>();
    List<Cursor> cursors = new ArrayList<>();
    List<Integer> dims = new ArrayList<>();
    for (int i = 0; i < self.rank(); i++) {
      if (i < indices.size() && indices.get(i) instanceof DenseTensor index) {
        cursors.add(new Cursor(index, common));
        dims.add(i);
      } else {
        keptSizes.add(self.shape().size(i));
        keptStrides.add(self.layout().stride(i));
      }
    }
    long[] offsets = new long[Math.toIntExact(common.elements())];
    for (int i = 0; i < offsets.length; i++) {
      for (int j = 0; j < dims.size(); j++) {
        long size = self.shape().size(dims.get(j));
        long at = cursors.get(j).integer();
        if (at < -size || at >= size) {
          String text = "index %d is out of bounds for dimension %d with size %d";
          return Fault.index(text.formatted(at, dims.get(j), size))
              .withExpected("from %d to %d".formatted(-size, size - 1), Long.toString(at));
        }
        offsets[i] += (at < 0 ? at + size : at) * self.layout().stride(dims.get(j));
        cursors.get(j).advance();
      }
    }
    return copied(call, self, common, place, keptSizes, keptStrides, offsets);
  }

  private static Object copied(
      Call call,
      DenseTensor self,
      Shape common,
      int place,
      List<Long> keptSizes,
      List<Long> keptStrides,
      long[] offsets) {
    List<Long> sizes = new ArrayList<>(keptSizes);
    for (int i = common.rank() - 1; i >= 0; i--) {
      sizes.add(place, common.size(i));
    }
    Object made = call.allocate(self.dtype(), Shape.of(array(sizes)));
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    long[] outer = positions(keptSizes.subList(0, place), keptStrides.subList(0, place));
    int kept = keptSizes.size();
    long[] inner = positions(keptSizes.subList(place, kept), keptStrides.subList(place, kept));
    int width = self.dtype().bytes();
    long at = 0;
    for (long lead : outer) {
      for (long offset : offsets) {
        for (long tail : inner) {
          long from = self.layout().offset() + lead + offset + tail;
          java.lang.foreign.MemorySegment.copy(
              self.segment(), from * width, target.segment(), at++ * width, width);
        }
      }
    }
    return target;
  }

  private static long[] positions(List<Long> sizes, List<Long> strides) {
    return Elements.positions(new Layout(Shape.of(array(sizes)), array(strides), 0));
  }

  private static long[] array(List<Long> values) {
    return values.stream().mapToLong(Long::longValue).toArray();
  }
}
