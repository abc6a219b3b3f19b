package dev.staunch.kernel.reduce;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.loop.Reals;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.Demands;
import dev.staunch.kernel.operand.Marking;
import dev.staunch.kernel.operand.Views;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Quantiles of groups; NaN in a group is its quantile, or is left out. */
final class Quantiles {
  private static final List<String> KINDS =
      List.of("linear", "lower", "higher", "midpoint", "nearest");

  private Quantiles() {}

  static void addTo(Catalog.Builder catalog) {
    for (boolean skips : new boolean[] {false, true}) {
      String name = "aten::" + (skips ? "nanquantile" : "quantile");
      String tail = " q, int? dim=None, bool keepdim=False, *, str interpolation=\"linear\")";
      for (String head : new String[] {"(Tensor self, Tensor", ".scalar(Tensor self, float"}) {
        catalog.one(name + head + tail + " -> Tensor", Marking.one(call -> quantiles(call, skips)));
      }
    }
  }

  private static Object quantiles(Call call, boolean skips) {
    DenseTensor self = call.tensor(0);
    Lookout lookout = new Lookout(call);
    Reals asked =
        call.value(1) instanceof DenseTensor q
            ? Reals.of(lookout, q)
            : new Reals(lookout, 1, (first, count, into) -> into[0] = call.real(1));
    Fault fault = misfit(call, lookout, self, asked);
    if (fault != null) {
      return fault;
    }
    long[] dims = call.isNone(2) ? new long[0] : new long[] {call.integer(2)};
    if (!(Reduction.over(self, dims, call.bool(3)) instanceof Reduction groups)) {
      return Reduction.over(self, dims, call.bool(3));
    }
    boolean several = call.value(1) instanceof DenseTensor q && q.rank() == 1;
    long[] rest = groups.resultShape.toArray();
    long[] sizes = several ? Views.with(rest, 0, asked.size()) : rest;
    Object made = call.allocate(self.dtype(), Shape.of(sizes));
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    try (Temporaries temporaries = new Temporaries()) {
      Object order = StableOrder.of(call, lookout, temporaries, groups, false);
      return Lookout.finished(
          target,
          order instanceof StableOrder known
              ? fill(call, lookout, groups, known, asked, target, skips)
              : (Fault) order);
    }
  }

  private static @Nullable Fault fill(
      Call call,
      Lookout lookout,
      Reduction groups,
      StableOrder order,
      Reals asked,
      DenseTensor target,
      boolean skips) {
    RealRow row = RealRow.of(groups, lookout);
    IntToDoubleFunction sorted = i -> row.element(order.at(i));
    long each = groups.resultShape.elements();
    DType dtype = target.dtype();
    return groups.each(
        lookout,
        group -> {
          boolean goesOn = order.sort(group);
          row.of(group);
          int numbers = goesOn ? RankOperations.numbers(sorted, groups.count) : 0;
          boolean none = numbers == 0 || (numbers < groups.count && !skips);
          for (long i = 0; i < asked.size() && lookout.goesOn(1); i++) {
            double value =
                none ? Double.NaN : quantile(sorted, numbers, asked.at(i), call.string(4), dtype);
            Elements.putDouble(target.segment(), dtype, i * each + group, value);
          }
        });
  }

  private static @Nullable Fault misfit(Call call, Lookout lookout, DenseTensor self, Reals asked) {
    Object q = call.value(1);
    if (self.elements() == 0) {
      return Demands.shape(
          "quantile finds no element in a tensor of shape " + self.shape(),
          "at least one element",
          self.shape());
    }
    if (q instanceof DenseTensor tensor && tensor.rank() > 1) {
      return Demands.shape(
          "`q` must have at most 1 dimension, but its shape is " + tensor.shape(),
          "at most 1 dimension",
          tensor.shape());
    }
    if (self.dtype() != DType.FLOAT32 && self.dtype() != DType.FLOAT64) {
      return Fault.dtype("quantile takes float32 or float64, but the tensor is " + self.dtype())
          .withExpected("float32 or float64", self.dtype().toString());
    }
    if (q instanceof DenseTensor tensor && tensor.dtype() != self.dtype()) {
      return Fault.dtype(
              "`q` must have the dtype of the tensor, "
                  + self.dtype()
                  + ", but it is "
                  + tensor.dtype())
          .withExpected("the same dtype " + self.dtype(), tensor.dtype().toString());
    }
    for (long i = 0; i < asked.size() && lookout.goesOn(1); i++) {
      double value = asked.at(i);
      if (!(value >= 0 && value <= 1)) {
        return Fault.value("`q` must be from 0 to 1, but there is " + value)
            .withExpected("0 <= q <= 1", Double.toString(value));
      }
    }
    if (lookout.fault() != null) {
      return lookout.fault();
    }
    return KINDS.contains(call.string(4))
        ? null
        : Fault.value(
            "`interpolation` takes one of " + KINDS + ", but got '" + call.string(4) + "'");
  }

  /** A quantile of the first {@code numbers} elements; there is one. */
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
