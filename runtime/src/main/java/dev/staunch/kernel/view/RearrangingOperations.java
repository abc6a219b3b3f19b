package dev.staunch.kernel.view;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.DenseStrides;
import dev.staunch.kernel.loop.Filled;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Views;
import dev.staunch.kernel.view.Rearranged.Dimension;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Copies with the elements reordered, repeated or zeroed. */
final class RearrangingOperations {
  private RearrangingOperations() {}

  static void addTo(Catalog.Builder catalog) {
    catalog
        .withInference(RearrangingOperations::repeated)
        .one(
            "aten::repeat(Tensor self, SymInt[] repeats) -> Tensor", RearrangingOperations::repeat);
    catalog
        .withInference(RearrangingOperations::rolled)
        .one(
            "aten::roll(Tensor self, int[1] shifts, int[1] dims=[]) -> Tensor",
            RearrangingOperations::roll);
    catalog
        .withInference(operands ->
            Dimensions.mask(operands.integers(1), operands.rank(0)) instanceof Fault fault
                ? fault
                : new TensorForm(operands.dtype(0), DenseStrides.like(operands.layout(0))))
        .one("aten::flip(Tensor self, int[] dims) -> Tensor", RearrangingOperations::flip);
    for (boolean lower : new boolean[] {true, false}) {
      String name = lower ? "tril" : "triu";
      Filled.add(
          catalog.with(Trait.COPIED_IN_PLACE),
          "aten::" + name + "(Tensor self, int diagonal=0) -> Tensor",
          operands -> triangle(operands, name),
          (target, call) -> triangle(target, call, lower));
    }
  }

  /** The sizes of self, each repeated; or the fault if they cannot be. */
  private static Object repeated(Operands operands) {
    Shape self = operands.shape(0);
    long[] repeats = operands.integers(1);
    int lead = repeats.length - self.rank();
    if (lead < 0) {
      String text = "`repeats` %s must have a number for each dimension of the tensor %s";
      return Fault.shape(Message.of(text, Arrays.toString(repeats), self))
          .withExpected("at least " + self.rank() + " repeats", repeats.length + " repeats");
    }
    long[] sizes = new long[repeats.length];
    for (int d = 0; d < repeats.length; d++) {
      if (repeats[d] < 0) {
        return Fault.value("`repeats` must not be negative, but there is " + repeats[d]);
      }
      long size = d < lead ? 1 : self.size(d - lead);
      boolean counted = Math.multiplyHigh(size, repeats[d]) == 0 && size * repeats[d] >= 0;
      sizes[d] = counted ? size * repeats[d] : Long.MAX_VALUE;
    }
    Object shape = Filling.shape(sizes);
    for (int d = 0; shape instanceof Shape known && d < sizes.length; d++) {
      if (sizes[d] > Integer.MAX_VALUE) {
        return known.elements() == 0
            ? Fault.unsupported(
                "a dimension of size " + sizes[d] + " is not supported; repeat up to 2147483647")
            : Fault.of(
                FaultType.OUT_OF_MEMORY, "a tensor of shape " + known + " does not fit the memory");
      }
    }
    return shape instanceof Shape known ? TensorForm.contiguous(operands.dtype(0), known) : shape;
  }

  private static Object repeat(Call call) {
    Object form = repeated(call);
    Fault fault = form instanceof TensorForm known ? unallocated(call, known) : (Fault) form;
    if (fault != null) {
      return fault;
    }
    DenseTensor self = call.tensor(0);
    long[] sizes = ((TensorForm) form).shape().toArray();
    int lead = sizes.length - self.rank();
    Dimension[] dimensions = new Dimension[sizes.length];
    for (int d = 0; d < sizes.length; d++) {
      long size = d < lead ? 1 : self.shape().size(d - lead);
      dimensions[d] =
          d < lead
              ? new Dimension(sizes[d], i -> 0)
              : Rearranged.picked(self, d - lead, sizes[d], i -> i % size);
    }
    return new Rearranged(dimensions).copied(call, self);
  }

  /** The fault for a result that no memory holds; checked before the indices are listed. */
  private static @Nullable Fault unallocated(Call call, TensorForm form) {
    Object probe = call.allocate(form.dtype(), form.shape());
    if (probe instanceof DenseTensor tensor) {
      tensor.close();
      return null;
    }
    return (Fault) probe;
  }

