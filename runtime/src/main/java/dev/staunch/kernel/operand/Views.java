package dev.staunch.kernel.operand;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Lookout;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/** Makes views; what they share and what they inherit is decided here. */
public final class Views {
  /** As many elements cost as much as one view. */
  private static final int COST = 16;

  /** More parts of one tensor than anybody wants as a list, which no byte budget counts. */
  private static final long MOST_IN_LIST = 1L << 20;

  private Views() {}

  /** As {@link #of(Call, DenseTensor, Layout)}; strides and offset count elements. */
  public static Object of(Call call, DenseTensor self, long[] sizes, long[] strides, long offset) {
    return of(call, self, new Layout(Shape.of(sizes), strides, offset));
  }

  /** A view; without gradient mode it requires no gradient. */
  public static Object of(Call call, DenseTensor self, Layout layout) {
    Object view = self.view(call.scope(), layout);
    if (view instanceof DenseTensor tensor
        && tensor.requiresGrad()
        && !call.environment().gradEnabled()) {
      DenseTensor plain = tensor.requiringGrad(call.scope(), false);
      tensor.close();
      return plain;
    }
    return view;
  }

  /** Another handle of the same tensor. */
  public static Object same(Call call, DenseTensor self) {
    return self.view(call.scope(), self.layout());
  }

  /** A part of one dimension. */
  public static Layout narrowed(Layout layout, int dim, long start, long length) {
    long[] sizes = layout.shape().toArray();
    sizes[dim] = length;
    Shape shape = Shape.of(sizes);
    long offset = shape.elements() == 0 ? 0 : start * layout.stride(dim);
    return new Layout(shape, layout.strides(), layout.offset() + offset);
  }

  /** One index of a dimension, which disappears. */
  public static Layout selected(Layout layout, int dim, long index) {
    Shape shape = Shape.of(without(layout.shape().toArray(), dim));
    long offset = shape.elements() == 0 ? 0 : index * layout.stride(dim);
    return new Layout(shape, without(layout.strides(), dim), layout.offset() + offset);
  }

  /** Views of {@code count} layouts, as a list; or a fault. */
  public static Object list(Call call, DenseTensor self, long count, LongFunction<Layout> layouts) {
    if (count > MOST_IN_LIST) {
      String text = "a list cannot hold " + count + " parts of a tensor";
      return Fault.of(FaultType.OUT_OF_MEMORY, text);
    }
    Lookout lookout = new Lookout(call);
    List<Object> views = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      lookout.goesOn(COST);
      Fault stop = lookout.fault();
      Object view = stop == null ? of(call, self, layouts.apply(i)) : stop;
      if (!(view instanceof DenseTensor)) {
        views.forEach(made -> ((DenseTensor) made).close());
        return view;
      }
      views.add(view);
    }
    return views;
  }

  /** {@code values} but for the one at {@code at}. */
  public static long[] without(long[] values, int at) {
    long[] rest = new long[values.length - 1];
    System.arraycopy(values, 0, rest, 0, at);
    System.arraycopy(values, at + 1, rest, at, rest.length - at);
    return rest;
  }

  /** {@code values} with one more, which stands at {@code at}. */
  public static long[] with(long[] values, int at, long value) {
    long[] more = new long[values.length + 1];
    System.arraycopy(values, 0, more, 0, at);
    more[at] = value;
    System.arraycopy(values, at, more, at + 1, values.length - at);
    return more;
  }
}
