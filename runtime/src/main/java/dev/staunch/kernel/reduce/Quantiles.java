package dev.staunch.kernel.reduce;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Reals;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Views;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Quantiles of groups; if a group contains NaN, either its quantile is NaN or NaN is skipped. */
final class Quantiles {
  private static final List<String> KINDS =
      List.of("linear", "lower", "higher", "midpoint", "nearest");

  private Quantiles() {}

  static void addTo(Catalog.Builder catalog) {
    for (boolean skips : new boolean[] {false, true}) {
      String name = "aten::" + (skips ? "nanquantile" : "quantile");
      String tail = " q, int? dim=None, bool keepdim=False, *, str interpolation=\"linear\")";
      for (String head : new String[] {"(Tensor self, Tensor", ".scalar(Tensor self, float"}) {
        catalog
            .with(Trait.FAILS_ON_VALUES)
            .withInference(Quantiles::form)
            .one(name + head + tail + " -> Tensor", call -> quantiles(call, skips));
      }
    }
  }

  private static Object quantiles(Call call, boolean skips) {
    DenseTensor self = call.tensor(0);
    CancellationPoll poll = new CancellationPoll(call);
    Reals asked =
        call.value(1) instanceof DenseTensor q
            ? Reals.of(poll, q)
            : new Reals(poll, 1, (first, count, into) -> into[0] = call.real(1));
    Object form = form(call);
    Fault fault = form instanceof TensorForm ? outside(poll, asked) : (Fault) form;
    if (fault != null) {
      return fault;
    }
    TensorForm known = (TensorForm) form;
    Reduction groups = (Reduction) Reduction.over(self, dims(call), call.bool(3));
    Object made = call.allocate(known.dtype(), known.shape());
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    try (Temporaries temporaries = new Temporaries()) {
      Object order = StableOrder.of(call, poll, temporaries, groups, false);
      return CancellationPoll.finished(
          target,
          order instanceof StableOrder sorted
              ? fill(call, poll, groups, sorted, asked, target, skips)
              : (Fault) order);
    }
  }

  private static @Nullable Fault fill(
      Call call,
      CancellationPoll poll,
      Reduction groups,
      StableOrder order,
      Reals asked,
      DenseTensor target,
      boolean skips) {
    RealRow row = RealRow.of(groups, poll);
    IntToDoubleFunction sorted = i -> row.element(order.at(i));
    long each = groups.resultShape.elements();
    DType dtype = target.dtype();
    return groups.each(
        poll,
        group -> {
          boolean mayContinue = order.sort(group);
          row.of(group);
          int numbers = mayContinue ? RankOperations.numbers(sorted, groups.count) : 0;
          boolean none = numbers == 0 || (numbers < groups.count && !skips);
          for (long i = 0; i < asked.size() && poll.mayContinue(1); i++) {
            double value =
                none ? Double.NaN : quantile(sorted, numbers, asked.at(i), call.string(4), dtype);
            Elements.putDouble(target.segment(), dtype, i * each + group, value);
          }
        });
  }

  private static long[] dims(Operands operands) {
    return operands.isNone(2) ? new long[0] : new long[] {operands.integer(2)};
  }

  private static Object form(Operands operands) {
    Fault fault = misfit(operands);
    Object shape =
        fault == null
            ? Reduction.shape(operands.shape(0), dims(operands), operands.bool(3))
            : fault;
    if (!(shape instanceof Shape left)) {
      return shape;
    }
    boolean several = operands.isTensor(1) && operands.rank(1) == 1;
    return TensorForm.contiguous(
        operands.dtype(0),
        several ? Shape.of(Views.with(left.toArray(), 0, operands.shape(1).elements())) : left);
  }

  private static @Nullable Fault misfit(Operands operands) {
    Shape self = operands.shape(0);
    DType dtype = operands.dtype(0);
    if (self.elements() == 0) {
      return OperandChecks.shape(
          "quantile finds no element in a tensor of shape " + self, "at least one element", self);
    }
    if (operands.isTensor(1) && operands.rank(1) > 1) {
      return OperandChecks.shape(
          "`q` must have at most 1 dimension, but its shape is " + operands.shape(1),
          "at most 1 dimension",
          operands.shape(1));
    }
    if (dtype != DType.FLOAT32 && dtype != DType.FLOAT64) {
      return Fault.dtype("quantile takes float32 or float64, but the tensor is " + dtype)
          .withExpected(ExpectedDType.of(DType.FLOAT32, DType.FLOAT64), dtype);
    }
    if (operands.isTensor(1) && operands.dtype(1) != dtype) {
      return Fault.dtype(
              Message.of(
                  "`q` must have the dtype of the tensor, %s, but it is %s",
                  dtype, operands.dtype(1)))
          .withExpected(ExpectedDType.same(dtype), operands.dtype(1));
    }
    String kind = operands.string(4);
    return KINDS.contains(kind)
        ? null
        : Fault.value("`interpolation` takes one of " + KINDS + ", but got '" + kind + "'");
  }

  /** The fault for a quantile outside its range, or of a cancellation. */
  private static @Nullable Fault outside(CancellationPoll poll, Reals asked) {
    for (long i = 0; i < asked.size() && poll.mayContinue(1); i++) {
      double value = asked.at(i);
      if (!(value >= 0 && value <= 1)) {
        return Fault.value("`q` must be from 0 to 1, but there is " + value)
            .withExpected("0 <= q <= 1", Double.toString(value));
      }
    }
    return poll.fault();
  }

  /** A quantile of the first {@code numbers} elements, of which there is at least one. */
  private static double quantile(
      IntToDoubleFunction sorted, int numbers, double q, String kind, DType dtype) {
    double rank = dtype == DType.FLOAT32 ? (float) q * (numbers - 1f) : q * (numbers - 1);
    if (kind.equals("nearest")) {
      return sorted.applyAsDouble((int) Math.rint(rank));
    }
    if (kind.equals("higher")) {
      return sorted.applyAsDouble((int) Math.ceil(rank));
    }
    double low = sorted.applyAsDouble((int) Math.floor(rank));
    double high = sorted.applyAsDouble((int) Math.ceil(rank));
    double weight =
        switch (kind) {
          case "lower" -> 0;
          case "midpoint" -> 0.5;
          default -> rank - Math.floor(rank);
        };
    return weight == 0
        ? low
        : weight < 0.5 ? low + weight * (high - low) : high - (high - low) * (1 - weight);
  }
}
