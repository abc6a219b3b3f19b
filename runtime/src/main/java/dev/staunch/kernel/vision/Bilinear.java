package dev.staunch.kernel.vision;

/** Bilinear interpolation in a plane. */
final class Bilinear {
  private Bilinear() {}

  /** For regions: positions at most one element outside count as the border. */
  static double atBorder(double[] planes, int first, int height, int width, double y, double x) {
    if (y < -1 || y > height || x < -1 || x > width) {
      return 0;
    }
    double down = Math.max(y, 0);
    double right = Math.max(x, 0);
    int top = (int) down;
    int left = (int) right;
    if (top >= height - 1) {
      top = height - 1;
      down = top;
    }
    if (left >= width - 1) {
      left = width - 1;
      right = left;
    }
    int bottom = Math.min(top + 1, height - 1);
    int far = Math.min(left + 1, width - 1);
    double dy = down - top;
    double dx = right - left;
    return (1 - dy) * (1 - dx) * planes[first + top * width + left]
        + (1 - dy) * dx * planes[first + top * width + far]
        + dy * (1 - dx) * planes[first + bottom * width + left]
        + dy * dx * planes[first + bottom * width + far];
  }

  /** With zeros all around the plane. */
  static double amongZeros(double[] planes, int first, int height, int width, double y, double x) {
    if (y <= -1 || y >= height || x <= -1 || x >= width) {
      return 0;
    }
    int top = (int) Math.floor(y);
    int left = (int) Math.floor(x);
    double sum = 0;
    for (int i = 0; i < 2; i++) {
      for (int j = 0; j < 2; j++) {
        int row = top + i;
        int column = left + j;
        if (row >= 0 && row < height && column >= 0 && column < width) {
          double weight = (1 - Math.abs(y - row)) * (1 - Math.abs(x - column));
          sum += weight * planes[first + row * width + column];
        }
      }
    }
    return sum;
  }
}
