package dev.staunch.memory;

/**
 * The pool's block sizes: multiples of 64 bytes, four to each doubling, from 64 bytes to 4 MiB.
 * From 512 bytes on, at most a fifth of a block is lost to rounding.
 */
final class SizeClasses {
  static final int ALIGNMENT = 64;
  static final long LARGEST = 4L << 20;
  private static final int FINE = 8; // classes of 64, 128 ... 512 bytes
  private static final int FINE_SHIFT = 9;
  private static final int LARGEST_SHIFT = 22;
  static final int COUNT = FINE + 4 * (LARGEST_SHIFT - FINE_SHIFT);

  private SizeClasses() {}

  /** The smallest class that holds {@code bytes}, which must not exceed {@link #LARGEST}. */
  static int of(long bytes) {
    if (bytes <= 1L << FINE_SHIFT) {
      return bytes <= ALIGNMENT ? 0 : (int) ((bytes - 1) >>> 6);
    }
    int shift = 63 - Long.numberOfLeadingZeros(bytes - 1); // 2^shift < bytes <= 2^(shift+1)
    int quarter = (int) ((bytes - 1) >>> (shift - 2)) & 3;
    return FINE + 4 * (shift - FINE_SHIFT) + quarter;
  }

  /** The size in bytes of a block of {@code sizeClass}. */
  static long bytes(int sizeClass) {
    if (sizeClass < FINE) {
      return (sizeClass + 1L) << 6;
    }
    int shift = (sizeClass - FINE) / 4 + FINE_SHIFT;
    return (5L + ((sizeClass - FINE) & 3)) << (shift - 2);
  }
}
