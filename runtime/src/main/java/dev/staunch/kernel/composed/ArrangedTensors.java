package dev.staunch.kernel.composed;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Cost;
import dev.staunch.operation.None;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Tensors assembled from others. */
final class ArrangedTensors {
  private ArrangedTensors() {}

  static void addTo(Catalog.Builder catalog) {
    Composite.add(catalog, "aten::block_diag(Tensor[] tensors) -> Tensor", ArrangedTensors::blocks);
    Composite.add(
        catalog,
        "aten::pad_sequence(Tensor[] sequences, bool batch_first=False, float padding_value=0., str"
            + " padding_side=\"right\") -> Tensor",
        ArrangedTensors::padded);
    Composite.add(
        catalog.with(Trait.SHARES),
        "aten::cartesian_prod(Tensor[] tensors) -> Tensor",
        (steps, call) -> {
          List<Object> lines = call.list(0);
          for (Object each : lines) {
            Shape shape = Steps.form(each).shape();
            if (shape.rank() != 1) {
              return OperandChecks.shape(
                  "cartesian_prod takes vectors, but a shape is " + shape, "[n]", shape);
            }
          }
          if (lines.size() < 2) {
            return lines.isEmpty()
                ? Fault.value("cartesian_prod takes one tensor at least")
                : steps.run("alias", lines.get(0));
          }
          Object meshes = steps.run("meshgrid.indexing", lines, "ij");
          Object stacked = meshes instanceof List<?> ? steps.run("stack", meshes, -1L) : meshes;
          return steps.view(stacked, -1, lines.size());
        });
    Composite.add(
        catalog.withDTypes(DType.of(DType.Kind.values())),
        "aten::combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor",
        ArrangedTensors::combinations);
    Composite.addMany(
        catalog,
        "aten::mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor"
            + " indices)",
        ArrangedTensors::mode);
  }

  private static Object blocks(Steps steps, Operands call) {
    List<Object> blocks = new ArrayList<>();
    DType dtype = Promotion.of(call.list(0).toArray()).result();
    long rows = 0;
    long columns = 0;
    for (Object each : call.list(0)) {
      TensorForm tensor = Steps.form(each);
      if (tensor.rank() > 2) {
        return OperandChecks.shape(
            "block_diag takes matrices, but a shape is " + tensor.shape(),
            "2 dimensions at most",
            tensor.shape());
      }
      long width = tensor.rank() == 0 ? 1 : tensor.shape().size(tensor.rank() - 1);
      long height = tensor.rank() == 2 ? tensor.shape().size(0) : 1;
      blocks.add(steps.view(steps.cast(each, dtype), height, width));
      rows += height;
      columns += width;
    }
    if (blocks.isEmpty()) {
      return steps.run("zeros", Steps.ints(1, 0));
    }
    Object result = null;
    long row = 0;
    long column = 0;
    for (Object block : blocks) {
      if (!Steps.isTensor(block)) {
        return block;
      }
      long height = Steps.form(block).shape().size(0);
      long width = Steps.form(block).shape().size(1);
      List<Object> around = Steps.ints(column, columns - column - width, row, rows - row - height);
      Object wide = steps.run("constant_pad_nd", block, around);
      result = result == null ? wide : steps.sum(result, wide);
      row += height;
      column += width;
    }
    return result == null ? Fault.value("block_diag takes one tensor at least") : result;
  }

  private static Object padded(Steps steps, Operands call) {
    List<Object> sequences = call.list(0);
    long longest = 0;
    for (Object each : sequences) {
      TensorForm tensor = Steps.form(each);
      if (tensor.rank() == 0) {
        return OperandChecks.shape("pad_sequence takes sequences", "1 dimension", tensor.shape());
      }
      longest = Math.max(longest, tensor.shape().size(0));
    }
    if (sequences.isEmpty()) {
      return Fault.value("pad_sequence takes one sequence at least");
    }
    boolean left = call.string(3).equals("left");
    if (!left && !call.string(3).equals("right")) {
      return Fault.value("`padding_side` is 'left' or 'right', but it is '" + call.string(3) + "'")
          .withExpected("'left' or 'right'", "'" + call.string(3) + "'");
    }
    List<Object> whole = new ArrayList<>();
    long dtype = Steps.form(sequences.getFirst()).dtype().code();
    for (Object each : sequences) {
      TensorForm tensor = Steps.form(each);
      long missing = longest - tensor.shape().size(0);
      long[] pad = new long[2 * tensor.rank()];
      pad[pad.length - (left ? 2 : 1)] = missing;
      Object alike = steps.run("to.dtype", each, dtype, false, false, None.NONE);
      whole.add(steps.run("constant_pad_nd", alike, Steps.ints(pad), call.value(2)));
    }
    return steps.run("stack", whole, call.bool(1) ? 0L : 1L);
  }

