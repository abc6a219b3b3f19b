package dev.staunch.kernel.index;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.DenseStrides;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/**
 * Operations that write where indices say: into a copy of their first operand, or into itself. Most
 * of what can be wrong hangs on the indices, so that all but that is left to the kernel.
 */
final class TwoForms {
  private TwoForms() {}

  /** What an operation does in both its forms. */
  @FunctionalInterface
  interface Body {
    Object run(Call call, boolean inPlace);
  }

  /** Adds an operation and its in-place form; {@code rest} are the arguments behind self. */
  static void both(Catalog.Builder catalog, String name, String overload, String rest, Body body) {
    add(catalog, name, overload, rest, dtype -> null, body);
  }

  /** As {@link #both}, of one that puts elements of reals in places. */
  static void ofReals(
      Catalog.Builder catalog, String name, String overload, String rest, Body body) {
    Refusal complex = dtype -> Promotion.unsupported("scatter", dtype);
    add(
        catalog,
        name,
        overload,
        rest,
        complex,
        (call, inPlace) -> {
          Fault fault = complex.of(call.dtype(0));
          return fault == null ? body.run(call, inPlace) : fault;
        });
  }

  /** Why self may not have a dtype. */
  private interface Refusal {
    @Nullable Fault of(DType dtype);
  }

  private static void add(
      Catalog.Builder catalog,
      String name,
      String overload,
      String rest,
      Refusal refusal,
      Body body) {
    String dot = overload.isEmpty() ? "" : "." + overload;
    String more = rest.isEmpty() ? "" : ", " + rest;
    Catalog.Builder ofValues = catalog.with(Trait.FAILS_ON_VALUES);
    ofValues
        .inferring(operands -> {
          Fault fault = refusal.of(operands.dtype(0));
          return fault == null
              ? new TensorForm(operands.dtype(0), DenseStrides.like(operands.layout(0)))
              : fault;
        })
        .one(
            "aten::" + name + dot + "(Tensor self" + more + ") -> Tensor",
            call -> body.run(call, false));
    ofValues
        .inferring(operands -> {
          Fault fault = refusal.of(operands.dtype(0));
          return fault == null ? inPlace(operands) : fault;
        })
        .one(
            "aten::" + name + "_" + dot + "(Tensor(a!) self" + more + ") -> Tensor(a!)",
            call -> body.run(call, true));
  }

  private static Object inPlace(Operands operands) {
    Fault fault = OperandChecks.writable(operands.layout(0));
    return fault == null ? new TensorForm(operands.dtype(0), operands.layout(0)) : fault;
  }
}
