package dev.staunch.kernel.view;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.operand.Views;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Stacks, repeats and rotates tensors, and spreads them over grids and diagonals. */
final class ArrangingOperations {
  /** From this many repetitions on, elements are copied from a view that repeats them. */
  private static final long MANY = 64;

  /** More elements do not fit into memory; other code says so. */
  private static final long MOST = 1L << 40;

  private ArrangingOperations() {}

  static void addTo(Catalog.Builder catalog) {
    stacks(catalog);
    repeats(catalog);
    turns(catalog);
    Composite.one(
        catalog.out("out"), "diag(Tensor self, int diagonal=0)", ArrangingOperations::diagonal);
    Composite.one(
        catalog,
        "diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1)",
        ArrangingOperations::embedded);
    Composite.one(
        catalog,
        "diagflat(Tensor self, int offset=0)",
        (steps, call) -> steps.run("diag_embed", steps.view(call.value(0), -1), call.value(1)));
    for (String more : new String[] {"", ".indexing"}) {
      String head = "aten::meshgrid" + more + "(Tensor[] tensors";
      String rest = more.isEmpty() ? "" : ", *, str indexing";
      Catalog.Builder sharing =
          catalog.with(Trait.SHARES).withDTypes(DType.of(DType.Kind.values()));
      Composite.add(sharing, head + rest + ") -> Tensor[]", ArrangingOperations::grid);
    }
  }

  private static void stacks(Catalog.Builder catalog) {
    stack(catalog, "hstack", 1, 1, ArrangingOperations::atLeast);
    stack(catalog, "vstack", 2, 0, ArrangingOperations::atLeast);
    stack(catalog, "row_stack", 2, 0, ArrangingOperations::atLeast);
    stack(catalog, "dstack", 3, 2, ArrangingOperations::atLeast);
    stack(catalog, "column_stack", 2, 1, ArrangingOperations::columns);
    for (int rank = 1; rank <= 3; rank++) {
      int wanted = rank;
      Composite.add(
          catalog.with(Trait.VIEWS),
          "aten::atleast_" + rank + "d(Tensor self) -> Tensor",
          (steps, call) -> atLeast(steps, call.value(0), wanted));
      Composite.add(
          catalog.with(Trait.SHARES).withDTypes(DType.of(DType.Kind.values())),
          "aten::atleast_" + rank + "d.Sequence(Tensor[] tensors) -> Tensor[]",
          (steps, call) -> {
            List<Object> raised = new ArrayList<>();
            for (Object tensor : call.list(0)) {
              Object result = atLeast(steps, tensor, wanted);
              if (!Steps.isTensor(result)) {
                return result;
              }
              raised.add(result);
            }
            return raised;
          });
    }
  }

  /** Gives a tensor at least a certain number of dimensions. */
  private interface Raising {
    Object of(Steps steps, Object tensor, int rank);
  }

  /**
   * @param rank the least number of dimensions of each tensor when they are joined
   * @param dim the dimension to join along, or the last one if the first tensor has fewer
   */
  private static void stack(
      Catalog.Builder catalog, String name, int rank, long dim, Raising raising) {
    Composite.add(
        catalog,
        "aten::" + name + "(Tensor[] tensors) -> Tensor",
        (steps, call) -> {
          List<Object> tensors = call.list(0);
          if (tensors.isEmpty()) {
            return Fault.value(name + " takes at least one tensor");
          }
          List<Object> parts = new ArrayList<>();
          tensors.forEach(tensor -> parts.add(raising.of(steps, tensor, rank)));
          int first = Math.max(rank, Steps.form(tensors.get(0)).rank());
          return steps.run("cat", parts, Math.min(dim, first - 1));
        });
  }

  /** A tensor of one dimension becomes a column. */
  private static Object columns(Steps steps, Object tensor, int rank) {
    TensorForm form = Steps.form(tensor);
    return form.rank() <= 1
        ? steps.view(tensor, form.shape().elements(), 1)
        : atLeast(steps, tensor, rank);
  }

  private static Object atLeast(Steps steps, Object tensor, int rank) {
    long[] sizes = Steps.form(tensor).shape().toArray();
    if (sizes.length >= rank) {
      return steps.view(tensor, sizes);
    }
    return switch (sizes.length) {
      case 0 -> steps.view(tensor, LongStream.generate(() -> 1).limit(rank).toArray());
      case 1 -> rank == 2 ? steps.view(tensor, 1, sizes[0]) : steps.view(tensor, 1, sizes[0], 1);
      default -> steps.view(tensor, sizes[0], sizes[1], 1);
    };
  }

