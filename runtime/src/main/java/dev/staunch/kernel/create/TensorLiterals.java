package dev.staunch.kernel.create;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.DenseStrides;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Placement;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.operand.Views;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tensors made from Python numbers and lists of numbers. */
final class TensorLiterals {
  private TensorLiterals() {}

  static void addTo(Catalog.Builder catalog) {
    String options = ", *, ScalarType? dtype=None, Device? device=None";
    String tensor = options + ", bool requires_grad=False) -> Tensor";
    Catalog.Builder ofLists = catalog.with(Trait.HAS_DTYPE_OF_LIST);
    add(ofLists, "aten::tensor(t[] data" + tensor, true);
    add(ofLists, "aten::as_tensor.list(t[] data" + options + ") -> Tensor", false);
    for (String type : new String[] {"bool", "int", "float", "complex"}) {
      String head = "." + type + "(" + type + " t";
      Catalog.Builder known =
          type.equals("complex") ? catalog.withDTypes(DType.of(DType.Kind.values())) : catalog;
      add(known, "aten::tensor" + head + tensor, true);
      add(known, "aten::as_tensor" + head + options + ") -> Tensor", false);
    }
    catalog
        .withInference(operands -> form(scalar(operands)))
        .one(
            "aten::scalar_tensor(Scalar s, " + NewTensors.TAIL,
            call -> made(call, new CancellationPoll(call), scalar(call), false));
    catalog
        .withInference(operands -> sizes(operands).form())
        .one(
            "aten::_shape_as_tensor(Tensor self) -> Tensor",
            call -> made(call, new CancellationPoll(call), sizes(call), false));
    catalog
        .withInference(TensorLiterals::castForm)
        .one(
            "aten::as_tensor(Tensor(a) data, *, ScalarType? dtype=None, Device? device=None) ->"
                + " Tensor(b|a)",
            TensorLiterals::cast);
  }

  /**
   * Adds an operation whose first argument is the data; dtype and device follow it.
   *
   * @param asks whether the fourth argument says if the tensor requires a gradient
   */
  private static void add(Catalog.Builder catalog, String schema, boolean asks) {
    catalog
        .withInference(operands -> form(literal(operands, asks && operands.bool(3), null)))
        .one(
            schema,
            call -> {
              boolean grad = asks && call.bool(3);
              CancellationPoll poll = new CancellationPoll(call);
              return made(call, poll, literal(call, grad, poll), grad);
            });
  }

  /** A tensor's form, and its elements in order. */
  private record Literal(TensorForm form, List<Object> elements) {}

  private static Literal sizes(Operands operands) {
    long[] sizes = operands.shape(0).toArray();
    List<Object> elements = new ArrayList<>();
    for (long size : sizes) {
      elements.add(size);
    }
    return new Literal(TensorForm.contiguous(DType.INT64, Shape.of(sizes.length)), elements);
  }

  private static Object form(Object literal) {
    return literal instanceof Literal known ? known.form() : literal;
  }

  private static Object castForm(Operands operands) {
    DType asked = operands.optionalDType(1);
    DType own = operands.dtype(0);
    Fault fault = Placement.device(operands, 2);
    Layout data = operands.layout(0);
    return fault != null
        ? fault
        : asked == null || asked == own
            ? new TensorForm(own, data)
            : new TensorForm(asked, DenseStrides.like(data));
  }

  private static Object cast(Call call) {
    DenseTensor data = call.tensor(0);
    Object found = castForm(call);
    return !(found instanceof TensorForm form)
        ? found
        : form.dtype() == data.dtype()
            ? Views.same(call, data)
            : Copying.preserving(call, data, form.dtype());
  }

  private static Object scalar(Operands operands) {
    DType asked = operands.optionalDType(1);
    DType dtype = asked == null ? DType.FLOAT32 : asked;
    Fault fault = Placement.fault(operands, 2);
    fault = fault == null ? CreationOperations.unfit(operands.value(0), dtype) : fault;
    return fault == null ? literal(operands, dtype, 3, false, null) : fault;
  }

  private static Object literal(Operands operands, boolean grad, @Nullable CancellationPoll poll) {
    // reals are made in float32 and then cast, as in libtorch
    Fault unfit =
        operands.value(0) instanceof Double real ? OperandChecks.fits(real, DType.FLOAT32) : null;
    Object made =
        unfit == null ? literal(operands, operands.optionalDType(1), 2, grad, poll) : unfit;
    if (made instanceof Literal known) {
      known.elements().replaceAll(TensorLiterals::single);
    }
    return made;
  }

  private static Object single(Object number) {
    return switch (number) {
      case Double real -> (double) real.floatValue();
      case ComplexNumber both -> new ComplexNumber((float) both.re(), (float) both.im());
      default -> number;
    };
  }

