package dev.staunch.kernel.index;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.index.InPlaceVariants.Target;
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
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads or writes the elements that an index names, either by position in the flat order of a
 * tensor or as whole slices along a dimension. Each writing operation also has a form that writes a
 * copy.
 */
final class PlacingOperations {
  /** The cost of a view and a call, in elements written. */
  private static final int CALL = 1 << 8;

  private PlacingOperations() {}

  static void addTo(Catalog.Builder catalog) {
    Steps.add(
        catalog
            .with(Trait.FAILS_ON_VALUES)
            .out("out")
            .withInference(call -> TensorForm.contiguous(call.dtype(0), call.shape(1))),
        "aten::take(Tensor self, Tensor index) -> Tensor",
        PlacingOperations::take);
    InPlaceVariants.ofReals(
        catalog,
        Target.ORDERED_COPY,
        "put",
        "",
        "Tensor index, Tensor source, bool accumulate=False",
        body(PlacingOperations::put));
    both(
        catalog,
        Target.ROW_MAJOR_COPY,
        "index_add",
        "",
        "int dim, Tensor index, Tensor source, *, Scalar alpha=1",
        (steps, call, target) -> add(steps, call, target));
    both(
        catalog,
        Target.ROW_MAJOR_COPY,
        "index_copy",
        "",
        "int dim, Tensor index, Tensor source",
        (steps, call, target) -> copy(steps, call, target));
    for (String form : new String[] {"Scalar", "Tensor"}) {
      both(
          catalog,
          Target.ORDERED_COPY,
          "index_fill",
          "int_" + form,
          "int dim, Tensor index, " + form + " value",
          SliceFilling::run);
    }
    InPlaceVariants.ofReals(
        catalog,
        Target.BROADCAST_COPY,
        "masked_scatter",
        "",
        "Tensor mask, Tensor source",
        body(PlacingOperations::scatter));
    Composite.add(
        catalog.with(Trait.FAILS_ON_VALUES),
        "aten::take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor",
        PlacingOperations::takeAlong);
    Catalog.Builder ofValues =
        catalog.withInference(Inference.OF_VALUES).withDTypes(DType.of(DType.Kind.values()));
    Steps.add(
        ofValues,
        "aten::argwhere(Tensor self) -> Tensor",
        (steps, call) -> steps.run("nonzero", call.tensor(0)));
    for (String name : new String[] {"where(Tensor condition)", "nonzero_numpy(Tensor self)"}) {
      Steps.add(ofValues, "aten::" + name + " -> Tensor[]", PlacingOperations::where);
    }
  }

  /**
   * Writes {@code target}, which is self or a copy of it; returns a fault, or any other object on
   * success.
   */
  interface Writer {
    Object write(Steps steps, Call call, DenseTensor target);
  }

  /** Adds an operation that writes a copy of self, and its in-place form. */
  static void both(
      Catalog.Builder catalog,
      Target copy,
      String name,
      String overload,
      String rest,
      Writer writer) {
    InPlaceVariants.both(catalog, copy, name, overload, rest, body(writer));
  }

  private static InPlaceVariants.Body body(Writer writer) {
    return (call, written) ->
        Steps.within(
            call,
            (steps, inner) -> {
              Object made = written.of(inner, call.tensor(0));
              if (!(made instanceof DenseTensor target)) {
                return made;
              }
              Object done = writer.write(steps, inner, target);
              return done instanceof Fault ? done : target;
            });
  }

  private static Object where(Steps steps, Call call) {
    DenseTensor self = call.tensor(0);
    Object wide = self.rank() == 0 ? steps.run("unsqueeze", self, 0L) : self;
    return steps.run("unbind.int", steps.run("nonzero", wide), 1L);
  }

  private static Object take(Steps steps, Call call) {
    DenseTensor self = call.tensor(0);
    Object chosen = flatIndex("take", call, self);
    Object taken = steps.run("gather", steps.view(self, -1), 0L, chosen);
    return steps.view(taken, call.tensor(1).shape().toArray());
  }

