package dev.staunch.kernel.view;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Views;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;

/** Views of complex numbers as pairs of reals, and of pairs as complex numbers, without a copy. */
final class ComplexViews {
  private ComplexViews() {}

  static void addTo(Catalog.Builder catalog) {
    Views.add(catalog, "aten::view_as_real(Tensor(a) self) -> Tensor(a)", ComplexViews::pairs);
    Views.add(catalog, "aten::view_as_complex(Tensor(a) self) -> Tensor(a)", ComplexViews::numbers);
    Views.add(
        catalog.with(Trait.MAY_BE_SELF),
        "aten::real(Tensor(a) self) -> Tensor(a)",
        operands -> part(operands.form(0), 0));
    Views.add(
        catalog, "aten::imag(Tensor(a) self) -> Tensor(a)", operands -> part(operands.form(0), 1));
  }

  private static boolean isComplex(TensorForm tensor) {
    return tensor.dtype().kind() == DType.Kind.COMPLEX;
  }

  private static long[] doubled(long[] strides) {
    long[] doubled = strides.clone();
    for (int i = 0; i < doubled.length; i++) {
      doubled[i] *= 2;
    }
    return doubled;
  }

  private static Object pairs(Operands operands) {
    TensorForm self = operands.form(0);
    if (!isComplex(self)) {
      return Fault.dtype("view_as_real takes complex numbers, but the tensor is " + self.dtype())
          .withExpected(ExpectedDType.of(DType.COMPLEX64, DType.COMPLEX128), self.dtype());
    }
    Layout layout = self.layout();
    int rank = self.rank();
    Layout pairs =
        new Layout(
            Shape.of(Views.with(layout.shape().toArray(), rank, 2)),
            Views.with(doubled(layout.strides()), rank, 1),
            2 * layout.offset());
    return new TensorForm(self.dtype().parts(), pairs);
  }

  private static Object part(TensorForm self, int number) {
    if (!isComplex(self)) {
      return number == 0
          ? self.layout()
          : Fault.dtype("imag takes complex numbers, but the tensor is " + self.dtype())
              .withExpected(ExpectedDType.of(DType.COMPLEX64, DType.COMPLEX128), self.dtype());
    }
    Layout layout = self.layout();
    int first = layout.shape().elements() == 0 ? 0 : number; // an empty layout has no first element
    Layout parts =
        new Layout(layout.shape(), doubled(layout.strides()), 2 * layout.offset() + first);
    return new TensorForm(self.dtype().parts(), parts);
  }

  private static Object numbers(Operands operands) {
    TensorForm self = operands.form(0);
    if (self.dtype() != DType.FLOAT32 && self.dtype() != DType.FLOAT64) {
      return Fault.dtype(
              "view_as_complex takes float32 or float64, but the tensor is " + self.dtype())
          .withExpected(ExpectedDType.of(DType.FLOAT32, DType.FLOAT64), self.dtype());
    }
    Layout layout = self.layout();
    int last = self.rank() - 1;
    if (last < 0 || layout.shape().size(last) != 2 || layout.stride(last) != 1) {
      return OperandChecks.shape(
          "view_as_complex takes a last size of 2 without gaps, but the tensor is "
              + self.shape()
              + "; `contiguous()` closes gaps",
          "[..., 2]",
          self.shape());
    }
    long[] strides = Views.without(layout.strides(), last);
    for (int d = 0; d < strides.length; d++) {
      if (strides[d] % 2 != 0) {
        return Fault.shape(
            "stride "
                + strides[d]
                + " is odd, where complex numbers take two elements each; `clone()` the tensor"
                + " before");
      }
      strides[d] /= 2;
    }
    if (layout.offset() % 2 != 0) {
      return Fault.shape(
          "the tensor begins at an odd element, where complex numbers take two; `clone()` it"
              + " before");
    }
    Shape shape = Shape.of(Views.without(layout.shape().toArray(), last));
    DType dtype = self.dtype() == DType.FLOAT32 ? DType.COMPLEX64 : DType.COMPLEX128;
    Layout numbers = new Layout(shape, strides, layout.offset() / 2);
    return new TensorForm(dtype, numbers);
  }
}