  private static void repeats(Catalog.Builder catalog) {
    Composite.one(catalog, "tile(Tensor self, SymInt[] dims)", ArrangingOperations::tiled);
    String tail = ", *, SymInt? output_size=None)";
    Steps.add(
        catalog
            .withInference(operands -> Inference.Unknown.UNBOUNDED)
            .withDTypes(Set.of(DType.INT32, DType.INT64)),
        "aten::repeat_interleave.Tensor(Tensor repeats" + tail + " -> Tensor",
        (steps, call) -> numbers(call, call.tensor(0), outputSize(call, 1)));
    Steps.add(
        catalog
            .withInference(operands -> Inference.Unknown.UNBOUNDED)
            .withDTypes(DType.of(DType.Kind.values())),
        "aten::repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None"
            + tail
            + " -> Tensor",
        (steps, call) ->
            picked(
                steps,
                call,
                (input, size, dim) ->
                    steps.run("index_select", input, (long) dim, index(steps, call, size, dim))));
    Composite.one(
        catalog,
        "repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None" + tail,
        ArrangingOperations::repeated);
  }

  /** The indices that repeat a dimension of {@code size} elements as a tensor says; or a fault. */
  private static Object index(Steps steps, Call call, long size, int dim) {
    DenseTensor repeats = call.tensor(1);
    if (repeats.elements() != 1 && repeats.elements() != size && repeats.rank() == 1) {
      String text = "`repeats` has %d elements for %d along dimension %d";
      return Fault.shape(Message.of(text, repeats.elements(), size, dim))
          .withExpected(size + " repeats", repeats.elements() + " repeats");
    }
    Object counts =
        repeats.elements() == 1 && repeats.rank() <= 1
            ? steps.run("expand", steps.view(repeats, 1), Steps.ints(size))
            : repeats;
    return counts instanceof DenseTensor tensor
        ? numbers(call, tensor, outputSize(call, 3))
        : counts;
  }

  private static Object repeated(Steps steps, Operands operands) {
    long count = operands.integer(1);
    return picked(
        steps,
        operands,
        (input, size, dim) -> {
          if (count < 0 && size > 0) {
            return negative(count);
          }
          Long wanted = outputSize(operands, 3);
          if (wanted != null && wanted != size * count) {
            return otherSize(wanted, size * count);
          }
          TensorForm form = Steps.form(input);
          if (count >= MANY && count <= MOST / Math.max(1, form.elements()) && form.rank() > 0) {
            return spread(steps, input, dim, count);
          }
          Object counts = steps.run("full", Steps.ints(size), count, (long) DType.INT64.code());
          Object index =
              steps.apply(
                  known -> inferredNumbers(size, count),
                  call -> numbers(call, call.tensor(0), null),
                  counts);
          return steps.run("index_select", input, (long) dim, index);
        });
  }

  /** Each element along a dimension {@code count} times, as a copy of an expanded view. */
  private static Object spread(Steps steps, Object input, int dim, long count) {
    Shape shape = Steps.form(input).shape();
    Object apart = steps.run("unsqueeze", input, dim + 1L);
    if (!Steps.isTensor(apart)) {
      return apart;
    }
    long[] wide = Steps.form(apart).shape().toArray();
    wide[dim + 1] = count;
    long[] sizes = shape.toArray();
    sizes[dim] *= count;
    Object spread = steps.run("expand", apart, Steps.ints(wide));
    return steps.view(steps.run("clone", spread, 0L), sizes);
  }

  private static Object inferredNumbers(long size, long count) {
    boolean overflows = Math.multiplyHigh(size, count) != 0 || size * count < 0;
    Object shape = Filling.shape(overflows ? Long.MAX_VALUE : size * count);
    return shape instanceof Shape known ? TensorForm.contiguous(DType.INT64, known) : shape;
  }

  /** The size of the result along the dimension, if the caller states it; else null. */
  private static @Nullable Long outputSize(Operands operands, int argument) {
    return operands.isNone(argument) ? null : (Long) operands.integer(argument);
  }

  private static Fault otherSize(long said, long actual) {
    String text = "`output_size` is %d, but the repetitions are %d together";
    return Fault.value(Message.of(text, said, actual))
        .withExpected(Long.toString(actual), Long.toString(said));
  }

  private static Fault negative(long count) {
    return Fault.value("`repeats` must not be negative, but there is " + count)
        .withExpected("0 or more", Long.toString(count));
  }

