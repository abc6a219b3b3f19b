package dev.staunch.kernel.standard;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.operand.Storing;
import dev.staunch.kernel.operand.Views;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import java.util.List;

/** Aliases: operations that are others under another name, or others with an argument left out. */
final class RenamedOperations {
  private RenamedOperations() {}

  static List<Catalog.Group> groups() {
    return List.of(
        RenamedOperations::names, RenamedOperations::numbers, RenamedOperations::ofAnyDType);
  }

  private static void names(Catalog.Builder catalog) {
    for (String name : new String[] {"positive", "resolve_conj", "resolve_neg"}) {
      same(catalog.with(Trait.VIEWS).with(Trait.MAY_BE_SELF), name);
    }
    same(catalog.with(Trait.MAY_BE_SELF), "conj"); // not a view: it changes complex numbers
    Composite.add(
        catalog,
        "aten::_conj(Tensor(a) self) -> Tensor(a)",
        (steps, call) -> steps.run("conj", call.value(0)));
    Composite.add(
        catalog,
        "aten::ravel(Tensor(a) self) -> Tensor(a)",
        (steps, call) -> steps.view(steps.run("contiguous", call.value(0)), -1));
    Composite.one(
        catalog.with(Trait.AUTOCAST_WIDENS),
        "arctan2(Tensor self, Tensor other)",
        (steps, call) -> steps.run("atan2", call.value(0), call.value(1)));
    Composite.add(
        catalog.with(Trait.SHARES),
        "aten::unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]",
        (steps, call) -> steps.run("chunk", call.value(0), call.value(1), call.value(2)));
    Composite.add(
        catalog.with(Trait.SHARES),
        "aten::unsafe_split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]",
        (steps, call) -> steps.run("split.Tensor", call.value(0), call.value(1), call.value(2)));
    for (String form : new String[] {"Scalar", "Tensor"}) {
      Composite.one(
          catalog,
          "fill." + form + "(Tensor self, " + form + " value)",
          (steps, call) ->
              steps.run("fill_." + form, steps.run("empty_like", call.value(0)), call.value(1)));
    }
    Composite.one(
        catalog, "zero(Tensor self)", (steps, call) -> steps.run("zeros_like", call.value(0)));
  }

  private static void same(Catalog.Builder catalog, String name) {
    Inference inference = operands -> unchanged(operands, name);
    catalog
        .withInference(inference)
        .one(
            "aten::" + name + "(Tensor(a) self) -> Tensor(a)",
            call ->
                inference.infer(call) instanceof Fault fault
                    ? fault
                    : Views.same(call, call.tensor(0)));
  }

  private static Object unchanged(Operands operands, String name) {
    return operands.dtype(0).kind() == DType.Kind.COMPLEX
        ? Fault.unsupported(
            name + " is not implemented for complex numbers; work on `real` and `imag` apart")
        : new TensorForm(operands.dtype(0), operands.layout(0));
  }

  /** Sums and means that skip NaN, and the norm of a matrix. */
  private static void numbers(Catalog.Builder catalog) {
    String tail = "(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None)";
    Composite.one(catalog, "nansum" + tail, (steps, call) -> nansum(steps, call));
    Composite.one(
        catalog,
        "nanmean" + tail,
        (steps, call) -> {
          TensorForm self = call.form(0);
          if (!self.dtype().isFloating()) {
            return Fault.dtype("nanmean takes a floating dtype, but the tensor is " + self.dtype())
                .withExpected(ExpectedDType.FLOATING_POINT, self.dtype());
          }
          Object known = steps.run("logical_not", steps.run("isnan", call.value(0)));
          Object count = steps.run("sum.dim_IntList", known, call.value(1), call.value(2));
          return steps.run("div.Tensor", nansum(steps, call), count);
        });
    Composite.one(
        catalog,
        "frobenius_norm(Tensor self)",
        (steps, call) -> steps.run("linalg_vector_norm", call.value(0), 2L));
    Composite.one(
        catalog.with(Trait.AUTOCAST_WIDENS).out("out"),
        "frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False)",
        (steps, call) ->
            steps.run("linalg_vector_norm", call.value(0), 2L, call.value(1), call.value(2)));
  }

  private static Object nansum(Steps steps, Operands call) {
    TensorForm self = call.form(0);
    if (self.dtype().kind() == DType.Kind.COMPLEX) {
      return Fault.dtype("nansum takes real numbers, but the tensor is " + self.dtype())
          .withExpected("a real dtype", self.dtype());
    }
    Object numbers =
        self.dtype().isFloating()
            ? steps.run("masked_fill.Scalar", call.value(0), steps.run("isnan", call.value(0)), 0L)
            : call.value(0);
    return steps.run("sum.dim_IntList", numbers, call.value(1), call.value(2), call.value(3));
  }

  private static void ofAnyDType(Catalog.Builder plain) {
    Catalog.Builder catalog = plain.withDTypes(DType.of(DType.Kind.values()));
    for (String name : new String[] {"any", "all"}) {
      Composite.one(
          catalog,
          name + ".dims(Tensor self, int[]? dim=None, bool keepdim=False)",
          (steps, call) -> truths(steps, call, name));
    }
    Composite.add( // the end of a call with a given tensor that no kernel writes itself
        catalog,
        "staunch::store(Tensor(a!) out, Tensor result) -> Tensor(a!)",
        (steps, call) -> Storing.into(steps, call.value(0), call.value(1)));
  }

  /** One dimension after the other; an empty list of them, unlike None, reduces none. */
  private static Object truths(Steps steps, Operands call, String name) {
    boolean keeps = call.bool(2);
    Object result = call.value(0);
    long[] dims = call.isNone(1) ? new long[0] : call.integers(1);
    if (!call.isNone(1) && dims.length == 0) {
      DType stored = call.dtype(0) == DType.UINT8 ? DType.UINT8 : DType.BOOL;
      return steps.cast(steps.run("ne.Scalar", result, 0L), stored);
    }
    Object mask = Dimensions.mask(dims, call.rank(0));
    if (!(mask instanceof boolean[] reduced)) {
      return mask;
    }
    for (int d = reduced.length - 1; d >= 0; d--) {
      result = reduced[d] ? steps.run(name + ".dim", result, (long) d, keeps) : result;
    }
    return result;
  }
}
