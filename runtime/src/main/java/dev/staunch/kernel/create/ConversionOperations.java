package dev.staunch.kernel.create;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.Operands;
import dev.staunch.kernel.Trait;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.DenseStrides;
import dev.staunch.kernel.operand.Marking;
import dev.staunch.kernel.operand.Views;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import org.jspecify.annotations.Nullable;

/** Copies and casts, and the handles of gradients. */
public final class ConversionOperations {
  private static final long CONTIGUOUS = 0;
  private static final long PRESERVE = 1;
  private static final long CHANNELS_LAST = 2;

  private ConversionOperations() {}

  static void addTo(Catalog.Builder catalog) {
    catalog.one(
        "aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)",
        Marking.one(ConversionOperations::contiguous));
    catalog.one(
        "aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor",
        Marking.one(call -> copied(call, call.tensor(0).dtype(), call.integerOr(1, PRESERVE))));
    catalog
        .with(Trait.VIEWS)
        .one(
            "aten::detach(Tensor(a) self) -> Tensor(a)",
            call -> call.tensor(0).requiringGrad(call.scope(), false));
    catalog
        .with(Trait.VIEWS)
        .one(
            "aten::alias(Tensor(a) self) -> Tensor(a)",
            call -> Views.of(call, call.tensor(0), call.tensor(0).layout()));
    catalog.one(
        "aten::requires_grad_(Tensor(a!) self, bool requires_grad=True) -> Tensor(a!)",
        call ->
            call.bool(1) && !call.tensor(0).dtype().isFloating()
                ? Fault.dtype("a tensor of " + call.tensor(0).dtype() + " has no gradients")
                    .withExpected("a floating point dtype", call.tensor(0).dtype().toString())
                : call.tensor(0).requiringGrad(call.scope(), call.bool(1)));
    casts(catalog);
    devices(catalog);
  }

  private static void casts(Catalog.Builder catalog) {
    String tail = "bool non_blocking=False, bool copy=False";
    String format = tail + ", MemoryFormat? memory_format=None) -> Tensor(a)";
    catalog.one(
        "aten::to.dtype(Tensor(a) self, ScalarType dtype, " + format,
        Marking.one(call -> to(call, call.integer(1), call.bool(3), call.integerOr(4, PRESERVE))));
    catalog.one(
        "aten::to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None,"
            + " Device? device=None, bool? pin_memory=None, "
            + format,
        Marking.one(call -> to(call, code(call, 1), call.bool(6), call.integerOr(7, PRESERVE))));
    catalog.one(
        "aten::to.other(Tensor(a) self, Tensor other, " + format,
        Marking.one(call ->
            to(call, call.tensor(1).dtype().code(), call.bool(3), call.integerOr(4, PRESERVE))));
    catalog.one(
        "aten::to.prim_dtype(Tensor(a) self, int? dtype=None, " + tail + ") -> Tensor(b|a)",
        Marking.one(call -> to(call, code(call, 1), call.bool(3), PRESERVE)));
    catalog.one(
        "aten::to.prim_other(Tensor(a) self, " + tail + ") -> Tensor(b|a)",
        Marking.one(call -> to(call, own(call), call.bool(2), PRESERVE)));
    catalog
        .with(Trait.SHARES)
        .one(
            "aten::type_as(Tensor self, Tensor other) -> Tensor",
            Marking.one(call -> to(call, call.tensor(1).dtype().code(), false, PRESERVE)));
  }

  private static void devices(Catalog.Builder catalog) {
    String tail = "bool non_blocking=False, bool copy=False";
    catalog.one(
        "aten::to.device(Tensor(a) self, Device device, ScalarType dtype, "
            + tail
            + ", MemoryFormat? memory_format=None) -> Tensor(a)",
        Marking.one(call -> {
          Fault fault = elsewhere(call, 1);
          return fault == null
              ? to(call, call.integer(2), call.bool(4), call.integerOr(5, PRESERVE))
              : fault;
        }));
    catalog.one(
        "aten::to.prim_Device(Tensor(a) self, Device? device, int? dtype=None, "
            + tail
            + ") -> Tensor(b|a)",
        Marking.one(call -> {
          Fault fault = elsewhere(call, 1);
          return fault == null ? to(call, code(call, 2), call.bool(4), PRESERVE) : fault;
        }));
    catalog.one(
        "aten::cpu(Tensor(a) self) -> Tensor(b|a)", call -> Views.same(call, call.tensor(0)));
  }

  /** The fault of a device other than the CPU, or null. */
  public static @Nullable Fault elsewhere(Operands operands, int i) {
    if (operands.isNone(i) || operands.string(i).startsWith("cpu")) {
      return null;
    }
    return Fault.unsupported(
            "there is no device '" + operands.string(i) + "'; give `device` as cpu")
        .withExpected("cpu", operands.string(i));
  }

  private static long own(Call call) {
    return call.tensor(0).dtype().code();
  }

  private static long code(Call call, int i) {
    return call.integerOr(i, own(call));
  }

  private static Object to(Call call, long code, boolean copy, long format) {
    DType dtype = DType.ofCode(code);
    if (dtype == null) {
      return DType.unknown(code);
    }
    boolean laid = format == PRESERVE || (format == CONTIGUOUS && call.tensor(0).isContiguous());
    boolean same = dtype == call.tensor(0).dtype() && !copy && laid;
    return same ? Views.same(call, call.tensor(0)) : copied(call, dtype, format);
  }

  private static Object copied(Call call, DType dtype, long format) {
    DenseTensor self = call.tensor(0);
    if (format == CONTIGUOUS) {
      return Copying.toContiguous(call, self, dtype);
    }
    if (format == PRESERVE) {
      return Copying.preserving(call, self, dtype);
    }
    Fault fault = Copying.uncastable(self.dtype(), dtype);
    if (fault == null && (format != CHANNELS_LAST || self.rank() != 4)) {
      fault =
          Fault.value(
              "memory format "
                  + format
                  + " does not fit a tensor of shape "
                  + self.shape()
                  + "; give 0 (contiguous)");
    }
    Object made = fault == null ? DenseStrides.allocateChannelsLast(call, self, dtype) : fault;
    return made instanceof DenseTensor target
        ? Lookout.finished(target, Copying.copy(call, self, target))
        : made;
  }

  private static Object contiguous(Call call) {
    DenseTensor self = call.tensor(0);
    long format = call.integer(1);
    return format == CONTIGUOUS && self.isContiguous()
        ? Views.same(call, self)
        : copied(call, self.dtype(), format);
  }
}
