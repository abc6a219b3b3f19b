package dev.staunch.kernel.view;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Broadcast;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.operand.Views;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** Views with dimensions moved, split, repeated, or covered by a sliding window, without a copy. */
final class ShapingOperations {
  private ShapingOperations() {}

  static void addTo(Catalog.Builder catalog) {
    view(
        catalog,
        "broadcast_to(Tensor(a) self, SymInt[] size)",
        operands -> ViewOperations.expand(operands, operands.integers(1)));
    catalog
        .with(Trait.VIEWS)
        .withInference(ShapingOperations::broadcastForms)
        .one("aten::broadcast_tensors(Tensor[] tensors) -> Tensor[]", ShapingOperations::broadcast);
    for (String name : new String[] {"movedim", "moveaxis"}) {
      view(
          catalog,
          name + ".int(Tensor(a) self, int source, int destination)",
          operands ->
              moved(operands, new long[] {operands.integer(1)}, new long[] {operands.integer(2)}));
      view(
          catalog,
          name + ".intlist(Tensor(a) self, int[] source, int[] destination)",
          operands -> moved(operands, operands.integers(1), operands.integers(2)));
    }
    view(
        catalog,
        "swapdims(Tensor(a) self, int dim0, int dim1)",
        operands -> ViewOperations.transpose(operands, operands.integer(1), operands.integer(2)));
    view(
        catalog,
        "unfold(Tensor(a) self, int dimension, int size, int step)",
        ShapingOperations::windows);
    view(
        catalog,
        "diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1)",
        ShapingOperations::diagonal);
    view(
        catalog,
        "linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1)",
        ShapingOperations::diagonal);
    view(
        catalog,
        "unflatten.int(Tensor(a) self, int dim, SymInt[] sizes)",
        ShapingOperations::unflatten);
    view(catalog, "squeeze.dims(Tensor(a) self, int[] dim)", ShapingOperations::squeezed);
    String sections = "Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]";
    Views.add(
        catalog,
        "aten::tensor_split.sections(" + sections,
        operands -> split(operands, operands.integer(2), operands.integer(1)));
    Views.add(
        catalog,
        "aten::tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) ->"
            + " Tensor(a)[]",
        operands -> split(operands, operands.integer(2), operands.integers(1)));
    Steps.add(
        catalog.withInference(Inference.OF_VALUES).withDTypes(DType.of(DType.Kind.values())),
        "aten::tensor_split.tensor_indices_or_sections(Tensor(a -> *) self, Tensor"
            + " tensor_indices_or_sections, int dim=0) -> Tensor(a)[]",
        ShapingOperations::splitWhereTold);
    for (String name : new String[] {"mT", "mH", "adjoint"}) {
      view(catalog, name + "(Tensor(a) self)", operands -> turned(operands, name));
    }
    view(
        catalog,
        "matrix_H(Tensor(a) self)",
        operands ->
            operands.rank(0) <= 2
                ? turned(operands, "matrix_H")
                : OperandChecks.shape(
                    "matrix_H takes one matrix, but the shape is "
                        + operands.shape(0)
                        + "; `mH` takes batches",
                    "2 dimensions",
                    operands.shape(0)));
  }

  private static void view(Catalog.Builder catalog, String head, Function<Operands, Object> find) {
    Views.add(catalog, "aten::" + head + " -> Tensor(a)", find);
  }

  private static Object turned(Operands operands, String name) {
    Shape shape = operands.shape(0);
    Fault fault = shape.rank() == 0 ? null : Steps.ranked(name, shape, 2);
    if (shape.rank() == 0) {
      return operands.layout(0);
    }
    return fault == null ? ViewOperations.transpose(operands, -2, -1) : fault;
  }

  private static Object broadcastForms(Operands operands) {
    List<Object> tensors = operands.list(0);
    Object shape = Pointwise.shape(tensors.toArray());
    return shape instanceof Shape common
        ? tensors.stream()
            .map(Steps::form)
            .map(form ->
                (Object) new TensorForm(form.dtype(), Broadcast.stretch(form.layout(), common)))
            .toList()
        : shape;
  }

  private static Object broadcast(Call call) {
    Object shape = Pointwise.shape(call.list(0).toArray());
    if (!(shape instanceof Shape common)) {
      return shape;
    }
    List<Object> views = new ArrayList<>();
    for (Object entry : call.list(0)) {
      DenseTensor tensor = (DenseTensor) entry;
      Object view = Views.of(call, tensor, Broadcast.stretch(tensor.layout(), common));
      if (view instanceof Fault) {
        views.forEach(made -> ((DenseTensor) made).close());
        return view;
      }
      views.add(view);
    }
    return views;
  }