  private static Object tiled(Steps steps, Operands call) {
    List<Object> repeats = new ArrayList<>(call.list(1));
    while (repeats.size() < call.rank(0)) {
      repeats.add(0, 1L);
    }
    return steps.run("repeat", call.value(0), repeats);
  }

  /**
   * Each index repeated as {@code repeats} says, {@code wanted} of them in all if that is not null.
   */
  private static Object numbers(Call call, DenseTensor repeats, @Nullable Long wanted) {
    if (repeats.rank() != 1) {
      return OperandChecks.shape(
          "`repeats` must be a vector, but its shape is " + repeats.shape(),
          "1 dimension",
          repeats.shape());
    }
    if (repeats.dtype() != DType.INT64 && repeats.dtype() != DType.INT32) {
      return Fault.dtype("`repeats` must be int64 or int32, but it is " + repeats.dtype())
          .withExpected(ExpectedDType.of(DType.INT64, DType.INT32).in("repeats"), repeats.dtype());
    }
    CancellationPoll poll = new CancellationPoll(call);
    Integers counts = Integers.of(poll, repeats);
    long total = 0;
    for (long i = 0; i < counts.size() && poll.fault() == null; i++) {
      long count = counts.at(i);
      if (count < 0) {
        return negative(count);
      }
      total = total + count < 0 ? Long.MAX_VALUE : total + count;
    }
    if (poll.fault() != null) {
      return poll.fault();
    }
    if (wanted != null && wanted != total && counts.size() > 0) {
      return otherSize(wanted, total);
    }
    Object shape = Filling.shape(total);
    Object made = shape instanceof Shape known ? call.allocate(repeats.dtype(), known) : shape;
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    Operand to = Operand.of(target);
    long[] tile = new long[(int) Math.min(Integers.TILE, total)];
    long next = 0;
    int filled = 0;
    for (long i = 0; i < counts.size() && poll.mayContinue(1); i++) {
      for (long left = counts.at(i); left > 0 && poll.fault() == null; ) {
        int part = (int) Math.min(left, tile.length - filled);
        Arrays.fill(tile, filled, filled + part, i);
        filled += part;
        left -= part;
        if (filled == tile.length) {
          to.store(tile, next, 1, filled);
          poll.mayContinue(filled);
          next += filled;
          filled = 0;
        }
      }
    }
    to.store(tile, next, 1, filled);
    return CancellationPoll.finished(target, poll.fault());
  }

  /** Returns elements of a tensor along a dimension of the given size; or a fault. */
  private interface Pick {
    Object of(Object input, long size, int dim);
  }

  /** What {@code pick} makes of the dimension in argument 2, or of all elements in a row. */
  private static Object picked(Steps steps, Operands operands, Pick pick) {
    boolean flat = operands.isNone(2);
    Object input = flat ? steps.view(operands.value(0), -1) : operands.value(0);
    Object dim = flat ? (Object) 0 : Dimensions.wrap(operands.integer(2), operands.rank(0));
    if (!(dim instanceof Integer at) || !Steps.isTensor(input)) {
      return dim instanceof Fault ? dim : input;
    }
    Shape shape = Steps.form(input).shape();
    long size = shape.rank() == 0 ? 1 : shape.size(at);
    return pick.of(input, size, at);
  }

  private static void turns(Catalog.Builder catalog) {
    Composite.one(
        catalog,
        "fliplr(Tensor self)",
        (steps, call) -> {
          Fault fault = Steps.ranked("fliplr", call.shape(0), 2);
          return fault == null ? steps.run("flip", call.value(0), Steps.ints(1)) : fault;
        });
    Composite.one(
        catalog,
        "flipud(Tensor self)",
        (steps, call) -> {
          Fault fault = Steps.ranked("flipud", call.shape(0), 1);
          return fault == null ? steps.run("flip", call.value(0), Steps.ints(0)) : fault;
        });
    Composite.one(
        catalog, "rot90(Tensor self, int k=1, int[] dims=[0, 1])", ArrangingOperations::turned);
  }

