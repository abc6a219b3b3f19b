package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a tensor says about itself. */
final class SizeOperations {
  private SizeOperations() {}

  static void addTo(Catalog.Builder catalog) {
    catalog.one(
        "aten::size(Tensor self) -> int[]", call -> integers(call.tensor(0).shape().toArray()));
    catalog.one(
        "aten::size.int(Tensor self, int dim) -> int",
        call -> along(call, call.tensor(0).shape().toArray()));
    catalog.one("aten::dim(Tensor self) -> int", call -> (long) call.tensor(0).rank());
    catalog.one("aten::numel(Tensor self) -> int", call -> call.tensor(0).elements());
    catalog.one(
        "aten::stride(Tensor self) -> int[]", call -> integers(call.tensor(0).layout().strides()));
    catalog.one(
        "aten::stride.int(Tensor self, int dim) -> int",
        call -> along(call, call.tensor(0).layout().strides()));
    catalog.one(
        "aten::storage_offset(Tensor self) -> int", call -> call.tensor(0).layout().offset());
    catalog.one("aten::is_contiguous(Tensor self) -> bool", call -> call.tensor(0).isContiguous());
    catalog.one(
        "aten::is_floating_point(Tensor self) -> bool",
        call -> call.tensor(0).dtype().isFloating());
    catalog.one(
        "aten::is_complex(Tensor self) -> bool",
        call -> call.tensor(0).dtype().kind() == DType.Kind.COMPLEX);
    catalog.one(
        "aten::element_size(Tensor self) -> int", call -> (long) call.tensor(0).dtype().bytes());
    catalog.one(
        "aten::is_same_size(Tensor self, Tensor other) -> bool",
        call -> call.tensor(0).shape().equals(call.tensor(1).shape()));
    catalog.one("aten::equal(Tensor self, Tensor other) -> bool", SizeOperations::equal);
  }

  private static Object along(Call call, long[] values) {
    if (values.length == 0) {
      return Fault.index(
          "dimension specified as " + call.integer(1) + " but tensor has no dimensions");
    }
    Object dim = Dimensions.wrap(call.integer(1), values.length);
    return dim instanceof Integer at ? (Object) values[at] : dim;
  }

  static List<Object> integers(long[] values) {
    List<Object> list = new ArrayList<>();
    for (long value : values) {
      list.add(value);
    }
    return list;
  }

  private static Object equal(Call call) {
    DenseTensor a = call.tensor(0);
    DenseTensor b = call.tensor(1);
    Fault fault = Promotion.unsupported("equal", DType.promote(a.dtype(), b.dtype()));
    if (fault != null || !a.shape().equals(b.shape())) {
      return fault == null ? (Object) false : fault;
    }
    if (!a.dtype().isFloating() && !b.dtype().isFloating()) {
      return Arrays.equals(HostTensors.toLongs(a), HostTensors.toLongs(b));
    }
    double[] left = HostTensors.toDoubles(a);
    double[] right = HostTensors.toDoubles(b);
    boolean equal = true;
    for (int i = 0; i < left.length; i++) {
      equal &= left[i] == right[i];
    }
    return equal;
  }
}
