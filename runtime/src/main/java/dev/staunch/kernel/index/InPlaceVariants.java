package dev.staunch.kernel.index;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Broadcast;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.DenseStrides;
import dev.staunch.kernel.loop.Overlap;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Views;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/**
 * Operations that write at the positions that indices name, into a copy of their first operand or
 * in place. Most faults depend on the values of the indices, so inference checks only whether self
 * has a valid dtype and is writable; the kernel checks everything else.
 */
final class InPlaceVariants {
  private InPlaceVariants() {}

  /** What an operation writes. */
  enum Target {
    SELF,
    ROW_MAJOR_COPY,
    ORDERED_COPY,
    /** A copy in row-major order, with the shape to which self and the next operand broadcast. */
    BROADCAST_COPY;

    /** The form of what is written; or the fault of shapes that do not broadcast. */
    private Object form(Operands operands) {
      Layout self = operands.layout(0);
      Object layout =
          switch (this) {
            case SELF -> self;
            case ROW_MAJOR_COPY -> Layout.contiguous(self.shape());
            case ORDERED_COPY -> DenseStrides.like(self);
            case BROADCAST_COPY ->
                Broadcast.shape(self.shape(), operands.shape(1)) instanceof Shape common
                    ? Layout.contiguous(common)
                    : Broadcast.shape(self.shape(), operands.shape(1));
          };
      return layout instanceof Layout known ? new TensorForm(operands.dtype(0), known) : layout;
    }

    /** The tensor to write; or the fault if it cannot be copied. */
    Object of(Call call, DenseTensor self) {
      return switch (this) {
        case SELF -> self;
        case ROW_MAJOR_COPY -> Copying.toContiguous(call, self, self.dtype());
        case ORDERED_COPY -> Copying.preserving(call, self, self.dtype());
        case BROADCAST_COPY -> stretched(call, self);
      };
    }

    private static Object stretched(Call call, DenseTensor self) {
      Object shape = Broadcast.shape(self.shape(), call.shape(1));
      if (!(shape instanceof Shape common)) {
        return shape;
      }
      Object wide = Views.of(call, self, Broadcast.stretch(self.layout(), common));
      if (!(wide instanceof DenseTensor view)) {
        return wide;
      }
      try (view) {
        return Copying.toContiguous(call, view, self.dtype());
      }
    }
  }

  /**
   * The body of an operation, for both of its forms. If it writes self, self is writable, and no
   * other operand shares memory with it.
   */
  @FunctionalInterface
  interface Body {
    Object run(Call call, Target written);
  }

  /**
   * Adds an operation and its in-place form.
   *
   * @param copy what the former writes
   * @param rest the arguments after self
   */
  static void both(
      Catalog.Builder catalog, Target copy, String name, String overload, String rest, Body body) {
    add(catalog, copy, name, overload, rest, dtype -> null, body);
  }

  /** As {@link #both}, for an operation that takes real numbers only. */
  static void ofReals(
      Catalog.Builder catalog, Target copy, String name, String overload, String rest, Body body) {
    add(
        catalog,
        copy,
        name,
        overload,
        rest,
        dtype -> Promotion.unsupported("scatter", dtype),
        body);
  }

  /** Returns the fault of a dtype that self may not have, or null. */
  private interface Refusal {
    @Nullable Fault of(DType dtype);
  }

  private static void add(
      Catalog.Builder catalog,
      Target copy,
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
          return fault == null ? copy.form(operands) : fault;
        })
        .one(
            "aten::" + name + dot + "(Tensor self" + more + ") -> Tensor",
            call -> {
              Fault fault = refusal.of(call.dtype(0));
              return fault == null ? body.run(call, copy) : fault;
            });
    ofValues
        .withInference(operands -> {
          Fault fault = refusal.of(operands.dtype(0));
          return fault == null ? inPlace(operands) : fault;
        })
        .one(
            "aten::" + name + "_" + dot + "(Tensor(a!) self" + more + ") -> Tensor(a!)",
            call -> {
              Fault fault = refusal.of(call.dtype(0));
              return fault == null ? Overlap.scattered(call, apart -> inPlace(apart, body)) : fault;
            });
  }

  private static Object inPlace(Call call, Body body) {
    Fault fault = OperandChecks.writable(call.layout(0));
    return fault == null ? body.run(call, Target.SELF) : fault;
  }

  private static Object inPlace(Operands operands) {
    Fault fault = OperandChecks.writable(operands.layout(0));
    return fault == null ? Target.SELF.form(operands) : fault;
  }
}
