package dev.staunch.kernel.composed;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.operand.Views;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;

/** Views with any strides, and copies in which a view has been written. */
final class StridedViews {
  private static final String BEYOND = "these sizes and strides reach beyond any storage";

  private StridedViews() {}

  static void addTo(Catalog.Builder catalog) {
    Composite.add(
        catalog.out("out").withDTypes(DType.of(DType.Kind.values())),
        "aten::narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor",
        (steps, call) ->
            steps.run(
                "clone",
                steps.run("narrow", call.value(0), call.value(1), call.value(2), call.value(3)),
                0L));
    Composite.add(
        catalog.with(Trait.NON_DIFFERENTIABLE),
        "aten::new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, ScalarType?"
            + " dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) ->"
            + " Tensor",
        StridedViews::unset);
    catalog
        .with(Trait.VIEWS, Trait.FAILS_ON_VALUES) // on the storage size, unknown to forms
        .withInference(operands ->
            switch (layout(operands)) {
              case Layout known -> new TensorForm(operands.dtype(0), known);
              case Object fault -> fault;
            })
        .one(
            "aten::as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt?"
                + " storage_offset=None) -> Tensor(a)",
            StridedViews::strided);
    add(
        catalog.withDTypes(DType.of(DType.Kind.values())),
        "select_scatter(Tensor self, Tensor src, int dim, SymInt index)",
        "select.int",
        2);
    add(
        catalog,
        "slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None,"
            + " SymInt step=1)",
        "slice.Tensor",
        4);
    add(
        catalog.withDTypes(DType.of(DType.Kind.values())),
        "diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1)",
        "diagonal",
        3);
    add(
        catalog,
        "as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt?"
            + " storage_offset=None)",
        "as_strided",
        3);
    restriding(catalog);
    resizing(catalog);
    Composite.add(
        catalog,
        "aten::fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> Tensor(a!)",
        StridedViews::diagonal);
  }

  /**
   * The operations that change a tensor's view in place; lowering replaces the tensor by the
   * result.
   */
  private static void restriding(Catalog.Builder catalog) {
    String head = "(Tensor(a!) self";
    String end = ") -> Tensor(a!)";
    String[][] forms = {
      {"transpose_", ", int dim0, int dim1", "transpose.int"},
      {"swapaxes_", ", int axis0, int axis1", "transpose.int"},
      {"swapdims_", ", int dim0, int dim1", "transpose.int"},
      {"t_", "", "t"},
      {"squeeze_", "", "squeeze"},
      {"squeeze_.dim", ", int dim", "squeeze.dim"},
      {"unsqueeze_", ", int dim", "unsqueeze"},
    };
    for (String[] form : forms) {
      String view = form[2];
      Composite.add(
          catalog.with(Trait.RESTRIDES),
          "aten::" + form[0] + head + form[1] + end,
          (steps, call) -> steps.run(view, call.arguments()));
    }
    Composite.add(
        catalog.with(Trait.RESTRIDES, Trait.FAILS_ON_VALUES),
        "aten::as_strided_(Tensor(a!) self, SymInt[] size, SymInt[] stride, SymInt?"
            + " storage_offset=None) -> Tensor(a!)",
        (steps, call) -> steps.run("as_strided", call.arguments()));
  }

  private static void resizing(Catalog.Builder catalog) {
    Catalog.Builder known = catalog.with(Trait.RESTRIDES, Trait.FAILS_ON_VALUES);
    known
        .withInference(operands ->
            switch (resized(operands)) {
              case Layout layout -> new TensorForm(operands.dtype(0), layout);
              case Object fault -> fault;
            })
        .one(
            "aten::resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) ->"
                + " Tensor(a!)",
            StridedViews::resize);
    Composite.add(
        known,
        "aten::resize_as_(Tensor(a!) self, Tensor the_template, *, MemoryFormat?"
            + " memory_format=None) -> Tensor(a!)",
        (steps, call) ->
            steps.run(
                "resize_",
                call.value(0),
                Steps.ints(call.form(1).shape().toArray()),
                call.value(2)));
  }

  /** The first elements of the tensor's memory, in a new shape; a new tensor if it has none. */
  private static Object resize(Call call) {
    DenseTensor self = call.tensor(0);
    if (!(resized(call) instanceof Layout layout)) {
      return resized(call);
    }
    long places = self.storage().byteSize() / self.dtype().bytes();
    if (layout.extent() <= places) {
      return Views.of(call, self, layout);
    }
    if (places == 0) {
      return DenseTensor.allocate(call.scope(), self.dtype(), layout.shape());
    }
    String text = "resize_ to %s needs %s, but the tensor's memory holds %d; make a new tensor";
    String needed = Message.count(layout.extent(), "element");
    return Fault.unsupported(Message.of(text, layout.shape(), needed, places));
  }

  private static Object resized(Operands operands) {
    long[] sizes = operands.integers(1);
    Fault misfit = Shape.misfit(sizes);
    if (misfit != null) {
      return misfit;
    }
    if (!operands.isNone(2) && operands.integer(2) != 0) {
      return Fault.unsupported(
          "resize_ gives the elements in the order of the shape; take `contiguous` for another");
    }
    Layout layout = operands.layout(0);
    Shape shape = Shape.of(sizes);
    boolean same = layout.shape().equals(shape) && operands.isNone(2);
    return same ? layout : countable(Views.laid(layout, sizes, shape.contiguousStrides()));
  }