  private static Object turned(Steps steps, Operands call) {
    TensorForm self = call.form(0);
    long[] dims = call.integers(2);
    if (dims.length != 2 || self.rank() < 2) {
      return Fault.shape(
          Message.of(
              "rot90 takes 2 dimensions to turn in, but `dims` has %d and the shape is %s",
              dims.length, self.shape()));
    }
    Object first = Dimensions.wrap(dims[0], self.rank());
    Object second = Dimensions.wrap(dims[1], self.rank());
    if (first instanceof Fault || second instanceof Fault) {
      return first instanceof Fault ? first : second;
    }
    if (first.equals(second)) {
      return Fault.value(
          Message.of(
              "rot90 takes two different dimensions to turn in, but got %d and %d",
              dims[0], dims[1]));
    }
    return switch ((int) Math.floorMod(call.integer(1), 4L)) {
      case 1 ->
          steps.run(
              "transpose.int",
              steps.run("flip", call.value(0), Steps.ints(dims[1])),
              dims[0],
              dims[1]);
      case 2 -> steps.run("flip", call.value(0), Steps.ints(dims));
      case 3 ->
          steps.run(
              "transpose.int",
              steps.run("flip", call.value(0), Steps.ints(dims[0])),
              dims[0],
              dims[1]);
      default -> steps.run("clone", call.value(0));
    };
  }

  private static Object diagonal(Steps steps, Operands call) {
    TensorForm self = call.form(0);
    return switch (self.rank()) {
      case 1 -> steps.run("diag_embed", call.value(0), call.value(1));
      case 2 -> steps.run("clone", steps.run("diagonal", call.value(0), call.value(1)));
      default ->
          OperandChecks.shape(
              "diag takes 1 or 2 dimensions, but the shape is " + self.shape(),
              "1 or 2 dimensions",
              self.shape());
    };
  }

  private static Object embedded(Steps steps, Operands call) {
    TensorForm self = call.form(0);
    int rank = self.rank() + 1;
    Object first = Dimensions.wrap(call.integer(2), rank);
    Object second = Dimensions.wrap(call.integer(3), rank);
    if (first instanceof Fault || second instanceof Fault) {
      return first instanceof Fault ? first : second;
    }
    if (first.equals(second) || self.rank() == 0) {
      return self.rank() == 0
          ? OperandChecks.shape(
              "diag_embed takes at least 1 dimension, but the tensor has none",
              "1 dimension",
              self.shape())
          : Fault.value(
              Message.of(
                  "a diagonal needs two different dimensions, but got %d and %d",
                  call.integer(2), call.integer(3)));
    }
    long size = self.shape().size(self.rank() - 1) + Math.abs(call.integer(1));
    long[] sizes = Views.without(self.shape().toArray(), self.rank() - 1);
    int low = Math.min((Integer) first, (Integer) second);
    int high = Math.max((Integer) first, (Integer) second);
    sizes = Views.with(Views.with(sizes, low, size), high, size);
    Object blank = steps.run("zeros", Steps.ints(sizes), (long) self.dtype().code());
    Object view = steps.run("diagonal", blank, call.value(1), call.value(2), call.value(3));
    Object written = steps.run("copy_", view, call.value(0));
    return Steps.isTensor(written) ? blank : written;
  }

  private static Object grid(Steps steps, Operands call) {
    List<Object> tensors = new ArrayList<>(call.list(0));
    String order = call.size() > 1 ? call.string(1) : "ij";
    if (tensors.isEmpty()) {
      return Fault.value("meshgrid takes at least one tensor");
    }
    if (!order.equals("ij") && !order.equals("xy")) {
      return Fault.value("`indexing` takes 'xy' or 'ij', but got '" + order + "'");
    }
    long[] sizes = new long[tensors.size()];
    for (int i = 0; i < sizes.length; i++) {
      TensorForm tensor = Steps.form(tensors.get(i));
      if (tensor.rank() > 1) {
        return OperandChecks.shape(
            "meshgrid takes tensors of at most 1 dimension, but one is " + tensor.describe(),
            "at most 1 dimension",
            tensor.shape());
      }
      if (tensor.dtype() != Steps.form(tensors.get(0)).dtype()) {
        return Fault.dtype("meshgrid takes tensors of one dtype, but one is " + tensor.describe());
      }
      sizes[i] = tensor.shape().elements();
    }
    boolean turns = order.equals("xy") && sizes.length > 1;
    List<Object> grids = new ArrayList<>();
    for (int i = 0; i < sizes.length; i++) {
      int at = turns && i < 2 ? 1 - i : i;
      long[] shape = sizes.clone();
      if (turns) {
        shape[0] = sizes[1];
        shape[1] = sizes[0];
      }
      Object line =
          steps.view(tensors.get(i), Dimensions.single(sizes.length, at, sizes[i]).toArray());
      Object grid = steps.run("expand", line, Steps.ints(shape));
      if (!Steps.isTensor(grid)) {
        return grid;
      }
      grids.add(grid);
    }
    return grids;
  }
}
