package dev.staunch.kernel.index;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Broadcast;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.primitive.Gather;
import dev.staunch.kernel.view.Rearranged;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Reads and writes elements by index tensors and masks. */
public final class IndexOperations {
  private IndexOperations() {}

  /** All operations of this package. */
  public static List<Catalog.Group> groups() {
    return List.of(
        IndexOperations::picks,
        ScatterOperations::addTo,
        ScatterReductions::addTo,
        PlacingOperations::addTo,
        SearchOperations::addTo,
        UniqueOperations::addTo);
  }

  private static void picks(Catalog.Builder catalog) {
    Catalog.Builder picking =
        catalog.with(Trait.FAILS_ON_VALUES).withDTypes(DType.of(DType.Kind.values()));
    for (String head :
        new String[] {
          "index.Tensor(Tensor self, Tensor?[] indices)",
          "index.Tensor_hacked_twin(Tensor self, Tensor[] indices)"
        }) {
      picking
          .withInference(operands -> {
            Object shape = IndexedSelection.shape(operands.layout(0), operands.list(1));
            return shape instanceof Shape known
                ? TensorForm.contiguous(operands.dtype(0), known)
                : shape;
          })
          .one("aten::" + head + " -> Tensor", call -> index(call, call.tensor(0), call.list(1)));
    }
    picking
        .out("out")
        .withInference(IndexOperations::selected)
        .one(
            "aten::index_select(Tensor self, int dim, Tensor index) -> Tensor",
            IndexOperations::indexSelect);
    Composite.add(
        catalog.withDTypes(DType.of(DType.Kind.values())),
        "aten::masked_select(Tensor self, Tensor mask) -> Tensor",
        IndexOperations::maskedSelect);
    catalog
        .withInference(Inference.OF_VALUES)
        .withDTypes(DType.of(DType.Kind.values()))
        .one("aten::nonzero(Tensor self) -> Tensor", IndexOperations::nonzero);
    picking
        .out("out")
        .withInference(operands ->
            ScatterPositions.misfit(
                        "gather", operands.shape(0), operands.integer(1), operands.form(2), null)
                    instanceof Fault fault
                ? fault
                : TensorForm.contiguous(operands.dtype(0), operands.shape(2)))
        .one(
            "aten::gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor",
            IndexOperations::gather);
  }

  private static Object index(Call call, DenseTensor self, List<Object> indices) {
    CancellationPoll poll = new CancellationPoll(call);
    try (Temporaries made = new Temporaries()) {
      Object picked = IndexedSelection.of(call, poll, made, self, indices);
      return picked instanceof IndexedSelection elements
          ? elements.copied(call, poll, self)
          : picked;
    }
  }

  private static Object selected(Operands operands) {
    Shape self = operands.shape(0);
    Shape index = operands.shape(2);
    Object dim = Dimensions.wrap(operands.integer(1), self.rank());
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    if (index.rank() > 1) {
      return Fault.index(
          "`index` must be a vector, but its shape is " + index + "; `flatten()` it before");
    }
    DType dtype = operands.dtype(2);
    if (dtype != DType.INT64 && dtype != DType.INT32) {
      return Fault.dtype("`index` must be int64 or int32, but it is " + dtype)
          .withExpected(ExpectedDType.of(DType.INT64, DType.INT32).in("index"), dtype);
    }
    long[] sizes = self.toArray();
    if (sizes.length > 0) {
      sizes[at] = index.elements();
    } else if (index.elements() != 1) {
      return Fault.index(
          "a tensor without dimensions has one element, but `index` asks for " + index.elements());
    }
    Object shape = Filling.shape(sizes);
    return shape instanceof Shape known ? TensorForm.contiguous(operands.dtype(0), known) : shape;
  }

  private static Object indexSelect(Call call) {
    if (selected(call) instanceof Fault fault) {
      return fault;
    }
    DenseTensor self = call.tensor(0);
    DenseTensor index = call.tensor(2);
    int at = (Integer) Dimensions.wrap(call.integer(1), self.rank());
    long size = self.rank() == 0 ? 1 : self.shape().size(at);
    CancellationPoll poll = new CancellationPoll(call);
    Integers indices = Integers.of(poll, index);
    Fault fault = indices.outside("index", at, 0, size);
    if (fault != null) {
      return fault;
    }
    if (self.rank() == 0) {
      return Copying.toContiguous(call, self, self.dtype());
    }
    if (self.elements() > 0
        && self.isContiguous()
        && self.elements() / size * indices.size() <= Integers.TILE) {
      return few(call, self, at, indices);
    }
    return Rearranged.along(self, at, indices).copied(call, poll, self);
  }

  /** The fast path for a few elements of a contiguous tensor that is not empty. */
  private static Object few(Call call, DenseTensor self, int dim, Integers indices) {
    long[] sizes = self.shape().toArray();
    long size = sizes[dim];
    sizes[dim] = indices.size();
    Object made = call.allocate(self.dtype(), Shape.of(sizes));
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    int width = self.dtype().bytes();
    long inner = width; // the stride of a dimension of size 1 means nothing
    for (int d = dim + 1; d < sizes.length; d++) {
      inner *= sizes[d];
    }
    long start = self.layout().offset() * width;
    long outer = self.elements() * width / (inner * size);
    for (long o = 0, to = 0; o < outer; o++) {
      for (long i = 0; i < indices.size(); i++, to += inner) {
        long from = start + (o * size + indices.at(i)) * inner;
        MemorySegment.copy(self.segment(), from, target.segment(), to, inner);
      }
    }
    return target;
  }

  private static Object maskedSelect(Steps steps, Operands operands) {
    DType dtype = operands.dtype(1);
    if (dtype != DType.BOOL && dtype != DType.UINT8) {
      return Fault.dtype("`mask` must be bool, but it is " + dtype)
          .withExpected(ExpectedDType.of(DType.BOOL).in("mask"), dtype);
    }
    Object shape = Broadcast.shape(operands.shape(0), operands.shape(1));
    if (!(shape instanceof Shape common)) {
      return shape;
    }
    long[] sizes = common.rank() == 0 ? new long[] {1} : common.toArray();
    Object all = steps.run("expand", operands.value(0), Steps.ints(sizes));
    Object mask = steps.run("expand", operands.value(1), Steps.ints(sizes));
    return steps.run("index.Tensor", all, Steps.list(mask));
  }

  private static Object nonzero(Call call) {
    DenseTensor self = call.tensor(0);
    Fault fault = Promotion.unsupported("nonzero", self.dtype());
    if (fault != null) {
      return fault;
    }
    return MaskPositions.indices(call, new CancellationPoll(call), self);
  }

  private static Object gather(Call call) {
    DenseTensor self = call.tensor(0);
    CancellationPoll poll = new CancellationPoll(call);
    Object positions =
        ScatterPositions.of(
            poll, "gather", self, call.integer(1), call.tensor(2), null, /* ahead= */ false);
    if (!(positions instanceof ScatterPositions found)) {
      return positions;
    }
    Shape shape = call.tensor(2).shape();
    if (found.lines() == null) {
      return IndexedSelection.copied(call, poll, self, shape, found.targets());
    }
    Object made = call.allocate(self.dtype(), shape);
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    Gather gather = call.environment().kernels().gather(self.dtype());
    return CancellationPoll.finished(
        target, gather.gather(poll.shared(), self.segment(), found.lines(), target.segment(), 0));
  }
}
