package dev.staunch.operation;

import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/**
 * What is known about a tensor without reading an element: its dtype and its layout.
 *
 * @param strided the layout; null for row-major order without gaps and without an offset, unless
 *     strides of dimensions of size 1 {@linkplain Layout#suggestsChannelsLast suggest} another
 *     order
 * @param name the name of the tensor in messages, if it has one
 */
public record TensorForm(
    DType dtype, Shape shape, @Nullable Layout strided, @Nullable String name) {

  public TensorForm {
    strided = strided == null || isPlain(strided) ? null : strided;
  }

  /** A form without a name. */
  public TensorForm(DType dtype, Layout layout) {
    this(dtype, layout.shape(), layout, null);
  }

  /** The form of a tensor in row-major order. */
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

  /** The same form with another dtype, in row-major order. */
  public TensorForm cast(DType other) {
    return new TensorForm(other, shape, null, name);
  }

  /** The description used in messages. */
  public String describe() {
    String form = dtype + shape.toString();
    return name == null ? form : name + " " + form;
  }
}
