package dev.staunch.kernel.standard;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Trait;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.operand.Views;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;

/** Operations that are others under another name, or others with a value left out. */
final class RenamedOperations {
  private RenamedOperations() {}

  static void addTo(Catalog.Builder catalog) {
    for (String name : new String[] {"positive", "resolve_conj", "resolve_neg", "conj"}) {
      catalog.one(
          "aten::" + name + "(Tensor(a) self) -> Tensor(a)",
          call ->
              call.tensor(0).dtype().kind() == DType.Kind.COMPLEX
                  ? Fault.unsupported(
                      name
                          + " is not implemented for complex numbers; work on `real` and `imag`"
                          + " apart")
                  : Views.same(call, call.tensor(0)));
    }
    catalog.one(
        "aten::ravel(Tensor(a) self) -> Tensor(a)",
        call ->
            Steps.within(
                call, (steps, inner) -> steps.view(steps.run("contiguous", inner.tensor(0)), -1)));
    add(
        catalog,
        "arctan2(Tensor self, Tensor other)",
        (steps, call) -> steps.run("atan2", call.tensor(0), call.tensor(1)));
    Steps.add(
        catalog.with(Trait.SHARES),
        "aten::unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]",
        (steps, call) -> steps.run("chunk", call.tensor(0), call.value(1), call.value(2)));
    Steps.add(
        catalog.with(Trait.SHARES),
        "aten::unsafe_split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]",
        (steps, call) -> steps.run("split.Tensor", call.tensor(0), call.value(1), call.value(2)));
    for (String form : new String[] {"Scalar", "Tensor"}) {
      add(
          catalog,
          "fill." + form + "(Tensor self, " + form + " value)",
          (steps, call) ->
              steps.run("fill_." + form, steps.run("empty_like", call.tensor(0)), call.value(1)));
    }
    add(catalog, "zero(Tensor self)", (steps, call) -> steps.run("zeros_like", call.tensor(0)));
    numbers(catalog);
  }

  private static void add(Catalog.Builder catalog, String head, Steps.Body body) {
    Steps.add(catalog, "aten::" + head + " -> Tensor", body);
  }

  /** Sums and means over what is no NaN, and the norm of a matrix. */
  private static void numbers(Catalog.Builder catalog) {
    String tail = "(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None)";
    add(catalog, "nansum" + tail, (steps, call) -> nansum(steps, call));
    add(
        catalog,
        "nanmean" + tail,
        (steps, call) -> {
          DenseTensor self = call.tensor(0);
          if (!self.dtype().isFloating()) {
            return Fault.dtype("nanmean takes a floating dtype, but the tensor is " + self.dtype())
                .withExpected("a floating point dtype", self.dtype().toString());
          }
          Object known = steps.run("logical_not", steps.run("isnan", self));
          Object count = steps.run("sum.dim_IntList", known, call.value(1), call.value(2));
          return steps.run("div.Tensor", nansum(steps, call), count);
        });
    add(
        catalog,
        "frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False)",
        (steps, call) ->
            steps.run("linalg_vector_norm", call.tensor(0), 2L, call.value(1), call.value(2)));
  }

  private static Object nansum(Steps steps, Call call) {
    DenseTensor self = call.tensor(0);
    Object numbers =
        self.dtype().isFloating()
            ? steps.run("masked_fill.Scalar", self, steps.run("isnan", self), 0L)
            : self;
    return steps.run("sum.dim_IntList", numbers, call.value(1), call.value(2), call.value(3));
  }
}
