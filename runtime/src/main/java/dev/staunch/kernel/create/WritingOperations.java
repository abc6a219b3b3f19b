package dev.staunch.kernel.create;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.Trait;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.PointwiseLoop;
import dev.staunch.kernel.operand.Demands;
import dev.staunch.kernel.operand.Views;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;

/** Operations that overwrite a tensor. */
final class WritingOperations {

  private WritingOperations() {}

  static void addTo(Catalog.Builder catalog) {
    Catalog.Builder overwriting = catalog.with(Trait.OVERWRITES);
    overwriting
        .with(Trait.ASSIGNS)
        .one(
            "aten::copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)",
            call -> write(call, call.tensor(1)));
    overwriting.one(
        "aten::copy_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)",
        call -> write(call, call.tensor(1)));
    overwriting.one(
        "aten::copy_.float(Tensor(a!) self, float other) -> Tensor(a!)",
        call -> write(call, call.value(1)));
    overwriting.one(
        "aten::copy_.int(Tensor(a!) self, int other) -> Tensor(a!)",
        call -> write(call, call.value(1)));
    overwriting.one(
        "aten::fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)",
        call -> write(call, call.value(1)));
    overwriting.one(
        "aten::fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)",
        call ->
            call.tensor(1).rank() == 0
                ? write(call, call.tensor(1))
                : Fault.shape(
                    "fill_ takes a `value` without dimensions, but its shape is "
                        + call.tensor(1).shape()
                        + "; `copy_` broadcasts one with dimensions"));
    overwriting.one("aten::zero_(Tensor(a!) self) -> Tensor(a!)", call -> write(call, 0L));
  }

  /** Casts {@code source}, of any dtype, into all of self. */
  private static Object write(Call call, Object source) {
    DType stored = call.tensor(0).dtype();
    if (source instanceof ComplexNumber) {
      return Fault.unsupported("a complex number is not written into a tensor; give its real part");
    }
    DType read = source instanceof DenseTensor tensor ? tensor.dtype() : stored;
    Fault fault = Copying.uncastable(read, stored);
    fault = fault == null ? Demands.fits(source, stored) : fault;
    boolean single = !(source instanceof DenseTensor tensor) || tensor.rank() == 0;
    if (fault == null && single && read.kind() != DType.Kind.COMPLEX) {
      return fill(call, read, source);
    }
    return fault == null
        ? Pointwise.write(call, "copy_", stored, read, Formulas.IDENTITY, source)
        : fault;
  }

  /** Writes one value everywhere, which elements that share memory allow too. */
  private static Object fill(Call call, DType read, Object value) {
    DenseTensor self = call.tensor(0);
    Fault stop = PointwiseLoop.run(call, self, read, Formulas.IDENTITY, value);
    return stop == null ? Views.same(call, self) : stop;
  }
}