  private static Object strided(Call call) {
    DenseTensor self = call.tensor(0);
    Object layout = layout(call);
    if (!(layout instanceof Layout known)) {
      return layout;
    }
    long places = self.storage().byteSize() / self.dtype().bytes();
    if (known.extent() > places) {
      String text = "strides %s over sizes %s reach element %d of a storage of %d";
      return Fault.value(
          Message.of(
              text, Arrays.toString(known.strides()), known.shape(), known.extent() - 1, places));
    }
    return Views.of(call, self, known);
  }

  private static Object layout(Operands operands) {
    long[] sizes = operands.integers(1);
    long[] strides = operands.integers(2);
    if (sizes.length != strides.length || Arrays.stream(strides).anyMatch(step -> step < 0)) {
      String text = "as_strided takes a stride, none negative, for each size, but got %s for %s";
      return Fault.value(Message.of(text, Arrays.toString(strides), Arrays.toString(sizes)));
    }
    Fault misfit = Shape.misfit(sizes);
    long offset = operands.isNone(3) ? operands.layout(0).offset() : operands.integer(3);
    if (misfit != null || offset < 0) {
      return misfit == null ? Fault.value("`storage_offset` must not be negative") : misfit;
    }
    try {
      return countable(new Layout(Shape.of(sizes), strides, offset));
    } catch (IllegalArgumentException e) {
      return Fault.value(BEYOND);
    }
  }

  /** {@code layout}; or a fault if a long cannot count the elements that it reaches. */
  private static Object countable(Layout layout) {
    try {
      return layout.extent() >= 0 ? layout : Fault.value(BEYOND);
    } catch (ArithmeticException e) {
      return Fault.value(BEYOND);
    }
  }

  /**
   * Adds an operation that copies self and writes into the view that {@code view} returns for the
   * other arguments.
   */
  private static void add(Catalog.Builder catalog, String head, String view, int more) {
    Composite.add(
        catalog.with(Trait.FAILS_ON_VALUES),
        "aten::" + head + " -> Tensor",
        (steps, call) -> {
          Object copy = steps.run("clone", call.value(0));
          Object[] arguments = new Object[more + 1];
          arguments[0] = copy;
          for (int i = 1; i <= more; i++) {
            arguments[i] = call.value(i + 1);
          }
          Object place = steps.run(view, arguments);
          if (Steps.isTensor(place) && !Steps.form(place).shape().equals(call.form(1).shape())) {
            String text = "`src` %s has not the shape %s of what it is put into";
            return Fault.shape(Message.of(text, call.form(1).shape(), Steps.form(place).shape()))
                .withExpected(
                    Steps.form(place).shape().toString(), call.form(1).shape().toString());
          }
          Object written = steps.run("copy_", place, call.value(1));
          return Steps.isTensor(written) ? copy : written;
        });
  }

  private static Object diagonal(Steps steps, Operands call) {
    TensorForm self = call.form(0);
    int rank = self.rank();
    long least = rank == 0 ? 0 : Arrays.stream(self.shape().toArray()).min().orElse(0);
    boolean cube = Arrays.stream(self.shape().toArray()).allMatch(size -> size == least);
    if (rank < 2 || (rank > 2 && !cube)) {
      String text = "fill_diagonal_ takes a matrix, or equal sizes, but the shape is %s";
      return Fault.shape(Message.of(text, self.shape()));
    }
    if (self.shape().elements() == 0) {
      return call.value(0);
    }
    long step = Arrays.stream(self.layout().strides()).sum();
    long offset = self.layout().offset();
    Object filled = filled(steps, call, least, step, offset);
    long rows = self.shape().size(0);
    long columns = self.shape().size(1);
    if (rank == 2 && call.bool(2) && rows > columns + 1) {
      long next = self.layout().stride(0) * (columns + 1);
      for (long row = columns + 1; row < rows && Steps.isTensor(filled); row += columns + 1) {
        offset += next;
        filled = filled(steps, call, Math.min(rows - row, columns), step, offset);
      }
    }
    return Steps.isTensor(filled) ? call.value(0) : filled;
  }

  private static Object filled(Steps steps, Operands call, long count, long step, long offset) {
    Object line =
        steps.run("as_strided", call.value(0), Steps.ints(count), Steps.ints(step), offset);
    return steps.run("fill_.Scalar", line, call.value(1));
  }

  /** A new tensor with any strides, whose elements are not set. */
  private static Object unset(Steps steps, Operands call) {
    long[] sizes = call.integers(1);
    long[] strides = call.integers(2);
    if (sizes.length != strides.length) {
      String text = "there are %d sizes, but %d strides";
      return Fault.value(Message.of(text, sizes.length, strides.length));
    }
    long last = 0;
    boolean none = false;
    for (int d = 0; d < sizes.length; d++) {
      if (sizes[d] < 0 || strides[d] < 0) {
        return Fault.value("sizes and strides must not be negative");
      }
      none |= sizes[d] == 0;
      try {
        last = Math.addExact(last, Math.multiplyExact(Math.max(0, sizes[d] - 1), strides[d]));
      } catch (ArithmeticException e) {
        return Fault.value("these sizes and strides reach beyond what memory can hold");
      }
    }
    Object elements =
        steps.run(
            "new_empty",
            call.value(0),
            Steps.ints(none ? 0 : last + 1),
            call.value(3),
            call.value(4),
            call.value(5),
            call.value(6));
    return steps.run("as_strided", elements, Steps.ints(sizes), Steps.ints(strides));
  }
}
