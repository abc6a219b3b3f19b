package dev.staunch.kernel.neural;

/**
 * How a kernel slides along one dimension.
 *
 * @param before padding in front of the first element
 * @param after padding behind the last one
 */
record Window(int kernel, int stride, int before, int after, int dilation) {

  /** Elements of the input that one position covers, gaps included. */
  int extent() {
    return dilation * (kernel - 1) + 1;
  }

  /** Positions of the window over {@code size} elements; not positive if it does not fit. */
  int outputs(int size, boolean ceiling) {
    int room = size + before + after - extent();
    int steps = Math.floorDiv(room + (ceiling ? stride - 1 : 0), stride);
    boolean startsInPadding = ceiling && steps * stride >= size + before;
    return steps + (startsInPadding ? 0 : 1);
  }

  /** Where in the input the window's element {@code tap} lies; may be in the padding. */
  int at(int output, int tap) {
    return output * stride - before + tap * dilation;
  }
}
