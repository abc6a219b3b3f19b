package dev.staunch.kernel.view;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Marking;
import dev.staunch.kernel.view.Rearranged.Dimension;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

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
      String text = "`repeats` %s must have a number for each dimension of the tensor %s";
      return Fault.shape(Message.of(text, Arrays.toString(repeats), self.shape()))
          .withExpected("at least " + self.rank() + " repeats", repeats.length + " repeats");
    }
    long[] sizes = new long[repeats.length];
    Dimension[] dimensions = new Dimension[repeats.length];
    for (int d = 0; d < repeats.length; d++) {
      if (repeats[d] < 0) {
        return Fault.value("`repeats` must not be negative, but there is " + repeats[d]);
      }
      long size = d < lead ? 1 : self.shape().size(d - lead);
      boolean counted = Math.multiplyHigh(size, repeats[d]) == 0 && size * repeats[d] >= 0;
      sizes[d] = counted ? size * repeats[d] : Long.MAX_VALUE;
    }
    Fault fault = tooLarge(call, self.dtype(), sizes);
    for (int d = 0; fault == null && d < repeats.length; d++) {
      long size = d < lead ? 1 : self.shape().size(d - lead);
      dimensions[d] =
          d < lead
              ? new Dimension(sizes[d], i -> 0)
              : Rearranged.picked(self, d - lead, sizes[d], i -> i % size);
    }
    return fault == null ? new Rearranged(dimensions).copied(call, self) : fault;
  }

  /** The fault of sizes that no memory holds; checked before indices are counted out. */
  private static @Nullable Fault tooLarge(Call call, DType dtype, long[] sizes) {
    Object shape = Filling.shape(sizes);
    if (!(shape instanceof Shape known)) {
      return (Fault) shape;
    }
    for (long size : sizes) {
      if (size > Integer.MAX_VALUE) {
        return known.elements() == 0
            ? Fault.unsupported(
                "a dimension of size " + size + " is not supported; repeat up to 2147483647")
            : Fault.of(
                FaultType.OUT_OF_MEMORY, "a tensor of shape " + known + " does not fit the memory");
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
      String text = "roll takes a shift for each dimension, but `shifts` has %d and `dims` %d";
      return Fault.value(Message.of(text, shifts.length, dims.length));
    }
    if (self.elements() == 0 && dims.length == 1) {
      return Copying.preserving(call, self, self.dtype());
    }
    if (self.rank() == 0) {
      return Fault.index("the tensor has no dimensions, but `dims` names " + dims[0]);
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
    Dimension[] dimensions = Rearranged.plain(self);
    for (int d = 0; d < dimensions.length; d++) {
      long size = self.shape().size(d);
      long shift = total[d];
      if (shift != 0) {
        dimensions[d] =
            Rearranged.picked(self, d, size, i -> i < shift ? i - shift + size : i - shift);
      }
    }
    return new Rearranged(dimensions).copied(call, self);
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
      Lookout lookout = new Lookout(call);
      lookout.copy(flat.segment(), 0, rolled.segment(), turn, bytes - turn);
      lookout.copy(flat.segment(), bytes - turn, rolled.segment(), 0, turn);
      target = Lookout.finished(rolled, lookout.fault());
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
    Dimension[] dimensions = Rearranged.plain(self);
    for (int d = 0; dims.length > 0 && d < dimensions.length; d++) {
      long size = self.shape().size(d);
      if (mask[d]) {
        dimensions[d] = Rearranged.picked(self, d, size, i -> size - 1 - i);
      }
    }
    return new Rearranged(dimensions).copied(call, self);
  }

  private static Object triangle(Call call, boolean lower) {
    DenseTensor self = call.tensor(0);
    if (self.rank() < 2) {
      return Fault.shape(
              (lower ? "tril" : "triu")
                  + " takes at least 2 dimensions, but the shape is "
                  + self.shape())
          .withExpected("at least 2 dimensions", self.shape().toString());
    }
    Object made = Copying.toContiguous(call, self, self.dtype());
    return made instanceof DenseTensor target && target.elements() > 0
        ? Lookout.finished(target, blank(call, target, call.integer(1), lower))
        : made;
  }

  private static @Nullable Fault blank(
      Call call, DenseTensor target, long diagonal, boolean lower) {
    Layout layout = target.layout();
    long rows = layout.shape().size(target.rank() - 2);
    long columns = layout.shape().size(target.rank() - 1);
    long bound = Math.clamp(diagonal, -rows, columns);
    int bytes = target.dtype().bytes();
    Lookout lookout = new Lookout(call);
    for (long row = 0; row < target.elements() / columns && lookout.goesOn(1); row++) {
      long middle = row % rows + bound;
      long from = lower ? Math.clamp(middle + 1, 0, columns) : 0;
      long to = lower ? columns : Math.clamp(middle, 0, columns);
      lookout.zero(target.segment().asSlice((row * columns + from) * bytes, (to - from) * bytes));
    }
    return lookout.fault();
  }
}
