package dev.staunch.vector;

import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.Window;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;

/**
 * The layout of an image for a convolution: padded and, where the kernel has a stride, split into
 * one plane for each phase that the kernel's elements meet. Whatever the padding, stride and
 * dilation, an element of the kernel then meets a row of the result in contiguous positions.
 *
 * @param channels of a group
 * @param height of a plane
 * @param width of a plane
 * @param vertical the phases, which are the first rows of planes, that elements of the kernel meet
 * @param horizontal the same for columns
 * @param offsets what each element of the kernel meets first, channel after channel, in elements
 * @param resultWidth columns of the result that are contiguous in a plane
 * @param direct whether the image itself consists of such planes
 */
record Planes(
    int channels,
    int height,
    int width,
    int[] vertical,
    int[] horizontal,
    int[] offsets,
    int resultWidth,
    boolean direct) {

  static Planes of(Convolution.Request request) {
    return of(request, Math.toIntExact(request.result().shape().size(2)));
  }

  /**
   * The planes that some rows of the result meet; fewer than all rows only for an image that is not
   * {@link #direct}.
   */
  static Planes of(Convolution.Request request, int rows) {
    Layout input = request.input();
    Shape result = request.result().shape();
    Window down = request.vertical();
    Window across = request.horizontal();
    int channels = Math.toIntExact(input.shape().size(1) / request.groups());
    int columns = Math.toIntExact(result.size(3));
    if (isDirect(request)) {
      int[] offsets = new int[channels];
      Arrays.setAll(offsets, channel -> Math.toIntExact(channel * input.stride(1)));
      int[] one = {0};
      return new Planes(channels, 1, rows * columns, one, one, offsets, rows * columns, true);
    }
    int[] vertical = phases(down);
    int[] horizontal = phases(across);
    int height = rows + shift(down, down.kernel() - 1);
    int width = columns + shift(across, across.kernel() - 1);
    int taps = down.kernel() * across.kernel();
    int[] offsets = new int[Math.multiplyExact(channels, taps)];
    for (int i = 0; i < offsets.length; i++) {
      int y = i % taps / across.kernel();
      int x = i % across.kernel();
      int plane =
          (i / taps * vertical.length + Arrays.binarySearch(vertical, phase(down, y)))
                  * horizontal.length
              + Arrays.binarySearch(horizontal, phase(across, x));
      offsets[i] =
          Math.toIntExact(((long) plane * height + shift(down, y)) * width + shift(across, x));
    }
    return new Planes(channels, height, width, vertical, horizontal, offsets, columns, false);
  }

  private static boolean isDirect(Convolution.Request request) {
    Layout input = request.input();
    return request.vertical().isPoint()
        && request.horizontal().isPoint()
        && input.stride(3) == 1
        && input.stride(2) == input.shape().size(3);
  }

  private static int phase(Window window, int tap) {
    return tap * window.dilation() % window.stride();
  }

  private static int shift(Window window, int tap) {
    return tap * window.dilation() / window.stride();
  }

  private static int[] phases(Window window) {
    int[] all = new int[window.kernel()];
    Arrays.setAll(all, tap -> phase(window, tap));
    return Arrays.stream(all).sorted().distinct().toArray();
  }

  /** In how many contiguous runs an element of the kernel meets the pixels from one to another. */
  int runs(int first, int last) {
    return width == resultWidth ? 1 : last / resultWidth - first / resultWidth + 1;
  }

  /** Elements of one channel's planes. */
  long channelSize() {
    return (long) vertical.length * horizontal.length * height * width;
  }

  /** Where a kernel element at offset 0 meets a pixel of the result. */
  int place(int pixel) {
    return pixel / resultWidth * width + pixel % resultWidth;
  }
}
