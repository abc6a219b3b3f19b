package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;

/** Copies with the elements in another order, repeated or blanked. */
final class RearrangingOperations {
  private RearrangingOperations() {}

  static void addTo(Catalog.Builder catalog) {
    catalog.one(
        "aten::repeat(Tensor self, SymInt[] repeats) -> Tensor",
        Marking.one(RearrangingOperations::repeat));
    catalog.one(
        "aten::roll(Tensor self, int[1] shifts, int[1] dims=[]) -> Tensor",
        Marking.one(RearrangingOperations::roll));
    catalog.one(
        "aten::flip(Tensor self, int[] dims) -> Tensor", Marking.one(RearrangingOperations::flip));
    catalog.one(
        "aten::tril(Tensor self, int diagonal=0) -> Tensor",
        Marking.one(call -> triangle(call, true)));
    catalog.one(
        "aten::triu(Tensor self, int diagonal=0) -> Tensor",
        Marking.one(call -> triangle(call, false)));
  }

  private static Object repeat(Call call) {
    DenseTensor self = call.tensor(0);
    long[] repeats = call.integers(1);
    int lead = repeats.length - self.rank();
    if (lead < 0) {
      return Fault.shape(
              "Number of dimensions of repeat dims can not be smaller than number of dimensions of"
                  + " tensor")
          .withExpected("at least " + self.rank() + " repeats", repeats.length + " repeats");
    }
    long[] sizes = new long[repeats.length];
    long[][] steps = new long[repeats.length][];
    for (int d = 0; d < repeats.length; d++) {
      if (repeats[d] < 0) {
        return Fault.value("Trying to create tensor with negative dimension " + repeats[d]);
      }
      long size = d < lead ? 1 : self.shape().size(d - lead);
      boolean counted = Math.multiplyHigh(size, repeats[d]) == 0 && size * repeats[d] >= 0;
      sizes[d] = counted ? size * repeats[d] : Long.MAX_VALUE;
    }
    Fault fault = tooLarge(call, self.dtype(), sizes);
    for (int d = 0; fault == null && d < repeats.length; d++) {
      steps[d] = new long[(int) sizes[d]];
      for (int i = 0; d >= lead && i < steps[d].length; i++) {
        steps[d][i] = i % self.shape().size(d - lead) * self.layout().stride(d - lead);
      }
    }
    return fault == null ? new Rearranged(steps).copied(call, self) : fault;
  }

  /** The fault of sizes that no memory holds; checked before indices are counted out. */
  private static @org.jspecify.annotations.Nullable Fault tooLarge(
      Call call, DType dtype, long[] sizes) {
    Object shape = Filling.shape(sizes);
    if (!(shape instanceof Shape known)) {
      return (Fault) shape;
    }
    for (long size : sizes) {
      if (size > Integer.MAX_VALUE) {
        return known.elements() == 0
            ? Fault.unsupported("a dimension of " + size + " repeats is not supported")
            : Fault.of(
                dev.staunch.fault.FaultType.OUT_OF_MEMORY,
                "a tensor of shape " + known + " does not fit the memory");
      }
    }
    Object probe = call.allocate(dtype, known);
    if (probe instanceof DenseTensor tensor) {
      tensor.close();
      return null;
    }
    return (Fault) probe;
  }

  private static Object roll(Call call) {
    DenseTensor self = call.tensor(0);
    long[] shifts = call.integers(1);
    long[] dims = call.integers(2);
    if (dims.length == 0 && shifts.length == 1) {
      return rollFlat(call, self, shifts[0]);
    }
    if (dims.length != shifts.length || shifts.length == 0) {
      String text = "shifts and dimensions must align. shifts: %d, dims:%d";
      return Fault.value(
          shifts.length == 0 ? "`shifts` required" : text.formatted(shifts.length, dims.length));
    }
    if (self.elements() == 0 && dims.length == 1) {
      return Copying.preserving(call, self, self.dtype());
    }
    if (self.rank() == 0) {
      return Fault.index("Dimension specified as " + dims[0] + " but tensor has no dimensions");
    }
    long[] total = new long[Math.max(1, self.rank())];
    for (int i = 0; i < dims.length; i++) {
      Object dim = Dimensions.wrap(dims[i], self.rank());
      if (!(dim instanceof Integer at)) {
        return dim;
      }
      long size = self.rank() == 0 ? 1 : Math.max(1, self.shape().size(at));
      total[at] = Math.floorMod(total[at] + Math.floorMod(shifts[i], size), size);
    }
    long[][] steps = Rearranged.plain(self);
    for (int d = 0; d < steps.length; d++) {
      long[] plain = steps[d].clone();
      for (int i = 0; i < plain.length; i++) {
        steps[d][i] = plain[(int) Math.floorMod(i - total[d], (long) plain.length)];
      }
    }
    return new Rearranged(steps).copied(call, self);
  }

  private static Object rollFlat(Call call, DenseTensor self, long shift) {
    Object made = Copying.toContiguous(call, self, self.dtype());
    if (!(made instanceof DenseTensor flat) || flat.elements() == 0) {
      return made;
    }
    Object target = call.allocate(self.dtype(), self.shape());
    if (target instanceof DenseTensor rolled) {
      long bytes = flat.elements() * flat.dtype().bytes();
      long turn = Math.floorMod(shift, flat.elements()) * flat.dtype().bytes();
      MemorySegment.copy(flat.segment(), 0, rolled.segment(), turn, bytes - turn);
      MemorySegment.copy(flat.segment(), bytes - turn, rolled.segment(), 0, turn);
    }
    flat.close();
    return target;
  }

  private static Object flip(Call call) {
    DenseTensor self = call.tensor(0);
    long[] dims = call.integers(1);
    Object masked = Dimensions.mask(dims, self.rank());
    if (!(masked instanceof boolean[] mask)) {
      return masked;
    }
    long[][] steps = Rearranged.plain(self);
    for (int d = 0; dims.length > 0 && d < steps.length; d++) {
      for (int i = 0, j = steps[d].length - 1; mask[d] && i < j; i++, j--) {
        long kept = steps[d][i];
        steps[d][i] = steps[d][j];
        steps[d][j] = kept;
      }
    }
    return new Rearranged(steps).copied(call, self);
  }

  private static Object triangle(Call call, boolean lower) {
    DenseTensor self = call.tensor(0);
    if (self.rank() < 2) {
      return Fault.shape(
              (lower ? "tril" : "triu") + ": input tensor must have at least 2 dimensions")
          .withExpected("at least 2 dimensions", self.shape().toString());
    }
    Object made = Copying.toContiguous(call, self, self.dtype());
    if (made instanceof DenseTensor target && target.elements() > 0) {
      blank(target, call.integer(1), lower);
    }
    return made;
  }

  private static void blank(DenseTensor target, long diagonal, boolean lower) {
    Layout layout = target.layout();
    long rows = layout.shape().size(target.rank() - 2);
    long columns = layout.shape().size(target.rank() - 1);
    long bound = Math.clamp(diagonal, -rows, columns);
    int bytes = target.dtype().bytes();
    for (long row = 0; row < target.elements() / columns; row++) {
      long middle = row % rows + bound;
      long from = lower ? Math.clamp(middle + 1, 0, columns) : 0;
      long to = lower ? columns : Math.clamp(middle, 0, columns);
      target.segment().asSlice((row * columns + from) * bytes, (to - from) * bytes).fill((byte) 0);
    }
  }
}
