package dev.staunch.kernel.reduce;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.function.IntToDoubleFunction;

/** Elements selected by their rank in a group. NaN ranks above all numbers. */
final class RankOperations {
  private static final String PAIR = " -> (Tensor values, Tensor indices)";

  private RankOperations() {}

  static void addTo(Catalog.Builder catalog) {
    catalog
        .withInference(operands -> ranked(operands, rankedDim(operands), 2))
        .many(
            "aten::kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False)" + PAIR,
            Steps.many(RankOperations::ranked));
    for (boolean skips : new boolean[] {false, true}) {
      String name = skips ? "nanmedian" : "median";
      Composite.add(
          catalog,
          "aten::" + name + "(Tensor self) -> Tensor",
          (steps, call) -> ofAll(steps, call, skips));
      catalog
          .withInference(operands -> ranked(operands, medianDim(operands), 1))
          .many(
              "aten::" + name + ".dim(Tensor self, int dim, bool keepdim=False)" + PAIR,
              Steps.many((steps, call) -> median(steps, call, skips)));
    }
    Composite.add(
        catalog,
        "aten::msort(Tensor self) -> Tensor",
        (steps, call) -> Steps.pick(steps.run("sort", call.value(0), 0L), 0));
    Composite.addMany(
        catalog,
        "aten::aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor"
            + " max)",
        RankOperations::extremes);
  }

  /** The dimension that kthvalue ranks along; or the fault. */
  private static Object rankedDim(Operands operands) {
    Shape self = operands.shape(0);
    Object dim = Dimensions.wrap(operands.integer(2), self.rank());
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long size = self.rank() == 0 ? 1 : self.size(at);
    long k = operands.integer(1);
    if (k < 1 || k > size) {
      String text = "`k` is %d, but dimension %d has %s, counted from 1";
      return Fault.index(Message.of(text, k, at, Message.count(size, "element")))
          .withExpected("k from 1 to " + size, Long.toString(k));
    }
    Object shape =
        ReductionOperands.shape(operands, "kthvalue", operands.dtype(0), new long[] {at}, true);
    return shape instanceof Shape ? at : shape;
  }

  /** The dimension that the median is taken along; or the fault. */
  private static Object medianDim(Operands operands) {
    Shape self = operands.shape(0);
    Object dim = Dimensions.wrap(operands.integer(1), self.rank());
    if (dim instanceof Integer at && self.rank() > 0 && self.size(at) == 0) {
      return Fault.index("median finds no element along dimension " + at + " of shape " + self)
          .withExpected("at least one element", self.toString());
    }
    Object shape =
        dim instanceof Integer at
            ? ReductionOperands.shape(operands, "sort", operands.dtype(0), new long[] {at}, false)
            : dim;
    return shape instanceof Shape ? dim : shape;
  }

  /** Values selected along a dimension and their indices; the argument before the last names it. */
  private static Object ranked(Operands operands, Object dim, int dimAt) {
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    Object shape = Reduction.shape(operands.shape(0), new long[] {at}, operands.bool(dimAt + 1));
    return shape instanceof Shape left
        ? new Object[] {
          TensorForm.contiguous(operands.dtype(0), left), TensorForm.contiguous(DType.INT64, left)
        }
        : shape;
  }

  private static Object ranked(Steps steps, Call call) {
    DenseTensor self = call.tensor(0);
    Object dim = rankedDim(call);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long k = call.integer(1);
    Object over = ReductionOperands.over(call, "kthvalue", self.dtype(), new long[] {at}, true);
    if (!(over instanceof Reduction groups)) {
      return over;
    }
    CancellationPoll poll = new CancellationPoll(call);
    try (Temporaries made = new Temporaries()) {
      Object selecting = Selecting.of(call, poll, made, groups);
      Object index =
          selecting instanceof Selecting known
              ? indices(call, poll, groups, known, (int) k - 1)
              : selecting;
      return gathered(steps, self, index, at, call.bool(3));
    }
  }

  private static Object indices(
      Call call, CancellationPoll poll, Reduction groups, Selecting selecting, int k) {
    return groups.made(
        call,
        poll,
        DType.INT64,
        (target, group) -> {
          int number = selecting.smallest(group, k);
          Elements.putLong(target.segment(), DType.INT64, group, number);
        });
  }

  /** The elements that {@code index} names, and {@code index}. */
  private static Object gathered(
      Steps steps, DenseTensor self, Object index, int dim, boolean keep) {
    Object values = steps.run("gather", self, (long) dim, index);
    boolean drops = !keep && self.rank() > 0;
    Object first = drops ? steps.run("squeeze.dim", values, (long) dim) : values;
    Object second = drops ? steps.run("squeeze.dim", index, (long) dim) : index;
    return first instanceof Fault ? first : second instanceof Fault ? second : pair(first, second);
  }

  private static Object pair(Object first, Object second) {
    return new Object[] {first, second};
  }

  private static Object median(Steps steps, Call call, boolean skips) {
    DenseTensor self = call.tensor(0);
    Object dim = medianDim(call);
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    Object sorted = steps.run("sort.stable", self, true, (long) at, false);
    if (!(Steps.pick(sorted, 0) instanceof DenseTensor values)) {
      return sorted;
    }
    Object over = Reduction.over(values, new long[] {at}, true);
    if (!(over instanceof Reduction groups)) {
      return over;
    }
    Object place = groups.spots(call, row -> middle(row::element, groups.count, skips));
    Object index = steps.run("gather", Steps.pick(sorted, 1), (long) at, place);
    return gathered(steps, self, index, at, call.bool(2));
  }

  /** The index of the lower median of sorted values; the first NaN's, unless NaN is skipped. */
  private static int middle(IntToDoubleFunction sorted, int count, boolean skips) {
    int numbers = numbers(sorted, count);
    return numbers < count && !skips ? numbers : Math.max(0, numbers - 1) / 2;
  }

  /** The number of the {@code count} sorted values before the first NaN. */
  static int numbers(IntToDoubleFunction sorted, int count) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = low + (high - low) / 2;
      boolean isNaN = Double.isNaN(sorted.applyAsDouble(middle));
      low = isNaN ? low : middle + 1;
      high = isNaN ? middle : high;
    }
    return low;
  }

  private static Object ofAll(Steps steps, Operands call, boolean skips) {
    if (call.shape(0).elements() == 0) {
      long wide = DType.FLOAT64.code();
      return steps.cast(steps.run("full", Steps.ints(), Double.NaN, wide), call.dtype(0));
    }
    String name = skips ? "nanmedian.dim" : "median.dim";
    return Steps.pick(steps.run(name, steps.view(call.value(0), -1), 0L), 0);
  }

  private static Object extremes(Steps steps, Operands call) {
    boolean all = call.isNone(1);
    if (call.shape(0).elements() == 0 && all) {
      return Fault.shape("aminmax finds no element in a tensor of shape " + call.shape(0))
          .withExpected("at least one element", call.shape(0).toString());
    }
    Object dims = all ? Steps.ints() : Steps.ints(call.integer(1));
    Object least = steps.run("amin", call.value(0), dims, call.bool(2));
    Object most = steps.run("amax", call.value(0), dims, call.bool(2));
    if (call.shape(0).rank() == 0 && !all && call.bool(2)) {
      least = steps.view(least, 1);
      most = steps.view(most, 1);
    }
    return !Steps.isTensor(least) ? least : !Steps.isTensor(most) ? most : pair(least, most);
  }
}