  /**
   * The positions in flat order that the index names, counted from 0, in one dimension; or a fault.
   */
  private static Object flatIndex(String name, Call call, DenseTensor self) {
    DenseTensor index = call.tensor(1);
    if (index.dtype() != DType.INT64) {
      String text = "`index` of %s must be int64, but it is %s";
      return Fault.dtype(Message.of(text, name, index.dtype()))
          .withExpected(
              new ExpectedDType("an index of int64", DType.INT64, ExpectedDType.Whose.ONE, "index"),
              index.dtype());
    }
    if (self.elements() == 0 && index.elements() > 0) {
      return Fault.index(name + " finds no element in a tensor of shape " + self.shape());
    }
    Object made = call.allocate(DType.INT64, Shape.of(index.elements()));
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    CancellationPoll poll = new CancellationPoll(call);
    Integers places = Integers.of(poll, index);
    long[] tile = new long[(int) Math.min(Integers.TILE, places.size())];
    for (long first = 0; first < places.size() && poll.fault() == null; first += tile.length) {
      int count = (int) Math.min(tile.length, places.size() - first);
      places.load(first, count, tile);
      int wrong = Integers.firstOutside(tile, count, -self.elements(), self.elements());
      if (wrong < count) {
        String text = "index %d is out of bounds for a tensor of %s";
        String elements = Message.count(self.elements(), "element");
        return Fault.index(Message.of(text, tile[wrong], elements))
            .withExpected("an index below " + self.elements(), Long.toString(tile[wrong]));
      }
      for (int i = 0; i < count; i++) {
        tile[i] += (tile[i] >> (Long.SIZE - 1)) & self.elements(); // only if it is negative
      }
      Operand.of(target).store(tile, first, 1, count);
      poll.mayContinue(count);
    }
    return CancellationPoll.finished(target, poll.fault());
  }

  private static Object put(Steps steps, Call call, DenseTensor target) {
    DenseTensor index = call.tensor(1);
    DenseTensor source = call.tensor(2);
    if (source.dtype() != target.dtype()) {
      return mismatch("put_", target, source);
    }
    if (source.elements() != index.elements()) {
      String text = "`source` of put_ has %s for %d of `index`; give as many";
      return Fault.shape(
          Message.of(text, Message.count(source.elements(), "element"), index.elements()));
    }
    Object chosen = flatIndex("put_", call, target);
    if (chosen instanceof Fault) {
      return chosen;
    }
    Object flat = steps.run("contiguous", steps.view(target, -1));
    Object written =
        steps.run("index_put_", flat, Steps.list(chosen), steps.view(source, -1), call.bool(3));
    return steps.run("copy_", target, steps.view(written, target.shape().toArray()));
  }

  private static Fault mismatch(String name, DenseTensor self, DenseTensor source) {
    String text = "%1$s takes a source of the same dtype as the tensor, but they are %3$s and %2$s";
    return Fault.dtype(Message.of(text, name, self.dtype(), source.dtype()))
        .withExpected(ExpectedDType.same(self.dtype()), source.dtype());
  }

  /** The slices' numbers, checked against {@code target}, as {@link Integers}; or a fault. */
  static Object slices(Call call, CancellationPoll poll, DenseTensor target, SliceWriting kind) {
    Object dim = Dimensions.wrap(call.integer(1), target.rank());
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    DenseTensor index = call.tensor(2);
    if (index.rank() > 1) {
      return OperandChecks.shape(
          Message.of(
              "`index` of %s must be a vector, but its shape is %s; `flatten()` it before",
              kind.operation(), index.shape()),
          "at most 1 dimension",
          index.shape());
    }
    if (!kind.indices().contains(index.dtype())) {
      return Fault.dtype(
              "`index` of " + kind.operation() + " must be int64, but it is " + index.dtype())
          .withExpected(ExpectedDType.of(DType.INT64).in("index"), index.dtype());
    }
    long size = target.rank() == 0 ? 1 : target.shape().size(at);
    Integers slices = Integers.of(poll, index);
    Fault outside = slices.outside("index", at, kind.wraps() ? -size : 0, size);
    return outside == null ? slices : outside;
  }

