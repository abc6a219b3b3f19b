package dev.staunch.kernel.operand;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/** Makes views, and decides what they share and what they inherit. */
public final class Views {
  /** The number of elements that cost as much as one view. */
  private static final int COST = 16;

  /**
   * More parts of one tensor than anyone wants as a list; no byte budget covers the list itself.
   */
  private static final long MOST_IN_LIST = 1L << 20;

  private Views() {}

  /** Several views of one tensor, to be returned as a list. */
  public record Parts(long count, LongFunction<Layout> layouts) {}

  /**
   * Adds an operation that returns the elements of its first argument in another layout.
   *
   * @param find returns the layout; a form, for a view of another dtype; {@link Parts}, for a list
   *     of views; or a fault
   */
  public static void add(Catalog.Builder catalog, String schema, Function<Operands, Object> find) {
    catalog
        .with(Trait.VIEWS)
        .withInference(operands -> inferred(operands, find.apply(operands)))
        .one(schema, call -> viewed(call, find.apply(call)));
  }

  private static Object inferred(Operands operands, Object found) {
    return switch (found) {
      case Layout layout -> new TensorForm(operands.dtype(0), layout);
      case Parts parts when parts.count() > MOST_IN_LIST -> tooMany(parts.count());
      case Parts parts ->
          LongStream.range(0, parts.count())
              .mapToObj(i -> (Object) new TensorForm(operands.dtype(0), parts.layouts().apply(i)))
              .toList();
      default -> found;
    };
  }

  private static Object viewed(Call call, Object found) {
    return switch (found) {
      case Layout layout -> of(call, call.tensor(0), layout);
      case TensorForm form ->
          call.tensor(0).view(call.scope(), form.layout(), form.dtype(), /* grad= */ false);
      case Parts parts -> list(call, call.tensor(0), parts.count(), parts.layouts());
      default -> found;
    };
  }

  private static Fault tooMany(long count) {
    return Fault.of(FaultType.OUT_OF_MEMORY, "a list cannot hold " + count + " parts of a tensor");
  }

  /** A view; outside gradient mode it does not require a gradient. */
  public static Object of(Call call, DenseTensor self, Layout layout) {
    boolean differentiable = self.requiresGrad() && call.environment().gradEnabled();
    return self.view(call.scope(), layout, self.dtype(), differentiable);
  }

  /** Another handle to the same tensor. */
  public static Object same(Call call, DenseTensor self) {
    return self.view(call.scope(), self.layout());
  }

  /** {@code layout} with these sizes and strides. */
  public static Layout laid(Layout layout, long[] sizes, long[] strides) {
    return new Layout(Shape.of(sizes), strides, layout.offset());
  }

  /** {@code layout} restricted to a range of one dimension. */
  public static Layout narrowed(Layout layout, int dim, long start, long length) {
    long[] sizes = layout.shape().toArray();
    sizes[dim] = length;
    Shape shape = Shape.of(sizes);
    long offset = shape.elements() == 0 ? 0 : start * layout.stride(dim);
    return new Layout(shape, layout.strides(), layout.offset() + offset);
  }

  /** {@code layout} at one index of a dimension; that dimension disappears. */
  public static Layout selected(Layout layout, int dim, long index) {
    Shape shape = Shape.of(without(layout.shape().toArray(), dim));
    long offset = shape.elements() == 0 ? 0 : index * layout.stride(dim);
    return new Layout(shape, without(layout.strides(), dim), layout.offset() + offset);
  }

  /** Views with {@code count} layouts, as a list; or a fault. */
  public static Object list(Call call, DenseTensor self, long count, LongFunction<Layout> layouts) {
    if (count > MOST_IN_LIST) {
      return tooMany(count);
    }
    CancellationPoll poll = new CancellationPoll(call);
    List<Object> views = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      poll.mayContinue(COST);
      Fault stop = poll.fault();
      Object view = stop == null ? of(call, self, layouts.apply(i)) : stop;
      if (!(view instanceof DenseTensor)) {
        views.forEach(made -> ((DenseTensor) made).close());
        return view;
      }
      views.add(view);
    }
    return views;
  }

  /** {@code values} without the one at {@code at}. */
  public static long[] without(long[] values, int at) {
    long[] rest = new long[values.length - 1];
    System.arraycopy(values, 0, rest, 0, at);
    System.arraycopy(values, at + 1, rest, at, rest.length - at);
    return rest;
  }

  /** {@code values} with {@code value} inserted at {@code at}. */
  public static long[] with(long[] values, int at, long value) {
    long[] more = new long[values.length + 1];
    System.arraycopy(values, 0, more, 0, at);
    more[at] = value;
    System.arraycopy(values, at, more, at + 1, values.length - at);
    return more;
  }
}
