package dev.staunch.vector;

import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Images whose channels lie last, without gaps: one behind the other, each row after row of pixels.
 *
 * @param at where the first element lies
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

  /** Of all images. */
  int pixels() {
    return images * rows * columns;
  }

  /** Where a row of an image begins. */
  long at(int image, int row) {
    return at + ((long) image * rows + row) * columns * channels;
  }

  /** One of the images. */
  PixelImages only(int image) {
    return new PixelImages(segment, at(image, 0), 1, rows, columns, channels);
  }

  /** A row for each pixel. */
  Matrix matrix() {
    return new Matrix(segment, at, channels, 1);
  }

  /** What the sums of each channel begin with: a bias whose elements lie so, or 0 without one. */
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
