package dev.staunch.kernel.view;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.DenseStrides;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.operand.Views;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Joins tensors along an existing or a new dimension. */
final class JoiningOperations {
  private JoiningOperations() {}

  static void addTo(Catalog.Builder catalog) {
    Catalog.Builder stored = catalog.out("out");
    joining(stored, "cat");
    joining(catalog, "concat");
    stored
        .withInference(operands -> stacked(operands.list(0), operands.integer(1)))
        .one("aten::stack(Tensor[] tensors, int dim=0) -> Tensor", JoiningOperations::stack);
  }

  private static void joining(Catalog.Builder catalog, String name) {
    catalog
        .withInference(operands -> form(operands.list(0), operands.integer(1)))
        .one("aten::" + name + "(Tensor[] tensors, int dim=0) -> Tensor", JoiningOperations::cat);
  }

  private static Object cat(Call call) {
    List<Object> given = call.list(0);
    long dim = call.integer(1);
    return PlainJoin.fits(given, dim)
        ? PlainJoin.run(call, given, dim)
        : cat(call, tensors(call), dim);
  }

  private static List<DenseTensor> tensors(Call call) {
    return call.list(0).stream().map(DenseTensor.class::cast).toList();
  }

  /** The form of the concatenation of {@code tensors}, which may be forms; or a fault. */
  private static Object form(List<Object> tensors, long asked) {
    List<TensorForm> given = tensors.stream().map(Steps::form).toList();
    if (given.isEmpty()) {
      return Fault.value("cat takes at least one tensor");
    }
    DType dtype = dtype(given);
    List<TensorForm> parts = given.stream().filter(form -> !isNothing(form)).toList();
    if (parts.isEmpty()) {
      TensorForm first = given.getFirst();
      return new TensorForm(dtype, DenseStrides.like(first.layout()));
    }
    for (TensorForm part : parts) {
      if (part.rank() == 0) {
        return Fault.shape("a tensor without dimensions is not joined by cat; `stack` joins such");
      }
    }
    Object dim = Dimensions.wrap(asked, parts.getFirst().rank());
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long[] sizes = parts.getFirst().shape().toArray();
    for (int i = 1; i < parts.size(); i++) {
      Fault fault = mismatch(parts.getFirst().shape(), parts.get(i).shape(), i, at);
      if (fault != null) {
        return fault;
      }
      long sum = sizes[at] + parts.get(i).shape().size(at);
      sizes[at] = sum < 0 ? Long.MAX_VALUE : sum; // more than any memory holds
    }
    Shape shape = Shape.of(sizes);
    return given.stream().allMatch(part -> part.layout().suggestsChannelsLast())
        ? new TensorForm(dtype, Layout.channelsLast(shape))
        : TensorForm.contiguous(dtype, shape);
  }

  /** Whether this tensor adds nothing to the join, whatever the rank of the others. */
  private static boolean isNothing(TensorForm tensor) {
    return tensor.rank() == 1 && tensor.shape().size(0) == 0;
  }

  /** The dtype that holds all elements; tensors without elements count as well. */
  private static DType dtype(List<TensorForm> tensors) {
    DType dtype = tensors.getFirst().dtype();
    for (TensorForm tensor : tensors) {
      dtype = DType.promote(dtype, tensor.dtype());
    }
    return dtype;
  }

  private static @Nullable Fault mismatch(Shape first, Shape other, int number, int dim) {
    if (first.rank() != other.rank()) {
      return Fault.shape(
          Message.of(
              "cat takes tensors of one rank, but tensor %d is %s after %s", number, other, first));
    }
    for (int i = 0; i < first.rank(); i++) {
      if (i != dim && first.size(i) != other.size(i)) {
        String text =
            "cat joins along dimension %d, but tensor %d is %s after %s, which differs in dimension"
                + " %d";
        return Fault.shape(Message.of(text, dim, number, other, first, i))
            .withExpected(first.toString(), other.toString());
      }
    }
    return null;
  }