  /** The form of the rolled tensor, or the fault. */
  private static Object rolled(Operands operands) {
    TensorForm self = operands.form(0);
    long[] shifts = operands.integers(1);
    long[] dims = operands.integers(2);
    boolean flat = dims.length == 0 && shifts.length == 1;
    if (!flat && (dims.length != shifts.length || shifts.length == 0)) {
      String text = "roll takes a shift for each dimension, but `shifts` has %d and `dims` %d";
      return Fault.value(Message.of(text, shifts.length, dims.length));
    }
    if (!flat && self.shape().elements() == 0 && dims.length == 1) {
      return new TensorForm(self.dtype(), DenseStrides.like(self.layout()));
    }
    if (!flat && self.rank() == 0) {
      return Fault.index("the tensor has no dimensions, but `dims` names " + dims[0]);
    }
    for (long dim : dims) {
      Object wrapped = Dimensions.wrap(dim, self.rank());
      if (wrapped instanceof Fault) {
        return wrapped;
      }
    }
    return new TensorForm(self.dtype(), rolled(self.layout(), shifts, dims));
  }

  /**
   * The layout that results from joining the two parts of each dimension, one dimension after the
   * other.
   */
  private static Layout rolled(Layout self, long[] shifts, long[] dims) {
    Shape shape = self.shape();
    boolean last = dims.length > 0 && self.suggestsChannelsLast();
    Layout now = self;
    for (int i = 0; last && i < dims.length; i++) {
      int at = (Integer) Dimensions.wrap(dims[i], shape.rank());
      long first = Math.floorMod(-shifts[i], shape.size(at));
      last =
          Views.narrowed(now, at, first, shape.size(at) - first).suggestsChannelsLast()
              && Views.narrowed(now, at, 0, first).suggestsChannelsLast();
      now = Layout.channelsLast(shape);
    }
    return last ? now : Layout.contiguous(shape);
  }

  private static Object roll(Call call) {
    if (rolled(call) instanceof Fault fault) {
      return fault;
    }
    DenseTensor self = call.tensor(0);
    long[] shifts = call.integers(1);
    long[] dims = call.integers(2);
    if (dims.length == 0 && shifts.length == 1) {
      return rollFlat(call, self, shifts[0]);
    }
    if (self.elements() == 0 && dims.length == 1) {
      return Copying.preserving(call, self, self.dtype());
    }
    long[] total = new long[Math.max(1, self.rank())];
    for (int i = 0; i < dims.length; i++) {
      int at = (Integer) Dimensions.wrap(dims[i], self.rank());
      long size = Math.max(1, self.shape().size(at));
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
    Object rolled = new Rearranged(dimensions).copied(call, self);
    return Copying.laid(call, rolled, rolled(self.layout(), shifts, dims));
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
      CancellationPoll poll = new CancellationPoll(call);
      poll.copy(flat.segment(), 0, rolled.segment(), turn, bytes - turn);
      poll.copy(flat.segment(), bytes - turn, rolled.segment(), 0, turn);
      target = CancellationPoll.finished(rolled, poll.fault());
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
    Object flipped = new Rearranged(dimensions).copied(call, self);
    return Copying.laid(call, flipped, DenseStrides.like(self.layout()));
  }

  private static Object triangle(Operands operands, String name) {
    Shape self = operands.shape(0);
    return self.rank() < 2
        ? Fault.shape(name + " takes at least 2 dimensions, but the shape is " + self)
            .withExpected("at least 2 dimensions", self.toString())
        : TensorForm.contiguous(operands.dtype(0), self);
  }

  private static @Nullable Fault triangle(DenseTensor target, Call call, boolean lower) {
    Fault stop = Copying.copy(call, call.tensor(0), target);
    return stop == null && target.elements() > 0
        ? blank(call, target, call.integer(1), lower)
        : stop;
  }

  private static @Nullable Fault blank(
      Call call, DenseTensor target, long diagonal, boolean lower) {
    Layout layout = target.layout();
    long rows = layout.shape().size(target.rank() - 2);
    long columns = layout.shape().size(target.rank() - 1);
    long bound = Math.clamp(diagonal, -rows, columns);
    int bytes = target.dtype().bytes();
    CancellationPoll poll = new CancellationPoll(call);
    for (long row = 0; row < target.elements() / columns && poll.mayContinue(1); row++) {
      long middle = row % rows + bound;
      long from = lower ? Math.clamp(middle + 1, 0, columns) : 0;
      long to = lower ? columns : Math.clamp(middle, 0, columns);
      poll.zero(target.segment().asSlice((row * columns + from) * bytes, (to - from) * bytes));
    }
    return poll.fault();
  }
}