  private static @Nullable Fault misfit(
      SliceWriting kind, Call call, DenseTensor target, int dim, long slices) {
    DenseTensor source = call.tensor(3);
    if (source.dtype() != target.dtype()) {
      return mismatch(kind.operation(), target, source);
    }
    long given = source.rank() == 0 ? 1 : dim < source.rank() ? source.shape().size(dim) : -1;
    if (given != slices) {
      String text =
          "`index` of %s names %d slices, but `source` %s has another number of them in dimension"
              + " %d";
      return Fault.shape(Message.of(text, kind.operation(), slices, source.shape(), dim))
          .withExpected(slices + " slices", source.shape().toString());
    }
    boolean fits = source.rank() == target.rank() || Math.max(source.rank(), target.rank()) == 1;
    for (int d = 0; fits && d < Math.min(source.rank(), target.rank()); d++) {
      fits = d == dim || source.shape().size(d) == target.shape().size(d);
    }
    if (fits) {
      return null;
    }
    String text = "`source` %s must have the sizes of the tensor %s but for dimension %d";
    return Fault.shape(Message.of(text, source.shape(), target.shape(), dim))
        .withExpected(target.shape().toString(), source.shape().toString());
  }

  private static Object add(Steps steps, Call call, DenseTensor target) {
    SliceSums sums = SliceSums.of(call, target);
    if (sums != null) {
      CancellationPoll poll = new CancellationPoll(call);
      Object found = slices(call, poll, target, SliceWriting.ADD);
      if (!(found instanceof Integers slices)) {
        return found;
      }
      Fault fault = misfit(SliceWriting.ADD, call, target, sums.dim(), slices.size());
      fault = fault == null ? sums.add(slices, poll) : fault;
      return fault == null ? target : fault;
    }
    return eachSlice(
        call,
        target,
        SliceWriting.ADD,
        (to, from) -> steps.run("add_.Tensor", to, from, call.scalar(4)));
  }

  private static Object copy(Steps steps, Call call, DenseTensor target) {
    CancellationPoll poll = new CancellationPoll(call);
    return eachSlice(
        call,
        target,
        SliceWriting.COPY,
        (to, from) -> {
          if (to instanceof DenseTensor written
              && from instanceof DenseTensor read
              && written.isContiguous()
              && read.isContiguous()) {
            return copied(poll, read, written);
          }
          return steps.run("copy_", to, from);
        });
  }

  /**
   * Copies one contiguous tensor to another of the same dtype and size; returns the fault of a
   * cancellation.
   */
  static Object copied(CancellationPoll poll, DenseTensor from, DenseTensor to) {
    int bytes = to.dtype().bytes();
    poll.copy(
        from.segment(),
        from.layout().offset() * bytes,
        to.segment(),
        to.layout().offset() * bytes,
        to.elements() * bytes);
    return poll.fault() == null ? to : poll.fault();
  }

  private interface Slice {
    Object write(Object to, Object from);
  }

  private static Object eachSlice(Call call, DenseTensor target, SliceWriting kind, Slice slice) {
    CancellationPoll poll = new CancellationPoll(call);
    Object found = slices(call, poll, target, kind);
    if (!(found instanceof Integers slices)) {
      return found;
    }
    int dim = (Integer) Dimensions.wrap(call.integer(1), target.rank());
    Fault fault = misfit(kind, call, target, dim, slices.size());
    if (fault != null) {
      return fault;
    }
    DenseTensor source = call.tensor(3);
    long work = work(target, dim);
    Object result = target;
    for (long i = 0;
        i < slices.size() && !(result instanceof Fault) && poll.mayContinue(work);
        i++) {
      Object to = part(call, target, dim, slices.at(i));
      Object from = part(call, source, dim, i);
      result = slice.write(to, from);
      close(to, target);
      close(from, source);
    }
    return poll.fault() == null ? result : poll.fault();
  }