  private static Object combinations(Steps steps, Operands call) {
    Shape self = call.shape(0);
    long count = call.integer(1);
    if (self.rank() != 1 || count < 0 || count > 64) {
      String text = "combinations takes a vector and a count from 0 to 64, but got %s and %d";
      return Fault.value(Message.of(text, self, count));
    }
    if (count == 0) {
      return steps.run("slice.Tensor", steps.run("clone", call.value(0)), 0L, 0L, 0L);
    }
    long size = self.elements();
    boolean again = call.bool(2);
    long choices = choices(again ? size + count - 1 : size, count);
    Object shape = Filling.shape(Cost.times(choices, count));
    if (!(shape instanceof Shape whole)) {
      return shape;
    }
    Object index =
        steps.apply(
            operands -> TensorForm.contiguous(DType.INT64, whole),
            own -> rising(own, whole, size, (int) count, again));
    return steps.view(steps.run("index_select", call.value(0), 0L, index), choices, count);
  }

  /** The number of ways to choose {@code count} of {@code size}; saturates at the greatest long. */
  private static long choices(long size, long count) {
    BigInteger ways = count > size ? BigInteger.ZERO : BigInteger.ONE;
    for (long i = 1; i <= count; i++) {
      ways = ways.multiply(BigInteger.valueOf(size - i + 1)).divide(BigInteger.valueOf(i));
    }
    return ways.min(BigInteger.valueOf(Long.MAX_VALUE)).longValue();
  }

  /** All choices of {@code count} ascending indices of {@code size}, one after the other. */
  private static Object rising(Call call, Shape shape, long size, int count, boolean again) {
    Object made = call.allocate(DType.INT64, shape);
    if (!(made instanceof DenseTensor places)) {
      return made;
    }
    long[] chosen = new long[count];
    for (int i = 0; i < count; i++) {
      chosen[i] = again ? 0 : i;
    }
    CancellationPoll poll = new CancellationPoll(call);
    Operand target = Operand.of(places);
    for (long at = 0; at < places.elements() && poll.mayContinue(count); at += count) {
      target.store(chosen, at, 1, count);
      advance(chosen, size, again);
    }
    return CancellationPoll.finished(places, poll.fault());
  }

  /** The next choice of ascending indices; the last one stays. */
  private static void advance(long[] chosen, long size, boolean again) {
    int at = chosen.length - 1;
    while (at >= 0 && chosen[at] == (again ? size - 1 : size - chosen.length + at)) {
      at--;
    }
    if (at < 0) {
      return;
    }
    chosen[at]++;
    for (int i = at + 1; i < chosen.length; i++) {
      chosen[i] = again ? chosen[at] : chosen[i - 1] + 1;
    }
  }

  /**
   * The most frequent value, the least among equally frequent ones, and the last index that holds
   * it.
   */
  private static Object mode(Steps steps, Operands call) {
    TensorForm self = call.form(0);
    Object wrapped = Dimensions.wrap(call.integer(1), self.rank());
    if (!(wrapped instanceof Integer dim)) {
      return wrapped;
    }
    if (self.rank() == 0) {
      return new Object[] {steps.run("clone", call.value(0)), steps.run("zeros", Steps.ints(), 4L)};
    }
    if (self.shape().size(dim) == 0) {
      return Fault.index("mode takes something along dimension " + dim);
    }
    Object last = steps.run("movedim.int", call.value(0), (long) dim, -1L);
    long size = self.shape().size(dim);
    Object sorted = steps.run("sort", last, -1L);
    Object ascending = Steps.pick(sorted, 0);
    Object starts = starts(steps, ascending, size);
    Object before = steps.run("sub.Tensor", steps.run("arange", size), starts, 1L);
    Object end = steps.run("argmax", before, -1L, true);
    Object value = steps.run("gather", ascending, -1L, steps.run("gather", starts, -1L, end));
    Object place = steps.run("gather", Steps.pick(sorted, 1), -1L, end);
    boolean keeps = call.bool(2);
    Object values = steps.run("movedim.int", value, -1L, (long) dim);
    Object places = steps.run("movedim.int", place, -1L, (long) dim);
    if (!Steps.isTensor(values) || !Steps.isTensor(places)) {
      return Steps.isTensor(values) ? places : values;
    }
    return new Object[] {
      steps.run("contiguous", keeps ? values : steps.run("squeeze.dim", values, (long) dim)),
      steps.run("contiguous", keeps ? places : steps.run("squeeze.dim", places, (long) dim))
    };
  }

  /** For each element of sorted rows, where the run of elements that equal it starts. */
  private static Object starts(Steps steps, Object rows, long size) {
    Object changes =
        steps.run(
            "ne.Tensor",
            steps.run("narrow", rows, -1L, 1L, size - 1),
            steps.run("narrow", rows, -1L, 0L, size - 1));
    Object places = steps.run("arange.start", 1L, size);
    Object starts = steps.product(steps.run("to.dtype", changes, 4L), places);
    Object all = steps.run("constant_pad_nd", starts, Steps.ints(1, 0), 0L);
    return Steps.pick(steps.run("cummax", all, -1L), 0);
  }
}
