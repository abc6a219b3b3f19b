package dev.staunch.kernel.linear;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Broadcast;
import dev.staunch.kernel.loop.Filled;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Distances between vectors, and their similarities. */
final class DistanceOperations {
  /** Distances of all pairs of rows of two batches in row-major order. */
  private static final Filled DISTANCES = new Filled(DistanceOperations::form, PairDistances::fill);

  private DistanceOperations() {}

  static void addTo(Catalog.Builder catalog) {
    Catalog.Builder widened = catalog.with(Trait.AUTOCAST_WIDENS);
    Composite.add(
        widened.with(Trait.NARROW_AS_FLOAT32),
        "aten::cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor",
        DistanceOperations::cosine);
    Composite.add(
        catalog,
        "aten::pairwise_distance(Tensor x1, Tensor x2, float p=2., float"
            + " eps=9.9999999999999995e-07, bool keepdim=False) -> Tensor",
        DistanceOperations::pairwise);
    Composite.add(
        widened.with(Trait.NARROW_AS_FLOAT32),
        "aten::cdist(Tensor x1, Tensor x2, float p=2., int? compute_mode=None) -> Tensor",
        DistanceOperations::all);
    Composite.add(
        catalog,
        "aten::_cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor",
        DistanceOperations::all);
    for (String name : new String[] {"pdist", "_pdist_forward"}) {
      Composite.add(
          widened.with(Trait.NARROW_AS_FLOAT32),
          "aten::" + name + "(Tensor self, float p=2.) -> Tensor",
          DistanceOperations::pairs);
    }
    Composite.add(
        widened,
        "aten::dist(Tensor self, Tensor other, Scalar p=2) -> Tensor",
        (steps, call) ->
            steps.run("norm.Scalar", steps.difference(call.value(0), call.value(1)), call.real(2)));
  }

  private static Object cosine(Steps steps, Operands call) {
    DType common = DType.promote(call.dtype(0), call.dtype(1));
    if (!common.isFloating()) {
      return Fault.dtype(
              "cosine_similarity takes a floating dtype, but that of both tensors is " + common)
          .withExpected(ExpectedDType.FLOATING_POINT, common);
    }
    Object shape = Broadcast.shape(call.form(0).shape(), call.form(1).shape());
    if (!(shape instanceof Shape known)) {
      return shape;
    }
    Object first = unit(steps, call, steps.cast(call.value(0), common), known);
    Object second = unit(steps, call, steps.cast(call.value(1), common), known);
    return steps.run("sum.dim_IntList", steps.product(first, second), Steps.ints(call.integer(2)));
  }

  private static Object unit(Steps steps, Operands call, Object vectors, Shape shape) {
    Object wide = steps.run("expand", vectors, Steps.ints(shape.toArray()));
    Object norm = steps.run("linalg_vector_norm", wide, 2L, Steps.ints(call.integer(2)), true);
    return steps.run("div.Tensor", wide, steps.run("clamp_min", norm, call.real(3)));
  }

  private static Object pairwise(Steps steps, Operands call) {
    TensorForm first = call.form(0);
    TensorForm second = call.form(1);
    Object away =
        steps.run("add.Scalar", steps.difference(call.value(0), call.value(1)), call.real(3));
    long last = Math.max(first.rank(), second.rank()) - 1L;
    return steps.run("norm.ScalarOpt_dim", away, call.real(2), Steps.ints(last), call.bool(4));
  }

  private static Object all(Steps steps, Operands call) {
    TensorForm first = call.form(0);
    TensorForm second = call.form(1);
    Fault fault = misfit(call, first, second);
    if (fault != null) {
      return fault;
    }
    long mode = call.isNone(3) ? 0 : call.integer(3); // all modes compute the same here
    if (mode < 0 || mode > 2) {
      return Fault.value("`compute_mode` takes None, 0, 1 or 2, but got " + mode);
    }
    Object batches = Broadcast.shape(batches(first.shape()), batches(second.shape()));
    if (!(batches instanceof Shape batch)) {
      return batches;
    }
    DType dtype = DType.promote(first.dtype(), second.dtype());
    Object a = flat(steps, steps.cast(call.value(0), dtype), batch);
    Object b = flat(steps, steps.cast(call.value(1), dtype), batch);
    return steps.apply(DISTANCES, a, b, call.real(2));
  }

