package dev.staunch.kernel.view;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.MemoryFormats;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.List;

/** Queries about a tensor's sizes and other properties. */
final class SizeOperations {
  private SizeOperations() {}

  static void addTo(Catalog.Builder catalog) {
    addSizes(catalog.with(Trait.LAYOUT_AGNOSTIC, Trait.SEES_SHAPES));
    catalog.one(
        "aten::stride(Tensor self) -> int[]", call -> integers(call.tensor(0).layout().strides()));
    catalog.one(
        "aten::stride.int(Tensor self, int dim) -> int",
        call -> along(call, call.tensor(0).layout().strides()));
    catalog.one(
        "aten::storage_offset(Tensor self) -> int", call -> call.tensor(0).layout().offset());
    catalog.one("aten::is_contiguous(Tensor self) -> bool", call -> call.tensor(0).isContiguous());
    catalog.one(
        "aten::is_contiguous.memory_format(Tensor self, MemoryFormat memory_format) -> bool",
        call -> isContiguous(call.tensor(0), call.integer(1)));
    catalog
        .withInference(operands -> operands.dtype(0).isFloating())
        .one(
            "aten::is_floating_point(Tensor self) -> bool",
            call -> call.tensor(0).dtype().isFloating());
    catalog
        .withInference(operands -> operands.dtype(0).kind() == DType.Kind.COMPLEX)
        .one(
            "aten::is_complex(Tensor self) -> bool",
            call -> call.tensor(0).dtype().kind() == DType.Kind.COMPLEX);
    catalog
        .withInference(operands -> isSigned(operands.dtype(0)))
        .one("aten::is_signed(Tensor self) -> bool", call -> isSigned(call.tensor(0).dtype()));
    for (String pending : new String[] {"is_conj", "is_neg", "is_inference"}) {
      catalog
          .withInference(operands -> false)
          .withDTypes(DType.of(DType.Kind.values()))
          .one( // `conj` and its parts are computed at once, and no tensor is barred from gradients
              "aten::" + pending + "(Tensor self) -> bool", call -> false);
    }
    catalog.one(
        "aten::element_size(Tensor self) -> int", call -> (long) call.tensor(0).dtype().bytes());
    catalog.one(
        "aten::is_same_size(Tensor self, Tensor other) -> bool",
        call -> call.tensor(0).shape().equals(call.tensor(1).shape()));
    catalog
        .with(Trait.AUTOCAST_WIDENS)
        .withDTypes(DType.of(DType.Kind.values()))
        .one("aten::equal(Tensor self, Tensor other) -> bool", SizeOperations::equal);
  }

  private static boolean isSigned(DType dtype) {
    return dtype != DType.BOOL && dtype != DType.UINT8;
  }

  private static void addSizes(Catalog.Builder catalog) {
    catalog.one(
        "aten::size(Tensor self) -> int[]", call -> integers(call.tensor(0).shape().toArray()));
    catalog.one(
        "aten::size.int(Tensor self, int dim) -> int",
        call -> along(call, call.tensor(0).shape().toArray()));
    catalog.one("aten::dim(Tensor self) -> int", call -> (long) call.tensor(0).rank());
    catalog.one("aten::numel(Tensor self) -> int", call -> call.tensor(0).elements());
    catalog.one(
        "aten::len.Tensor(Tensor t) -> int",
        call ->
            call.tensor(0).rank() == 0
                ? Fault.shape("a tensor without dimensions has no length")
                : (Object) call.tensor(0).shape().size(0));
  }

  private static Object isContiguous(DenseTensor tensor, long format) {
    return format == MemoryFormats.PRESERVE
        ? Fault.value("a tensor is contiguous in some format, not in that which is preserved")
        : (Object) MemoryFormats.holds(tensor.layout(), format);
  }

  private static Object along(Call call, long[] values) {
    if (values.length == 0) {
      return Fault.index("the tensor has no dimensions, but `dim` is " + call.integer(1));
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
    boolean real = a.dtype().isFloating() || b.dtype().isFloating();
    Places left = Places.of(a.layout());
    Places right = Places.of(b.layout());
    CancellationPoll poll = new CancellationPoll(call);
    boolean equal = true;
    for (long i = 0; i < a.elements() && equal && poll.mayContinue(1); i++) {
      equal = equal(a, left.at(i), b, right.at(i), real);
    }
    return poll.fault() == null ? (Object) equal : poll.fault();
  }

  private static boolean equal(DenseTensor a, long at, DenseTensor b, long to, boolean real) {
    return real
        ? Elements.asDouble(a.segment(), a.dtype(), at)
            == Elements.asDouble(b.segment(), b.dtype(), to)
        : Elements.asLong(a.segment(), a.dtype(), at)
            == Elements.asLong(b.segment(), b.dtype(), to);
  }
}
