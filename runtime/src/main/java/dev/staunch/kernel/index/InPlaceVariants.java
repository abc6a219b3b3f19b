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
 * Operations that write at the positions that indices name, into a copy of their first operand or
 * in place. Most faults depend on the values of the indices, so inference checks only whether self
 * has a valid dtype and is writable; the kernel checks everything else.
 */
final class InPlaceVariants {
  private InPlaceVariants() {}

  /** The body of an operation, for both of its forms. */
  @FunctionalInterface
  interface Body {
    Object run(Call call, boolean inPlace);
  }

  /** Adds an operation and its in-place form; {@code rest} are the arguments after self. */
  static void both(Catalog.Builder catalog, String name, String overload, String rest, Body body) {
    add(catalog, name, overload, rest, dtype -> null, body);
  }

  /** As {@link #both}, for an operation that takes real numbers only. */
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

  /** Returns the fault of a dtype that self may not have, or null. */
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
        .withInference(operands -> {
          Fault fault = refusal.of(operands.dtype(0));
          return fault == null
              ? new TensorForm(operands.dtype(0), DenseStrides.like(operands.layout(0)))
              : fault;
        })
        .one(
            "aten::" + name + dot + "(Tensor self" + more + ") -> Tensor",
            call -> body.run(call, false));
    ofValues
        .withInference(operands -> {
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