  private static Object moved(Operands operands, long[] from, long[] to) {
    int rank = operands.rank(0);
    if (from.length != to.length) {
      String text = "`source` %s and `destination` %s must name as many dimensions";
      return Fault.value(Message.of(text, Arrays.toString(from), Arrays.toString(to)));
    }
    Object sources = wrapped("source", from, rank);
    Object targets = wrapped("destination", to, rank);
    if (!(sources instanceof int[] source) || !(targets instanceof int[] target)) {
      return sources instanceof Fault ? sources : targets;
    }
    if (rank == 0) {
      return operands.layout(0);
    }
    long[] order = new long[rank];
    Arrays.fill(order, -1);
    for (int i = 0; i < source.length; i++) {
      order[target[i]] = source[i];
    }
    int next = 0;
    for (int d = 0; d < rank; d++) {
      int dim = d;
      if (Arrays.stream(source).noneMatch(taken -> taken == dim)) {
        while (order[next] >= 0) {
          next++;
        }
        order[next] = d;
      }
    }
    return ViewOperations.permute(operands, order);
  }

  private static Object wrapped(String name, long[] dims, int rank) {
    int[] wrapped = new int[dims.length];
    for (int i = 0; i < dims.length; i++) {
      Object dim = Dimensions.wrap(dims[i], rank);
      if (!(dim instanceof Integer at)) {
        return dim;
      }
      wrapped[i] = at;
    }
    return Arrays.stream(wrapped).distinct().count() == wrapped.length
        ? wrapped
        : Fault.value("`" + name + "` " + Arrays.toString(dims) + " names a dimension twice");
  }

  private static Object windows(Operands operands) {
    Layout layout = operands.layout(0);
    int rank = layout.shape().rank();
    Object dim = Dimensions.wrap(operands.integer(1), rank);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long most = rank == 0 ? 1 : layout.shape().size(at);
    long size = operands.integer(2);
    long step = operands.integer(3);
    if (size < 0 || size > most) {
      return Fault.value(
              Message.of(
                  "`size` must be from 0 to %d, the size of dimension %d, but it is %d",
                  most, at, size))
          .withExpected("a size up to " + most, Long.toString(size));
    }
    if (step <= 0) {
      return Fault.value("`step` must be positive, but it is " + step);
    }
    long by = rank == 0 ? 1 : layout.stride(at);
    long[] sizes = Views.with(layout.shape().toArray(), rank, size);
    long[] strides = Views.with(layout.strides(), rank, by);
    if (rank > 0) {
      sizes[at] = (most - size) / step + 1;
      strides[at] = step * by;
    }
    return Views.laid(layout, sizes, strides);
  }

  private static Object diagonal(Operands operands) {
    Layout layout = operands.layout(0);
    int rank = layout.shape().rank();
    Object first = Dimensions.wrap(operands.integer(2), rank);
    Object second = Dimensions.wrap(operands.integer(3), rank);
    if (!(first instanceof Integer a) || !(second instanceof Integer b)) {
      return first instanceof Fault ? first : second;
    }
    if (a.equals(b)) {
      return Fault.value(
          Message.of("a diagonal needs two different dimensions, but got %d and %d", a, b));
    }
    long offset = Math.clamp(operands.integer(1), -layout.shape().size(a), layout.shape().size(b));
    long length =
        Math.min(
            layout.shape().size(a) + Math.min(offset, 0),
            layout.shape().size(b) - Math.max(offset, 0));
    length = Math.max(0, length);
    long start = offset >= 0 ? offset * layout.stride(b) : -offset * layout.stride(a);
    start = layout.shape().elements() == 0 ? 0 : start;
    int high = Math.max(a, b);
    int low = Math.min(a, b);
    long[] sizes = Views.without(Views.without(layout.shape().toArray(), high), low);
    long[] strides = Views.without(Views.without(layout.strides(), high), low);
    return new Layout(
        Shape.of(Views.with(sizes, sizes.length, length)),
        Views.with(strides, strides.length, layout.stride(a) + layout.stride(b)),
        layout.offset() + (length == 0 ? 0 : start));
  }