  /** The distances of each row from those after it. */
  private static Object pairs(Steps steps, Operands call) {
    TensorForm rows = call.form(0);
    if (rows.rank() != 2) {
      return OperandChecks.shape(
          "pdist takes a matrix, but the shape is " + rows.shape(), "2 dimensions", rows.shape());
    }
    if (!rows.dtype().isFloating()) {
      return Fault.dtype("pdist takes a floating dtype, but the tensor is " + rows.dtype())
          .withExpected(ExpectedDType.FLOATING_POINT, rows.dtype());
    }
    if (!(call.real(1) >= 0)) {
      return Fault.value("`p` must not be negative, but it is " + call.real(1));
    }
    long count = rows.shape().size(0);
    Object table = steps.run("contiguous", call.value(0));
    Object distances =
        steps.run("flatten.using_ints", steps.apply(DISTANCES, table, table, call.real(1)));
    Object places = steps.run("triu_indices", count, count, 1L);
    Object row = steps.run("select.int", places, 0L, 0L);
    Object column = steps.run("select.int", places, 0L, 1L);
    Object place = steps.run("add.Tensor", column, steps.run("mul.Scalar", row, count));
    return steps.run("index_select", distances, 0L, place);
  }

  private static Object form(Operands operands) {
    long[] sizes = operands.shape(0).toArray();
    sizes[sizes.length - 1] = operands.shape(1).size(sizes.length - 2);
    return TensorForm.contiguous(operands.dtype(0), Shape.of(sizes));
  }

  private static @Nullable Fault misfit(Operands call, TensorForm first, TensorForm second) {
    for (int i = 0; i < 2; i++) {
      TensorForm tensor = call.form(i);
      if (tensor.rank() < 2) {
        String text = "`x%d` of cdist must have at least 2 dimensions, but its shape is %s";
        return OperandChecks.shape(
            Message.of(text, i + 1, tensor.shape()), "at least 2 dimensions", tensor.shape());
      }
      if (!tensor.dtype().isFloating()) {
        String text = "`x%d` of cdist must have a floating dtype, but it is %s";
        return Fault.dtype(Message.of(text, i + 1, tensor.dtype()))
            .withExpected(ExpectedDType.FLOATING.in("x" + (i + 1)), tensor.dtype());
      }
    }
    long width = first.shape().size(first.rank() - 1);
    long other = second.shape().size(second.rank() - 1);
    if (width != other) {
      String text = "`x1` and `x2` must have the same number of columns, but have %d and %d";
      return Fault.shape(Message.of(text, width, other))
          .withExpected(width + " columns", other + " columns");
    }
    return call.real(2) >= 0
        ? null
        : Fault.value("`p` must not be negative, but it is " + call.real(2));
  }

  private static Shape batches(Shape shape) {
    return Shape.of(Arrays.copyOf(shape.toArray(), shape.rank() - 2));
  }

  private static Object flat(Steps steps, Object tensor, Shape batch) {
    if (!Steps.isTensor(tensor)) {
      return tensor;
    }
    long[] sizes = Arrays.copyOf(batch.toArray(), batch.rank() + 2);
    sizes[batch.rank()] = Steps.form(tensor).shape().size(Steps.form(tensor).rank() - 2);
    sizes[batch.rank() + 1] = Steps.form(tensor).shape().size(Steps.form(tensor).rank() - 1);
    return steps.run("contiguous", steps.run("expand", tensor, Steps.ints(sizes)));
  }
}
