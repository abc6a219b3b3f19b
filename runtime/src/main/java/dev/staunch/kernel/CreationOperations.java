package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;

/** New tensors: constants and ranges. */
final class CreationOperations {
  private static final String TAIL =
      "*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool?"
          + " pin_memory=None) -> Tensor";

  private CreationOperations() {}

  static void addTo(Catalog.Builder catalog) {
    catalog.one("aten::zeros(SymInt[] size, " + TAIL, call -> filled(call, call.integers(0), 1, 0));
    catalog.one("aten::ones(int[] size, " + TAIL, call -> filled(call, call.integers(0), 1, 1));
    String like =
        "(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool?"
            + " pin_memory=None, MemoryFormat? memory_format=None) -> Tensor";
    catalog.one("aten::zeros_like" + like, call -> like(call, 0));
    catalog.one("aten::ones_like" + like, call -> like(call, 1));
    catalog.one("aten::arange(Scalar end, " + TAIL, call -> range(call, 0L, call.scalar(0), 1L, 1));
    catalog.one(
        "aten::arange.start(Scalar start, Scalar end, " + TAIL,
        call -> range(call, call.scalar(0), call.scalar(1), 1L, 2));
    catalog.one(
        "aten::arange.start_step(Scalar start, Scalar end, Scalar step=1, " + TAIL,
        call -> range(call, call.scalar(0), call.scalar(1), call.scalar(2), 3));
  }

  private static Object like(Call call, double value) {
    DenseTensor self = call.tensor(0);
    DType asked = call.optionalDType(1);
    return filled(call, self.shape().toArray(), asked == null ? self.dtype() : asked, value);
  }

  private static Object filled(Call call, long[] sizes, int dtypeAt, double value) {
    DType asked = call.optionalDType(dtypeAt);
    return filled(call, sizes, asked == null ? DType.FLOAT32 : asked, value);
  }

  private static Object filled(Call call, long[] sizes, DType dtype, double value) {
    for (long size : sizes) {
      if (size < 0) {
        return Fault.value(
            "Trying to create tensor with negative dimension %d: %s"
                .formatted(size, Arrays.toString(sizes)));
      }
    }
    Object shape = Filling.shape(sizes);
    Object made = shape instanceof Shape known ? call.allocate(dtype, known) : shape;
    if (made instanceof DenseTensor target) {
      if (value == 0) {
        Filling.zero(target);
      } else {
        for (long i = 0; i < target.elements(); i++) {
          Elements.putDouble(target.segment(), dtype, i, value);
        }
      }
    }
    return made;
  }

  private static Object range(Call call, Object start, Object end, Object step, int dtypeAt) {
    boolean exact = start instanceof Long && end instanceof Long && step instanceof Long;
    DType asked = call.optionalDType(dtypeAt);
    DType dtype = asked != null ? asked : exact ? DType.INT64 : DType.FLOAT32;
    double first = Scalars.real(start);
    double by = Scalars.real(step);
    double span = Scalars.real(end) - first;
    if (by == 0) {
      return Fault.value("step must be nonzero");
    }
    if (span / by < 0) {
      return Fault.value("upper bound and larger bound inconsistent with step sign");
    }
    double count = Math.ceil(span / by);
    if (!(count < Long.MAX_VALUE)) {
      return Fault.value("arange over an infinite or impossible range");
    }
    Object made = call.allocate(dtype, Shape.of((long) count));
    if (made instanceof DenseTensor target) {
      for (long i = 0; i < target.elements(); i++) {
        if (exact && !dtype.isFloating()) {
          long value = Scalars.integer(start) + i * Scalars.integer(step);
          Elements.putLong(target.segment(), dtype, i, value);
        } else {
          Elements.putDouble(target.segment(), dtype, i, first + i * by);
        }
      }
    }
    return made;
  }
}