  private static Object unflatten(Operands operands) {
    Shape shape = operands.shape(0);
    Object dim = Dimensions.wrap(operands.integer(1), shape.rank());
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long[] parts = operands.integers(2);
    if (parts.length == 0 || shape.rank() == 0) {
      return Fault.value(
          parts.length == 0
              ? "`sizes` of unflatten is empty; name at least one"
              : "unflatten takes at least 1 dimension, but the tensor has none");
    }
    long known = 1;
    for (long part : parts) {
      known *= part == -1 ? 1 : part;
    }
    long open = Arrays.stream(parts).filter(part -> part == -1).count();
    long size = shape.size(at);
    boolean fits = open == 1 ? known != 0 && size % known == 0 : open == 0 && known == size;
    if (known < 0 || !fits) {
      String text =
          "the product of `sizes` %s, of which one may be -1, must be the size of dimension %d, %d";
      return Fault.shape(Message.of(text, Arrays.toString(parts), at, size))
          .withExpected("sizes whose product is " + size, Arrays.toString(parts));
    }
    long[] sizes = shape.toArray();
    long[] all = new long[sizes.length - 1 + parts.length];
    System.arraycopy(sizes, 0, all, 0, at);
    for (int i = 0; i < parts.length; i++) {
      all[at + i] = parts[i] == -1 ? size / known : parts[i];
    }
    System.arraycopy(sizes, at + 1, all, at + parts.length, sizes.length - at - 1);
    return ViewOperations.viewed(operands, all);
  }

  private static Object squeezed(Operands operands) {
    Layout layout = operands.layout(0);
    int rank = layout.shape().rank();
    if (operands.integers(1).length == 0) {
      return layout;
    }
    Object masked = Dimensions.mask(operands.integers(1), rank);
    if (!(masked instanceof boolean[] mask)) {
      return masked;
    }
    long[] sizes = layout.shape().toArray();
    long[] strides = layout.strides();
    for (int d = rank - 1; d >= 0; d--) {
      if (mask[d] && sizes[d] == 1) {
        sizes = Views.without(sizes, d);
        strides = Views.without(strides, d);
      }
    }
    return Views.laid(layout, sizes, strides);
  }

  private static Object split(Operands operands, long asked, long sections) {
    Layout layout = operands.layout(0);
    Object dim = splitDim(layout.shape().rank(), asked);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    if (sections <= 0 || sections > Integer.MAX_VALUE) {
      return Fault.value("`sections` must be positive, but it is " + sections);
    }
    long size = layout.shape().size(at);
    long length = size / sections;
    long longer = size % sections;
    return new Views.Parts(
        sections,
        i ->
            Views.narrowed(
                layout, at, i * length + Math.min(i, longer), length + (i < longer ? 1 : 0)));
  }

  private static Object splitDim(int rank, long asked) {
    return rank == 0
        ? Fault.shape("tensor_split takes at least 1 dimension, but the tensor has none")
        : Dimensions.wrap(asked, rank);
  }

  /** Splits into as many sections as a number says, or at the indices of a line. */
  private static Object splitWhereTold(Steps steps, Call call) {
    TensorForm told = call.form(1);
    if (told.dtype() != DType.INT64) {
      return Fault.dtype("sections and indices are int64, but these are " + told.dtype())
          .withExpected(ExpectedDType.of(DType.INT64), told.dtype());
    }
    if (told.rank() > 1) {
      return OperandChecks.shape(
          "indices are a line, or one number of sections, but the shape is " + told.shape(),
          "at most 1 dimension",
          told.shape());
    }
    CancellationPoll poll = new CancellationPoll(call);
    Integers values = Integers.of(poll, call.tensor(1));
    if (poll.fault() != null) {
      return poll.fault();
    }
    long[] indices = new long[(int) values.size()];
    for (int i = 0; i < indices.length && poll.mayContinue(1); i++) {
      indices[i] = values.at(i);
    }
    return told.rank() == 0
        ? steps.run("tensor_split.sections", call.value(0), indices[0], call.value(2))
        : steps.run("tensor_split.indices", call.value(0), Steps.ints(indices), call.value(2));
  }

  private static Object split(Operands operands, long asked, long[] indices) {
    Layout layout = operands.layout(0);
    Object dim = splitDim(layout.shape().rank(), asked);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long size = layout.shape().size(at);
    return new Views.Parts(
        indices.length + 1L,
        i -> {
          long from = i == 0 ? 0 : SliceOperations.bounded(indices[(int) i - 1], size);
          long to = i == indices.length ? size : SliceOperations.bounded(indices[(int) i], size);
          return Views.narrowed(layout, at, from, Math.max(0, to - from));
        });
  }
}
