package dev.staunch.operation;

import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a tensor without looking at an element: its dtype and how its elements lie.
 *
 * @param strided how they lie; null if in row-major order, without gaps, from the first place on,
 *     unless strides of dimensions of one index {@linkplain Layout#suggestsChannelsLast suggest}
 *     another order
 * @param name what messages call it, if it has a name
 */
public record TensorForm(
    DType dtype, Shape shape, @Nullable Layout strided, @Nullable String name) {

  public TensorForm {
    strided = strided == null || isPlain(strided) ? null : strided;
  }

  /** One without a name. */
  public TensorForm(DType dtype, Layout layout) {
    this(dtype, layout.shape(), layout, null);
  }

  /** One whose elements lie in row-major order. */
  public static TensorForm contiguous(DType dtype, Shape shape) {
    return new TensorForm(dtype, shape, null, null);
  }

  private static boolean isPlain(Layout layout) {
    return layout.isContiguous() && layout.offset() == 0 && !layout.suggestsChannelsLast();
  }

  public Layout layout() {
    return strided == null ? Layout.contiguous(shape) : strided;
  }

  public long elements() {
    return shape.elements();
  }

  public int rank() {
    return shape.rank();
  }

  /** The same with elements of another dtype, which lie in row-major order. */
  public TensorForm cast(DType other) {
    return new TensorForm(other, shape, null, name);
  }

  /** As messages call it. */
  public String describe() {
    String form = dtype + shape.toString();
    return name == null ? form : name + " " + form;
  }
}
