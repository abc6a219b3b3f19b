package dev.staunch.vector;

import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;

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
}
