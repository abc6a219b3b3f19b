package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Picks elements by index tensors and masks. */
final class IndexOperations {
  private IndexOperations() {}

  static void addTo(Catalog.Builder catalog) {
    catalog.one(
        "aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor",
        Marking.one(call -> index(call, call.tensor(0), call.list(1))));
    catalog.one(
        "aten::index.Tensor_hacked_twin(Tensor self, Tensor[] indices) -> Tensor",
        Marking.one(call -> index(call, call.tensor(0), call.list(1))));
    catalog.one(
        "aten::index_select(Tensor self, int dim, Tensor index) -> Tensor",
        Marking.one(IndexOperations::indexSelect));
    catalog.one(
        "aten::masked_select(Tensor self, Tensor mask) -> Tensor",
        Marking.one(IndexOperations::maskedSelect));
    catalog.one("aten::nonzero(Tensor self) -> Tensor", IndexOperations::nonzero);
    catalog.one(
        "aten::gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor",
        Marking.one(IndexOperations::gather));
  }

  private static Object index(Call call, DenseTensor self, List<Object> indices) {
    Lookout lookout = new Lookout(call);
    Object picked = Picked.of(lookout, self, indices);
    return picked instanceof Picked elements ? elements.copied(call, lookout, self) : picked;
  }

  private static Object indexSelect(Call call) {
    DenseTensor self = call.tensor(0);
    DenseTensor index = call.tensor(2);
    Object dim = Dimensions.wrap(call.integer(1), self.rank());
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    if (index.rank() > 1) {
      return Fault.index("index_select(): Index is supposed to be a vector");
    }
    if (index.dtype() != DType.INT64 && index.dtype() != DType.INT32) {
      return Fault.dtype("index_select(): Expected dtype int32 or int64 for index")
          .withExpected("int32 or int64", index.dtype().toString());
    }
    long size = self.rank() == 0 ? 1 : self.shape().size(at);
    Lookout lookout = new Lookout(call);
    long[] indices = Filling.longs(lookout, index);
    Fault fault = outside(lookout, indices, at, size);
    if (fault != null) {
      return fault;
    }
    if (self.rank() == 0) {
      return indices.length == 1
          ? Copying.toContiguous(call, self, self.dtype())
          : Fault.index("index_select(): Index to scalar can have only 1 value");
    }
    return Rearranged.along(self, at, indices).copied(call, self);
  }

  private static @Nullable Fault outside(Lookout lookout, long[] indices, int dim, long size) {
    for (int k = 0; k < indices.length && lookout.goesOn(1); k++) {
      if (indices[k] < 0 || indices[k] >= size) {
        return Demands.index(indices[k], k, dim, size, 0);
      }
    }
    return lookout.fault();
  }

  private static Object maskedSelect(Call call) {
    DenseTensor self = call.tensor(0);
    DenseTensor mask = call.tensor(1);
    if (mask.dtype() != DType.BOOL && mask.dtype() != DType.UINT8) {
      return Fault.dtype("masked_select: expected BoolTensor for mask")
          .withExpected("bool", mask.dtype().toString());
    }
    Object shape = Broadcast.shape(self.shape(), mask.shape());
    if (!(shape instanceof Shape common)) {
      return shape;
    }
    Object wide = self.view(call.scope(), Broadcast.stretch(self.layout(), common));
    Object flags = mask.view(call.scope(), Broadcast.stretch(mask.layout(), common));
    if (!(wide instanceof DenseTensor all) || !(flags instanceof DenseTensor chosen)) {
      return wide instanceof Fault ? wide : flags;
    }
    Object result =
        common.rank() == 0 ? selectedScalar(call, all, chosen) : index(call, all, List.of(chosen));
    all.close();
    chosen.close();
    return result;
  }

  private static Object selectedScalar(Call call, DenseTensor self, DenseTensor mask) {
    boolean chosen = HostTensors.toLongs(mask)[0] != 0;
    Object made = call.allocate(self.dtype(), Shape.of(chosen ? 1 : 0));
    if (!chosen || !(made instanceof DenseTensor target)) {
      return made;
    }
    Layout whole = new Layout(Shape.SCALAR, new long[0], 0);
    return Lookout.finished(
        target, Copying.copy(new Lookout(call), self, self.layout(), target, whole));
  }

  private static Object nonzero(Call call) {
    DenseTensor self = call.tensor(0);
    Fault fault = Promotion.unsupported("nonzero", self.dtype());
    if (fault != null) {
      return fault;
    }
    int rank = self.rank();
    Lookout lookout = new Lookout(call);
    long[][] places = rank == 0 ? new long[0][0] : IndexArray.places(lookout, self);
    boolean set = rank == 0 && HostTensors.toDoubles(self)[0] != 0;
    long count = rank == 0 ? (set ? 1 : 0) : places[0].length;
    Fault stop = lookout.fault();
    Object made = stop == null ? call.allocate(DType.INT64, Shape.of(count, rank)) : stop;
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    for (int d = 0; d < rank; d++) {
      for (int i = 0; i < count && lookout.goesOn(1); i++) {
        Elements.putLong(target.segment(), DType.INT64, (long) i * rank + d, places[d][i]);
      }
    }
    return Lookout.finished(target, lookout.fault());
  }

  private static Object gather(Call call) {
    DenseTensor self = call.tensor(0);
    Lookout lookout = new Lookout(call);
    Object spots = Spots.of(lookout, "gather", self, call.integer(1), call.tensor(2), null);
    if (!(spots instanceof Spots found)) {
      return spots;
    }
    Picked picked =
        new Picked(call.tensor(2).shape(), new long[] {0}, found.targets(), new long[] {0});
    return picked.copied(call, lookout, self);
  }
}
