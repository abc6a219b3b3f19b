package dev.staunch.kernel.create;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.DenseStrides;
import dev.staunch.kernel.loop.MemoryFormats;
import dev.staunch.kernel.operand.Placement;
import dev.staunch.kernel.operand.Views;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import java.util.function.Function;

/** Copies and casts, and handles that differ in their gradient flags. */
public final class ConversionOperations {
  private static final long PRESERVE = MemoryFormats.PRESERVE;

  private ConversionOperations() {}

  static void addTo(Catalog.Builder catalog) {
    add(
        catalog,
        "contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)",
        call ->
            new Wanted(
                call.dtype(0),
                !MemoryFormats.holds(call.layout(0), call.integer(1)),
                call.integer(1)));
    add(
        catalog,
        "clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor",
        call -> new Wanted(call.dtype(0), true, call.integerOr(1, PRESERVE)));
    handles(catalog);
    casts(catalog);
    devices(catalog);
  }

  /** Operations that return self through another handle. */
  private static void handles(Catalog.Builder catalog) {
    Catalog.Builder same =
        catalog.withInference(call -> new TensorForm(call.dtype(0), call.layout(0)));
    same.with(Trait.VIEWS, Trait.NON_DIFFERENTIABLE)
        .one(
            "aten::detach(Tensor(a) self) -> Tensor(a)",
            call -> call.tensor(0).requiringGrad(call.scope(), false));
    same.with(Trait.SETS_GRADIENT_FLAG)
        .one(
            "aten::detach_(Tensor(a!) self) -> Tensor(a!)",
            call -> call.tensor(0).requiringGrad(call.scope(), false));
    same.with(Trait.VIEWS)
        .one(
            "aten::alias(Tensor(a) self) -> Tensor(a)",
            call -> Views.of(call, call.tensor(0), call.tensor(0).layout()));
    same.with(Trait.VIEWS)
        .with(Trait.MAY_BE_SELF)
        .one("aten::cpu(Tensor(a) self) -> Tensor(b|a)", call -> Views.same(call, call.tensor(0)));
    Inference inference =
        operands ->
            operands.bool(1) && !operands.dtype(0).isFloating()
                ? Fault.dtype("a tensor of " + operands.dtype(0) + " has no gradients")
                    .withExpected(ExpectedDType.FLOATING_POINT, operands.dtype(0))
                : new TensorForm(operands.dtype(0), operands.layout(0));
    catalog
        .withInference(inference)
        .with(Trait.SETS_GRADIENT_FLAG)
        .one(
            "aten::requires_grad_(Tensor(a!) self, bool requires_grad=True) -> Tensor(a!)",
            call ->
                inference.infer(call) instanceof Fault fault
                    ? fault
                    : call.tensor(0).requiringGrad(call.scope(), call.bool(1)));
  }

  /**
   * The requested copy of self in another dtype or memory format; self, if it has those already.
   */
  private record Wanted(DType dtype, boolean copy, long format) {}

  private static void add(
      Catalog.Builder catalog, String schema, Function<Operands, Object> wanted) {
    catalog
        .withInference(operands -> form(operands, wanted.apply(operands)))
        .one("aten::" + schema, call -> converted(call, wanted.apply(call)));
  }

  private static void casts(Catalog.Builder catalog) {
    String tail = "bool non_blocking=False, bool copy=False";
    String format = tail + ", MemoryFormat? memory_format=None) -> Tensor(a)";
    add(
        catalog,
        "to.dtype(Tensor(a) self, ScalarType dtype, " + format,
        call -> to(call, call.integer(1), call.bool(3), call.integerOr(4, PRESERVE)));
    add(
        catalog,
        "to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None,"
            + " Device? device=None, bool? pin_memory=None, "
            + format,
        call -> {
          Fault fault = Placement.fault(call, 2);
          return fault == null
              ? to(call, code(call, 1), call.bool(6), call.integerOr(7, PRESERVE))
              : fault;
        });
    add(
        catalog,
        "to.other(Tensor(a) self, Tensor other, " + format,
        call -> to(call, call.dtype(1).code(), call.bool(3), call.integerOr(4, PRESERVE)));
    add(
        catalog,
        "to.prim_dtype(Tensor(a) self, int? dtype=None, " + tail + ") -> Tensor(b|a)",
        call -> to(call, code(call, 1), call.bool(3), PRESERVE));
    add(
        catalog,
        "to.prim_other(Tensor(a) self, " + tail + ") -> Tensor(b|a)",
        call -> to(call, own(call), call.bool(2), PRESERVE));
    add(
        catalog.with(Trait.SHARES),
        "type_as(Tensor self, Tensor other) -> Tensor",
        call -> to(call, call.dtype(1).code(), false, PRESERVE));
  }

  private static void devices(Catalog.Builder catalog) {
    String tail = "bool non_blocking=False, bool copy=False";
    add(
        catalog,
        "to.device(Tensor(a) self, Device device, ScalarType dtype, "
            + tail
            + ", MemoryFormat? memory_format=None) -> Tensor(a)",
        call -> {
          Fault fault = Placement.device(call, 1);
          return fault == null
              ? to(call, call.integer(2), call.bool(4), call.integerOr(5, PRESERVE))
              : fault;
        });
    add(
        catalog,
        "to.prim_Device(Tensor(a) self, Device? device, int? dtype=None, "
            + tail
            + ") -> Tensor(b|a)",
        call -> {
          Fault fault = Placement.device(call, 1);
          return fault == null ? to(call, code(call, 2), call.bool(4), PRESERVE) : fault;
        });
  }

  private static long own(Operands operands) {
    return operands.dtype(0).code();
  }

  private static long code(Operands operands, int i) {
    return operands.integerOr(i, own(operands));
  }

  private static Object to(Operands operands, long code, boolean copy, long format) {
    DType dtype = DType.ofCode(code);
    if (dtype == null) {
      return DType.unknown(code);
    }
    boolean laid = MemoryFormats.suggests(operands.layout(0), format);
    return new Wanted(dtype, dtype != operands.dtype(0) || copy || !laid, format);
  }

  private static Object form(Operands operands, Object target) {
    if (!(target instanceof Wanted wanted)) {
      return target;
    }
    Layout self = operands.layout(0);
    if (!wanted.copy()) {
      return new TensorForm(wanted.dtype(), self);
    }
    return laid(wanted.dtype(), self, wanted.format());
  }

  /** The form of a new tensor with the shape of {@code self}; or a fault. */
  public static Object laid(DType dtype, Layout self, long format) {
    Object laid = MemoryFormats.laid(self, format);
    return laid instanceof Layout layout ? new TensorForm(dtype, layout) : laid;
  }

  private static Object converted(Call call, Object target) {
    if (target instanceof Wanted wanted && !wanted.copy()) {
      return Views.same(call, call.tensor(0));
    }
    Object form = form(call, target);
    Object made = form instanceof TensorForm known ? DenseStrides.allocate(call, known) : form;
    return made instanceof DenseTensor copy
        ? CancellationPoll.finished(copy, Copying.copy(call, call.tensor(0), copy))
        : made;
  }
}
