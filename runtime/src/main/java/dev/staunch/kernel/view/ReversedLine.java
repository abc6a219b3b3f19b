package dev.staunch.kernel.view;

import dev.staunch.type.DType;
import java.lang.foreign.MemorySegment;

/** Copies lines in reverse order, eight bytes at a time. For one thread. */
final class ReversedLine {
  private final int width;
  private final long[] words;
  private final MemorySegment bytes;

  /**
   * @param dtype one that {@link #takes} accepts
   * @param size the number of elements of a line
   */
  ReversedLine(DType dtype, int size) {
    this.width = dtype.bytes();
    this.words = new long[Math.ceilDiv(size * width, Long.BYTES)];
    this.bytes = MemorySegment.ofArray(words);
  }

  /** Whether elements of {@code dtype} fit in eight bytes. */
  static boolean takes(DType dtype) {
    return dtype.bytes() <= Long.BYTES;
  }

  /** Copies {@code length} bytes, as many as a line has. */
  void copy(MemorySegment from, long at, MemorySegment into, long to, long length) {
    MemorySegment.copy(from, at, bytes, bytes.byteSize() - length, length);
    switch (width) {
      case Long.BYTES -> reverse(words);
      case Integer.BYTES -> reverseInts(words);
      default -> reverse(words, width == Short.BYTES);
    }
    MemorySegment.copy(bytes, 0, into, to, length);
  }

  private static void reverse(long[] words) {
    for (int i = 0, j = words.length - 1; i < j; i++, j--) {
      long held = words[i];
      words[i] = words[j];
      words[j] = held;
    }
  }

  private static void reverseInts(long[] words) {
    for (int i = 0, j = words.length - 1; i <= j; i++, j--) {
      long held = words[i];
      words[i] = Long.rotateLeft(words[j], Integer.SIZE);
      words[j] = Long.rotateLeft(held, Integer.SIZE);
    }
  }

  private static void reverse(long[] words, boolean shorts) {
    for (int i = 0, j = words.length - 1; i <= j; i++, j--) {
      long held = words[i];
      words[i] = turned(words[j], shorts);
      words[j] = turned(held, shorts);
    }
  }

  private static long turned(long word, boolean shorts) {
    long turned = Long.reverseBytes(word);
    long odd = 0x00ff00ff00ff00ffL;
    return shorts ? ((turned & odd) << Byte.SIZE) | ((turned >>> Byte.SIZE) & odd) : turned;
  }
}
