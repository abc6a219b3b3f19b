package dev.staunch.kernel.loop;

import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The layout of a new tensor whose elements are made from those at the same positions of the
 * operands: without gaps, with its dimensions in the operands' memory order. Scripts can observe it
 * through {@code stride}, and through the results of {@code view} and {@code reshape}.
 *
 * <p>Source: libtorch's {@code TensorIteratorBase::reorder_dimensions}. An operand in row-major
 * order counts as a new tensor, whatever its strides along dimensions of size 1, which affect no
 * element; so those strides of a result may differ from libtorch's.
 */
final class ResultStrides {
  private final Shape shape;

  /** The strides of each operand, stretched to the shape. */
  private final long[][] strides;

  private ResultStrides(Shape shape, List<Layout> layouts) {
    this.shape = shape;
    this.strides = new long[layouts.size()][];
    for (int i = 0; i < strides.length; i++) {
      Layout layout = layouts.get(i);
      Layout own = layout.isContiguous() ? Layout.contiguous(layout.shape()) : layout;
      strides[i] = Broadcast.stretch(own, shape).strides();
    }
  }

  /**
   * The layout of a result of {@code shape}, to which all operands that are tensors, or forms of
   * tensors, broadcast; null for row-major order.
   */
  static @Nullable Layout of(Shape shape, Object... operands) {
    boolean rowMajor = true;
    for (Object operand : operands) {
      rowMajor &=
          operand instanceof DenseTensor tensor
              ? tensor.isContiguous() || tensor.layout().isTurned()
              : !(operand instanceof TensorForm form) || isRowMajor(form.strided());
    }
    if (rowMajor) {
      return null;
    }
    List<Layout> layouts = new ArrayList<>(operands.length);
    for (Object operand : operands) {
      if (operand instanceof DenseTensor tensor) {
        layouts.add(tensor.layout().asWritten());
      } else if (operand instanceof TensorForm form) {
        layouts.add(form.layout().asWritten());
      }
    }
    return of(shape, layouts);
  }

  private static boolean isRowMajor(@Nullable Layout strided) {
    return strided == null || strided.isContiguous() || strided.isTurned();
  }

  /** As {@link #of(Shape, Object...)}, from the layouts of the tensors. */
  static @Nullable Layout of(Shape shape, List<Layout> layouts) {
    if (shape.elements() == 0) {
      return null;
    }
    if (areChannelsLast(shape, layouts)) {
      return Layout.channelsLast(shape);
    }
    Layout found = shared(shape, layouts);
    found = found == null ? new ResultStrides(shape, layouts).dense() : found;
    return found.isContiguous() ? null : found;
  }

  /** For images in both orders, strides of dimensions of size 1 do not count. */
  private static boolean areChannelsLast(Shape shape, List<Layout> layouts) {
    if (shape.rank() != 4) {
      return false;
    }
    boolean rowMajor = true;
    for (Layout layout : layouts) {
      if (!layout.isChannelsLast() || !layout.shape().equals(shape)) {
        return false;
      }
      rowMajor &= layout.isContiguous();
    }
    return !rowMajor;
  }

  /** The layout that all operands have, if it has no gaps; else null. */
  private static @Nullable Layout shared(Shape shape, List<Layout> layouts) {
    Layout first = layouts.getFirst();
    for (int i = 1; i < layouts.size(); i++) {
      if (!layouts.get(i).isLike(first)) {
        return null;
      }
    }
    if (!first.shape().equals(shape) || !DenseStrides.isDense(first)) {
      return null;
    }
    return first.offset() == 0 ? first : new Layout(shape, first.strides(), 0);
  }

  /** The dimensions, the innermost one first. */
  private int[] order() {
    int[] order = new int[shape.rank()];
    for (int i = 0; i < order.length; i++) {
      order[i] = order.length - 1 - i;
    }
    for (int i = 1; i < order.length; i++) {
      int moving = i;
      for (int before = i - 1; before >= 0; before--) {
        int compared = compare(order[before], order[moving]);
        if (compared < 0) {
          break;
        }
        if (compared > 0) {
          int dim = order[before];
          order[before] = order[moving];
          order[moving] = dim;
          moving = before;
        }
      }
    }
    return order;
  }

  /** Positive if {@code dim} is outside {@code other}, 0 if no operand decides. */
  private int compare(int dim, int other) {
    for (long[] own : strides) {
      if (own[dim] == 0 || own[other] == 0) {
        continue;
      }
      if (own[dim] != own[other]) {
        return Long.compare(own[dim], own[other]);
      }
      if (shape.size(dim) > shape.size(other)) {
        return 1;
      }
    }
    return 0;
  }

  private Layout dense() {
    int[] order = order();
    long[] dense = new long[order.length];
    long step = 1;
    for (int dim : order) {
      dense[dim] = step;
      step *= shape.size(dim);
    }
    return new Layout(shape, dense, 0);
  }
}
