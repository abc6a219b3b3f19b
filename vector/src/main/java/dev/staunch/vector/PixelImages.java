package dev.staunch.vector;

import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Images with channels last, without gaps: one after another, each a sequence of rows of pixels.
 *
 * @param at the position of the first element
 */
record PixelImages(
    MemorySegment segment, long at, int images, int rows, int columns, int channels) {

  static PixelImages of(MemorySegment segment, long at, Shape shape) {
    return new PixelImages(
        segment,
        at,
        (int) shape.size(0),
        (int) shape.size(2),
        (int) shape.size(3),
        (int) shape.size(1));
  }

  /** All images of a tensor. */
  static PixelImages of(DenseTensor tensor, Layout layout) {
    long at = tensor.layout().offset() + layout.offset();
    return of(tensor.segment(), at, layout.shape());
  }

  /** The number of pixels of all images. */
  int pixels() {
    return images * rows * columns;
  }

  /** The position at which a row of an image begins. */
  long at(int image, int row) {
    return at + ((long) image * rows + row) * columns * channels;
  }

  /** One of the images. */
  PixelImages only(int image) {
    return new PixelImages(segment, at(image, 0), 1, rows, columns, channels);
  }

  /** The images as a matrix with one row per pixel. */
  Matrix matrix() {
    return new Matrix(segment, at, channels, 1);
  }

  /** The initial values of the sums of each channel: a bias with that layout, or 0 without one. */
  float[] starts(@Nullable DenseTensor bias, @Nullable Layout layout) {
    float[] starts = new float[channels];
    if (bias != null && layout != null) {
      long first = bias.layout().offset() + layout.offset();
      for (int i = 0; i < channels; i++) {
        long place = first + i * layout.stride(0);
        starts[i] = bias.segment().getAtIndex(ValueLayout.JAVA_FLOAT, place);
      }
    }
    return starts;
  }
}
