package dev.staunch.kernel.view;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Gradients;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Joins tensors along a dimension, an old one or a new one. */
final class JoiningOperations {
  private JoiningOperations() {}

  static void addTo(Catalog.Builder catalog) {
    catalog.one("aten::cat(Tensor[] tensors, int dim=0) -> Tensor", JoiningOperations::cat);
    catalog.one(
        "aten::stack(Tensor[] tensors, int dim=0) -> Tensor",
        call -> Gradients.marked(call, tensors(call), stack(call)));
    catalog.one("aten::concat(Tensor[] tensors, int dim=0) -> Tensor", JoiningOperations::cat);
  }

  private static Object cat(Call call) {
    boolean plain = !call.environment().gradEnabled();
    if (plain && PlainJoin.fits(call.list(0), call.integer(1))) {
      return PlainJoin.run(call, call.list(0), call.integer(1));
    }
    return Gradients.marked(call, tensors(call), cat(call, tensors(call), call.integer(1)));
  }

  private static List<DenseTensor> tensors(Call call) {
    return call.list(0).stream().map(DenseTensor.class::cast).toList();
  }

  private static Object cat(Call call, List<DenseTensor> given, long asked) {
    List<DenseTensor> tensors = new ArrayList<>(given);
    tensors.removeIf(tensor -> tensor.rank() == 1 && tensor.elements() == 0);
    if (tensors.isEmpty()) {
      return given.isEmpty()
          ? Fault.value("cat takes at least one tensor")
          : Copying.preserving(call, given.get(0), dtype(given));
    }
    for (DenseTensor tensor : tensors) {
      if (tensor.rank() == 0) {
        return Fault.shape("a tensor without dimensions is not joined by cat; `stack` joins such");
      }
    }
    Object dim = Dimensions.wrap(asked, tensors.get(0).rank());
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long[] sizes = tensors.get(0).shape().toArray();
    for (int i = 1; i < tensors.size(); i++) {
      Fault fault = mismatch(tensors.get(0), tensors.get(i), i, at);
      if (fault != null) {
        return fault;
      }
      long sum = sizes[at] + tensors.get(i).shape().size(at);
      sizes[at] = sum < 0 ? Long.MAX_VALUE : sum; // which no memory holds
    }
    return joined(call, tensors, dtype(given), sizes, at);
  }

  /** The dtype that holds all, of those too that have no elements to add. */
  private static DType dtype(List<DenseTensor> tensors) {
    return tensors.stream().map(DenseTensor::dtype).reduce(DType::promote).orElseThrow();
  }

  private static @Nullable Fault mismatch(
      DenseTensor first, DenseTensor other, int number, int dim) {
    if (first.rank() != other.rank()) {
      return Fault.shape(
          Message.of(
              "cat takes tensors of one rank, but tensor %d is %s after %s",
              number, other.shape(), first.shape()));
    }
    for (int i = 0; i < first.rank(); i++) {
      if (i != dim && first.shape().size(i) != other.shape().size(i)) {
        String text =
            "cat joins along dimension %d, but tensor %d is %s after %s, which differs in dimension"
                + " %d";
        return Fault.shape(Message.of(text, dim, number, other.shape(), first.shape(), i))
            .withExpected(first.shape().toString(), other.shape().toString());
      }
    }
    return null;
  }

  private static Object joined(
      Call call, List<DenseTensor> tensors, DType dtype, long[] sizes, int dim) {
    for (DenseTensor tensor : tensors) {
      Fault fault = Copying.uncastable(tensor.dtype(), dtype);
      if (fault != null) {
        return fault;
      }
    }
    Object made = call.allocate(dtype, Shape.of(sizes));
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    Lookout lookout = new Lookout(call);
    Fault stop = null;
    long offset = 0;
    for (int i = 0; i < tensors.size() && stop == null; i++) {
      DenseTensor tensor = tensors.get(i);
      Layout part = new Layout(tensor.shape(), target.layout().strides(), offset);
      stop = Copying.copy(lookout, tensor, tensor.layout(), target, part);
      offset += tensor.shape().size(dim) * target.layout().stride(dim);
    }
    return Lookout.finished(target, stop);
  }

  private static Object stack(Call call) {
    List<DenseTensor> tensors = tensors(call);
    if (tensors.isEmpty()) {
      return Fault.value("stack takes at least one tensor");
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
            "stack takes tensors of one shape, but tensor %d is %s after %s; `cat` joins others";
        result = Fault.shape(Message.of(text, i, tensor.shape(), shape));
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
}