  /** The literal that the first argument denotes; or a fault. */
  private static Object literal(
      Operands operands,
      @Nullable DType asked,
      int deviceAt,
      boolean grad,
      @Nullable CancellationPoll poll) {
    List<Long> sizes = new ArrayList<>();
    List<Object> flat = new ArrayList<>();
    Fault fault = Placement.device(operands, deviceAt);
    fault = fault == null ? flatten(poll, operands.value(0), 0, sizes, flat) : fault;
    fault = fault == null ? mixture(poll, flat) : fault;
    if (fault != null) {
      return fault;
    }
    DType natural = flat.isEmpty() ? DType.FLOAT32 : NewTensors.ofScalar(flat.get(0));
    DType dtype = asked == null ? natural : asked;
    if (grad && !dtype.isFloating()) {
      return Fault.dtype("a tensor of " + dtype + " has no gradients");
    }
    long[] lengths = new long[sizes.size()];
    for (int i = 0; i < lengths.length; i++) {
      lengths[i] = sizes.get(i);
    }
    return new Literal(TensorForm.contiguous(dtype, Shape.of(lengths)), flat);
  }

  /** Counts one more element in the poll; returns the fault of a cancellation, or null. */
  private static @Nullable Fault stop(@Nullable CancellationPoll poll) {
    return poll == null || poll.mayContinue(1) ? null : poll.fault();
  }

  /** The fault for numbers of several types: libtorch refuses lists of a union type. */
  private static @Nullable Fault mixture(@Nullable CancellationPoll poll, List<Object> flat) {
    for (Object element : flat) {
      Fault stop = stop(poll);
      if (stop != null) {
        return stop;
      }
      if (element.getClass() != flat.get(0).getClass()) {
        String text =
            "a tensor takes numbers of one type, but got a list of %s and %s; give every element"
                + " the same type, as `float(n)` does";
        return Fault.dtype(Message.of(text, typeName(flat.get(0)), typeName(element)))
            .withExpected(typeName(flat.get(0)), typeName(element));
      }
    }
    return null;
  }

  private static String typeName(Object number) {
    return switch (number) {
      case Double real -> "float";
      case Boolean flag -> "bool";
      case Long integer -> "int";
      default -> "complex";
    };
  }

  private static Object made(Call call, CancellationPoll poll, Object literal, boolean grad) {
    if (!(literal instanceof Literal known)) {
      return literal;
    }
    DType dtype = known.form().dtype();
    List<Object> flat = known.elements();
    Object made = call.allocate(dtype, known.form().shape());
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    for (int i = 0; i < flat.size() && poll.mayContinue(1); i++) {
      if (flat.get(i) instanceof ComplexNumber number) {
        Elements.putComplex(target.segment(), dtype, i, number.re(), number.im());
      } else if (flat.get(i) instanceof Double real) {
        Elements.putDouble(target.segment(), dtype, i, real);
      } else {
        Elements.putLong(target.segment(), dtype, i, Scalars.integer(flat.get(i)));
      }
    }
    Object written = CancellationPoll.finished(target, poll.fault());
    return grad && written == target ? flagged(call, target) : written;
  }

  private static Object flagged(Call call, DenseTensor target) {
    DenseTensor flagged = target.requiringGrad(call.scope(), true);
    target.close();
    return flagged;
  }

  /** Appends the numbers of nested lists; returns the fault if their sizes do not agree. */
  private static @Nullable Fault flatten(
      @Nullable CancellationPoll poll,
      Object data,
      int depth,
      List<Long> sizes,
      List<Object> flat) {
    Fault stop = stop(poll);
    if (stop != null) {
      return stop;
    }
    if (!(data instanceof List<?> list)) {
      if (Steps.isTensor(data)) {
        return Fault.unsupported(
            "a list of tensors such as "
                + Steps.form(data).describe()
                + " makes no tensor; join them with `stack`");
      }
      if (!Scalars.isIntegral(data) && !(data instanceof Double) && !Scalars.isComplex(data)) {
        return Fault.dtype("a tensor takes ints, floats, bools and complex numbers only");
      }
      flat.add(data);
      return null;
    }
    if (depth == sizes.size()) {
      sizes.add((long) list.size());
    } else if (sizes.get(depth) != list.size()) {
      String text =
          "a list at depth %2$d has %3$s where its first neighbour has %1$d; give all the"
              + " same length";
      return Fault.shape(
              Message.of(text, sizes.get(depth), depth, Message.count(list.size(), "element")))
          .withExpected(
              Message.count(sizes.get(depth), "element"), Message.count(list.size(), "element"));
    }
    for (Object element : list) {
      Fault fault = flatten(poll, element, depth + 1, sizes, flat);
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }
}
