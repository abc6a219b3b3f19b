package dev.staunch.kernel.vision;

import dev.staunch.type.Shape;

/**
 * How a kernel slides over an image. Arrays and indices of dimensions have two elements: down and
 * across.
 */
record PatchGrid(
    int height, int width, long[] kernel, long[] dilation, long[] padding, long[] stride) {
  /** The kernel's places, one below the other. */
  int rows() {
    return count(0);
  }

  /** The kernel's places side by side. */
  int columns() {
    return count(1);
  }

  private int count(int d) {
    long free = size(d) + 2 * padding[d] - dilation[d] * (kernel[d] - 1) - 1;
    return Shape.asInt(free < 0 ? 0 : free / stride[d] + 1);
  }

  private int size(int d) {
    return d == 0 ? height : width;
  }

  int cells() {
    return Shape.asInt((long) rows() * columns());
  }

  int taps() {
    return Shape.asInt((long) Shape.asInt(kernel[0]) * Shape.asInt(kernel[1]));
  }

  /** The pixel, in one dimension, under a kernel's element {@code k} at a place; may be outside. */
  long pixel(int d, long k, long place) {
    return place * stride[d] - padding[d] + k * dilation[d];
  }

  /** The first place at which a kernel's element {@code k} is not in front of the image. */
  int first(int d, long k) {
    return first(d, k, 0);
  }

  /** The first place at which a kernel's element {@code k} is not in front of {@code pixel}. */
  int first(int d, long k, int pixel) {
    long free = pixel + padding[d] - k * dilation[d];
    return free <= 0 ? 0 : (int) Math.min(Math.ceilDiv(free, stride[d]), count(d));
  }

  /** The end of the places at which a kernel's element {@code k} is not behind the image. */
  int end(int d, long k) {
    long last = size(d) - 1 + padding[d] - k * dilation[d];
    return last < 0 ? 0 : (int) Math.min(last / stride[d] + 1, count(d));
  }
}