  private static Object cat(Call call, List<DenseTensor> tensors, long dim) {
    return joined(call, form(List.copyOf(tensors), dim), tensors, dim);
  }

  private static Object joined(Call call, Object form, List<DenseTensor> tensors, long dim) {
    Object made = form instanceof TensorForm known ? DenseStrides.allocate(call, known) : form;
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    CancellationPoll poll = new CancellationPoll(call);
    Fault stop = null;
    long offset = 0;
    for (int i = 0; i < tensors.size() && stop == null && target.elements() > 0; i++) {
      DenseTensor tensor = tensors.get(i);
      if (tensor.elements() > 0) {
        int at = (int) (dim < 0 ? dim + target.rank() : dim);
        Layout part = new Layout(tensor.shape(), target.layout().strides(), offset);
        stop = Copying.copy(poll, tensor, tensor.layout(), target, part);
        offset += tensor.shape().size(at) * target.layout().stride(at);
      }
    }
    return CancellationPoll.finished(target, stop);
  }

  /** The form of the stack of {@code tensors}, which may be forms; or a fault. */
  private static Object stacked(List<Object> tensors, long asked) {
    if (tensors.isEmpty()) {
      return Fault.value("stack takes at least one tensor");
    }
    Shape shape = Steps.form(tensors.getFirst()).shape();
    Object dim = Dimensions.wrap(asked, shape.rank() + 1);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    List<Object> parts = new ArrayList<>();
    for (int i = 0; i < tensors.size(); i++) {
      TensorForm tensor = Steps.form(tensors.get(i));
      if (!tensor.shape().equals(shape)) {
        String text =
            "stack takes tensors of one shape, but tensor %d is %s after %s; `cat` joins others";
        return Fault.shape(Message.of(text, i, tensor.shape(), shape));
      }
      Shape wide = Shape.of(Views.with(tensor.shape().toArray(), at, 1));
      parts.add(TensorForm.contiguous(tensor.dtype(), wide));
    }
    Object form = form(parts, at);
    return form instanceof TensorForm known && at < shape.rank() && allSuggestChannelsLast(tensors)
        ? new TensorForm(known.dtype(), split(shape, at, tensors.size()))
        : form;
  }

  private static boolean allSuggestChannelsLast(List<Object> tensors) {
    return tensors.stream().allMatch(each -> Steps.form(each).layout().suggestsChannelsLast());
  }

  /**
   * The layout of channels-last images joined along {@code dim}, with that dimension then split in
   * two.
   */
  private static Layout split(Shape shape, int dim, long count) {
    long[] sizes = shape.toArray();
    sizes[dim] *= count;
    long[] joined = Layout.channelsLast(Shape.of(sizes)).strides();
    long[] strides = Views.with(joined, dim, shape.size(dim) * joined[dim]);
    return new Layout(Shape.of(Views.with(shape.toArray(), dim, count)), strides, 0);
  }

  private static Object stack(Call call) {
    return PlainJoin.fitsStacked(call.list(0), call.integer(1))
        ? PlainJoin.runStacked(call, call.list(0), call.integer(1))
        : stackViews(call);
  }

  private static Object stackViews(Call call) {
    List<DenseTensor> tensors = tensors(call);
    Object form = stacked(call.list(0), call.integer(1));
    if (!(form instanceof TensorForm known)) {
      return form;
    }
    int at = (Integer) Dimensions.wrap(call.integer(1), known.rank());
    List<DenseTensor> views = new ArrayList<>();
    for (DenseTensor tensor : tensors) {
      if (!(unsqueezed(call, tensor, at) instanceof DenseTensor view)) {
        break;
      }
      views.add(view);
    }
    Object result =
        views.size() == tensors.size()
            ? joined(call, known, views, at)
            : tensors.get(views.size()).closedFault();
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