  /** The cost of writing one slice. */
  static long work(DenseTensor target, int dim) {
    long size = target.rank() == 0 ? 1 : Math.max(1, target.shape().size(dim));
    return CALL + target.elements() / size;
  }

  static Object part(Call call, DenseTensor tensor, int dim, long index) {
    Layout layout = tensor.layout();
    return tensor.rank() == 0 ? tensor : Views.of(call, tensor, Views.selected(layout, dim, index));
  }

  static void close(Object part, DenseTensor whole) {
    if (part instanceof DenseTensor tensor && !tensor.is(whole)) {
      tensor.close();
    }
  }

  private static Object scatter(Steps steps, Call call, DenseTensor target) {
    DenseTensor mask = call.tensor(1);
    DenseTensor source = call.tensor(2);
    if (source.dtype() != target.dtype()) {
      return mismatch("masked_scatter", target, source);
    }
    if (mask.dtype() != DType.BOOL && mask.dtype() != DType.UINT8) {
      return Fault.dtype("`mask` must be bool, but it is " + mask.dtype())
          .withExpected(ExpectedDType.of(DType.BOOL).in("mask"), mask.dtype());
    }
    List<Object> order = Steps.ints(memoryOrder(target.layout()));
    Object wide = steps.run("expand", mask, Steps.ints(target.shape().toArray()));
    return scatter(
        steps, steps.run("permute", target, order), steps.run("permute", wide, order), source);
  }

  /** The dimensions from the outermost to the innermost one. */
  private static long[] memoryOrder(Layout layout) {
    return IntStream.range(0, layout.shape().rank())
        .boxed()
        .sorted(Comparator.comparingLong((Integer d) -> layout.stride(d)).reversed())
        .mapToLong(d -> d)
        .toArray();
  }

  private static Object scatter(Steps steps, Object target, Object wide, DenseTensor source) {
    Object places = steps.run("nonzero", steps.view(wide, -1));
    if (!(places instanceof DenseTensor known)) {
      return places;
    }
    long count = known.shape().size(0);
    if (count > source.elements()) {
      String text = "`mask` chooses %s, but `source` has only %d";
      return Fault.shape(Message.of(text, Message.count(count, "element"), source.elements()))
          .withExpected(
              Message.count(count, "element"), Message.count(source.elements(), "element"));
    }
    Object flat = steps.run("contiguous", steps.view(target, -1));
    Object values = steps.run("narrow", steps.view(source, -1), 0L, 0L, count);
    Object index = Steps.list(steps.view(known, -1));
    Object written = steps.run("index_put_", flat, index, values);
    return Steps.isTensor(written)
        ? steps.run("copy_", target, steps.view(written, Steps.form(target).shape().toArray()))
        : written;
  }

  private static Object takeAlong(Steps steps, Operands call) {
    if (call.isNone(2)) {
      return steps.run("gather", steps.view(call.value(0), -1), 0L, steps.view(call.value(1), -1));
    }
    Shape self = call.shape(0);
    Shape index = call.shape(1);
    Object dim = Dimensions.wrap(call.integer(2), self.rank());
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    if (self.rank() != index.rank()) {
      String text = "`indices` %s must have as many dimensions as the tensor %s";
      return Fault.shape(Message.of(text, index, self));
    }
    long[] ofSelf = self.toArray();
    long[] ofIndex = index.toArray();
    for (int d = 0; d < ofSelf.length; d++) {
      boolean wide = d != at && ofSelf[d] != 1;
      ofIndex[d] = wide ? ofSelf[d] : ofIndex[d];
      ofSelf[d] = d == at || wide ? ofSelf[d] : ofIndex[d];
    }
    return steps.run(
        "gather",
        steps.run("expand", call.value(0), Steps.ints(ofSelf)),
        (long) at,
        steps.run("expand", call.value(1), Steps.ints(ofIndex)));
  }
}
